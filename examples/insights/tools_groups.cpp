// The tools that compare groups: cycles of time and categories.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "insights/figures.hpp"
#include "insights/series.hpp"
#include "insights/spellings.hpp"
#include "insights/tools.hpp"

namespace insights::tool {
namespace {

constexpr std::size_t most_values = 24;

Json group_json(const std::string& name, const std::vector<double>& values,
                const std::string& lines) {
  return {{"name", name},
          {"readings", values.size()},
          {"mean", rounded(mean(values))},
          {"median", rounded(median(values))},
          {"sum", rounded(mean(values) * static_cast<double>(values.size()))},
          {"lines", lines}};
}

Json group_json(const std::string& name, const Series& series, const std::vector<Point>& points) {
  std::vector<double> values;
  for (const Point& point : points) values.push_back(point.value);
  return group_json(name, values, series.places(points));
}

/// A span of which the readings have only a part, at their beginning or end, says so.
void mark_parts(Json& groups, const Series& series, int days) {
  const auto since = [](const Json& group, Moment moment) {
    std::string first = group.at("name").get<std::string>();
    first += first.size() == 4 ? "-01-01" : first.size() == 7 ? "-01" : "";
    return (day_of(moment) - parse_moment(first)->moment) / day_length;
  };
  const auto missing = since(groups.front(), series.points.front().moment);
  const auto had = since(groups.back(), series.points.back().moment) + 1;
  if (2 * missing > days) groups.front()["part"] = true;
  if (2 * had < days) groups.back()["part"] = true;
}

/// Each month of the window, `2015-12`, or week, by its Monday, in order; of more than two years
/// each year. All readings count, also those of days that lack some.
void put_spans(Json& result, const Series& series, bool weeks) {
  const Moment span = series.points.back().moment - series.points.front().moment;
  const bool years = !weeks && span > 2 * 366 * day_length;
  std::map<std::string, std::vector<Point>> groups;
  for (const Point& point : series.points) {
    const Moment monday =
        day_of(point.moment) - place_in(Cycle::weekday, point.moment) * day_length;
    groups[weeks ? moment_text(monday, false)
                 : moment_text(point.moment, false).substr(0, years ? 4 : 7)]
        .push_back(point);
  }
  if (years) result["by"] = "year";
  result["groups"] = Json::array();
  for (const auto& [name, points] : groups)
    result["groups"].push_back(group_json(name, series, points));
  if (series.table->grain == Grain::day)
    mark_parts(result["groups"], series, weeks ? 7 : years ? 365 : 30);
}

/// How many events fall to each hour, or an amount's sums; nothing is known of hours without any.
void put_hours(Json& result, const Series& series) {
  std::map<int, std::vector<Point>> groups;
  for (const Point& point : series.points) {
    groups[place_in(Cycle::hour, point.moment)].push_back(point);
  }
  result["groups"] = Json::array();
  for (const auto& [place, points] : groups) {
    result["groups"].push_back(group_json(place_name(Cycle::hour, place), series, points));
  }
}

}  // namespace

Json pattern(Arguments& arguments, const Readings& readings) {
  if (readings.table.moments.empty()) throw ToolError("the table has no times");
  const std::string by = arguments.text("by").value_or("weekday");
  const auto cycle = by == "week" ? std::optional{Cycle::none} : cycle_named(by);
  if (!cycle) throw ToolError("'by' is hour, weekday, week or month");
  if (*cycle == Cycle::hour && !readings.table.has_clock) {
    throw ToolError("the times are dates: there are no hours");
  }
  const Series found =
      series_in(arguments, readings, false, *cycle == Cycle::hour ? Step::row : Step::day);
  arguments.end();
  const bool long_spans = *cycle == Cycle::none || *cycle == Cycle::month;
  const bool counts_hours = *cycle == Cycle::hour && found.column->is_count;
  const bool by_row = counts_hours || (long_spans && !found.column->is_amount);
  const Step step = by_row ? Step::row : found.step;
  const Series series = series_of(readings.table, *found.column, found.rows, step, long_spans);
  Json result = head_of(series);
  result["by"] = by;
  if (long_spans) {
    put_spans(result, series, *cycle == Cycle::none);
    return result;
  }
  if (counts_hours) {
    put_hours(result, series);
    return result;
  }
  std::map<int, std::vector<Point>> groups;
  std::vector<int> places;
  for (const Point& point : series.points) {
    places.push_back(place_in(*cycle, point.moment));
    groups[places.back()].push_back(point);
  }
  result["groups"] = Json::array();
  for (const auto& [place, points] : groups) {
    result["groups"].push_back(group_json(place_name(*cycle, place), series, points));
  }
  result["explains"] = rounded(between_groups(series.values(), places));
  // What as many groups without any difference would explain.
  result["chance"] = rounded(static_cast<double>(groups.size() - 1) /
                             std::max(1.0, static_cast<double>(places.size()) - 1));
  return result;
}

namespace {

/// The values of the rows by category; `column` nullptr: a 1 of each row.
struct Groups {
  std::map<std::string, std::vector<double>> of;
  std::map<std::string, std::vector<std::size_t>> rows;  ///< of the values
  std::vector<double> values;
  std::vector<int> places;  ///< of the values: the number of their group
  std::size_t missing = 0;
};

Groups groups_of(const Rows& rows, const Column& category, const Column* column) {
  Groups all;
  std::map<std::string, int> numbers;
  for (const std::size_t row : rows.rows) {
    const std::string& word = category.words[row];
    if (word.empty() || (column != nullptr && !column->numbers[row])) {
      ++all.missing;
      continue;
    }
    all.values.push_back(column != nullptr ? *column->numbers[row] : 1);
    all.of[word].push_back(all.values.back());
    all.rows[word].push_back(row);
    all.places.push_back(numbers.emplace(word, static_cast<int>(numbers.size())).first->second);
  }
  if (all.values.empty()) throw ToolError("there is no value there");
  return all;
}

/// The least and the most of a group, and when they were.
void put_range(Json& group, const Table& table, const Column& column,
               const std::vector<std::size_t>& rows) {
  const auto value = [&](std::size_t row) { return *column.numbers[row]; };
  const auto least = std::ranges::min_element(rows, {}, value);
  const auto most = std::ranges::max_element(rows, {}, value);
  group.update({{"min", rounded(value(*least))},
                {"min_date", table.when(*least)},
                {"min_line", table.place(*least)},
                {"max", rounded(value(*most))},
                {"max_date", table.when(*most)},
                {"max_line", table.place(*most)}});
}

/// How many events of each value there are, also those that `where` leaves out.
std::map<std::string, std::size_t> counts_of_all(Arguments arguments, const Column& category,
                                                 const Readings& readings) {
  std::map<std::string, std::size_t> counts;
  static_cast<void>(arguments.texts("where"));
  for (const std::size_t row : rows_of(arguments, readings).rows) {
    ++counts[category.words[row]];
  }
  return counts;
}

/// Whether values make a whole of which there are shares: what is below zero is little, a mistake.
bool has_parts(const std::vector<double>& values) {
  double sums[2]{};
  for (const double value : values) sums[value < 0 ? 1 : 0] += std::abs(value);
  return sums[1] < 0.05 * sums[0];
}

void put_largest_first(Json& result, const char* by) {
  Json& groups = result["groups"];
  std::stable_sort(groups.begin(), groups.end(),
                   [&](const Json& a, const Json& b) { return a.at(by) > b.at(by); });
  if (groups.size() <= most_values) return;
  result["not_shown"] = groups.size() - most_values;
  groups.erase(groups.begin() + most_values, groups.end());
}

}  // namespace

Json shares(Arguments& arguments, const Readings& readings) {
  const Table& table = readings.table;
  const Column& category = column_of(arguments, "by", table, category_names(table));
  const auto variable = arguments.text("variable");
  const Column* column = variable ? table.find(*variable) : nullptr;
  if (variable && (column == nullptr || column->kind != Column::Kind::number)) {
    throw ToolError("'variable' names no column of numbers");
  }
  const auto compared = arguments.texts("compared");
  const Arguments given = arguments;
  const Rows rows = rows_of(arguments, readings);
  arguments.end();
  const Groups found = groups_of(rows, category, column);
  const std::vector<double>& values = found.values;
  const bool counts = column == nullptr || column->is_count;
  std::map<std::string, std::size_t> of_all;
  if (counts && !rows.where.empty() && !rows.where.contains(category.name)) {
    of_all = counts_of_all(given, category, readings);
  }
  const double all = mean(values) * static_cast<double>(values.size());
  Json result{{"by", category.name}, {"readings", values.size()}, {"sum", rounded(all)}};
  std::vector<std::size_t> counted;
  for (const auto& [word, of] : found.rows) counted.insert(counted.end(), of.begin(), of.end());
  result["lines"] = table.places(counted);
  if (column != nullptr) {
    result["variable"] = column->name;
    if (column->is_count) result["counts"] = true;
    if (table.has_events) result["events"] = true;
    result["amount"] = column->is_amount;
    if (!column->unit.empty()) result["unit"] = column->unit;
    result["explains"] = rounded(between_groups(values, found.places));
  }
  if (!rows.where.empty()) result["where"] = rows.where;
  if (std::ranges::find(table.keys, category.name) != table.keys.end()) result["key"] = true;
  if (found.missing > 0) result["missing"] = found.missing;
  for (const std::size_t row : rows.rows) {
    if (column == nullptr || column->set_aside.empty() || !column->set_aside[row]) continue;
    result["set_aside"].push_back(*column->set_aside[row]);
  }
  for (const Respelt& one : respelt(category, rows.rows)) {
    result["merged"].push_back({{"value", one.value}, {"count", one.count}, {"like", one.like}});
  }
  const bool has_ranges = column != nullptr && !column->is_count && !table.moments.empty();
  const bool is_parted = column != nullptr && column->is_amount && has_parts(values);
  const bool shareable = column == nullptr || (is_parted && all > 0);
  const bool is_sum = shareable || (column != nullptr && column->is_amount);
  result["groups"] = Json::array();
  for (const auto& [word, of] : found.of) {
    Json group = group_json(word, of, table.places(found.rows.at(word)));
    if (has_ranges) put_range(group, table, *column, found.rows.at(word));
    const double sum = mean(of) * static_cast<double>(of.size());
    if (shareable) group["share"] = rounded(100 * sum / all);
    if (of_all.contains(word)) group["of"] = of_all[word];
    result["groups"].push_back(std::move(group));
  }
  for (const auto& [word, count] : of_all) {
    if (found.of.contains(word) || word.empty()) continue;
    result["groups"].push_back(group_json(word, {0}, ""));
    result["groups"].back().update({{"readings", 0}, {"share", 0}, {"of", count}});
  }
  for (const char* which : {"first", "second"}) {
    const auto group = std::ranges::find_if(result["groups"], [&](const Json& one) {
      return compared.contains(which) && one.at("name") == compared.at(which);
    });
    if (group != result["groups"].end()) result["compared"].push_back(*group);
  }
  if (result.contains("compared") && result["compared"].size() < 2) result.erase("compared");
  put_largest_first(result, is_sum ? "sum" : "mean");
  return result;
}

}  // namespace insights::tool
