// The tools that compare groups: cycles of time, categories, and columns with each other.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "insights/figures.hpp"
#include "insights/series.hpp"
#include "insights/tools.hpp"

namespace insights::tool {
namespace {

constexpr std::size_t most_values = 24;
constexpr std::size_t least_pairs = 10;
constexpr double clear_relation = 0.5;

Json group_json(const std::string& name, const std::vector<double>& values) {
  return {{"name", name},
          {"readings", values.size()},
          {"mean", rounded(mean(values))},
          {"median", rounded(median(values))},
          {"sum", rounded(mean(values) * static_cast<double>(values.size()))}};
}

/// Each month of the window, `2015-12`, in order; of more than two years each year.
void put_months(Json& result, const Series& series) {
  const Moment span = series.points.back().moment - series.points.front().moment;
  const bool years = span > 2 * 366 * day_length;
  std::map<std::string, std::vector<double>> groups;
  for (const Point& point : series.points) {
    groups[moment_text(point.moment, false).substr(0, years ? 4 : 7)].push_back(point.value);
  }
  if (years) result["by"] = "year";
  result["groups"] = Json::array();
  for (const auto& [name, values] : groups) result["groups"].push_back(group_json(name, values));
}

}  // namespace

Json pattern(Arguments& arguments, const Readings& readings) {
  if (readings.table.moments.empty()) throw ToolError("the table has no times");
  const auto cycle = cycle_named(arguments.text("by").value_or("weekday"));
  if (!cycle) throw ToolError("'by' is hour, weekday or month");
  if (*cycle == Cycle::hour && !readings.table.has_clock) {
    throw ToolError("the times are dates: there are no hours");
  }
  const Series series =
      series_in(arguments, readings, false, *cycle == Cycle::hour ? Step::row : Step::day);
  arguments.end();
  Json result = head_of(series);
  result["by"] = cycle_name(*cycle);
  if (*cycle == Cycle::month) {
    put_months(result, series);
    return result;
  }
  std::map<int, std::vector<double>> groups;
  std::vector<int> places;
  for (const Point& point : series.points) {
    places.push_back(place_in(*cycle, point.moment));
    groups[places.back()].push_back(point.value);
  }
  result["groups"] = Json::array();
  for (const auto& [place, values] : groups) {
    result["groups"].push_back(group_json(place_name(*cycle, place), values));
  }
  result["explains"] = rounded(between_groups(series.values(), places));
  // What as many groups without any difference would explain.
  result["chance"] = rounded(static_cast<double>(groups.size() - 1) /
                             std::max(1.0, static_cast<double>(places.size()) - 1));
  return result;
}

Json shares(Arguments& arguments, const Readings& readings) {
  const Table& table = readings.table;
  const Column& category = column_of(arguments, "by", table, category_names(table));
  const auto variable = arguments.text("variable");
  const Column* column = variable ? table.find(*variable) : nullptr;
  if (variable && (column == nullptr || column->kind != Column::Kind::number)) {
    throw ToolError("'variable' names no column of numbers");
  }
  const Rows rows = rows_of(arguments, readings);
  arguments.end();
  std::map<std::string, std::vector<double>> groups;
  std::vector<double> values;
  std::vector<int> places;
  std::map<std::string, int> numbers;
  std::size_t missing = 0;
  for (const std::size_t row : rows.rows) {
    const std::string& word = category.words[row];
    if (word.empty() || (column != nullptr && !column->numbers[row])) {
      ++missing;
      continue;
    }
    values.push_back(column != nullptr ? *column->numbers[row] : 1);
    groups[word].push_back(values.back());
    places.push_back(numbers.emplace(word, static_cast<int>(numbers.size())).first->second);
  }
  if (values.empty()) throw ToolError("there is no value there");
  const double all = mean(values) * static_cast<double>(values.size());
  Json result{{"by", category.name}, {"readings", values.size()}, {"sum", rounded(all)}};
  if (column != nullptr) {
    result["variable"] = column->name;
    result["amount"] = column->is_amount;
    if (!column->unit.empty()) result["unit"] = column->unit;
    result["explains"] = rounded(between_groups(values, places));
  }
  if (!rows.where.empty()) result["where"] = rows.where;
  if (std::ranges::find(table.keys, category.name) != table.keys.end()) result["key"] = true;
  if (missing > 0) result["missing"] = missing;
  const bool shareable = column == nullptr || (column->is_amount && all > 0);
  result["groups"] = Json::array();
  for (const auto& [word, of] : groups) {
    Json group = group_json(word, of);
    const double sum = mean(of) * static_cast<double>(of.size());
    if (shareable) group["share"] = rounded(100 * sum / all);
    result["groups"].push_back(std::move(group));
  }
  const char* by_what = shareable ? "sum" : "mean";
  std::stable_sort(result["groups"].begin(), result["groups"].end(),
                   [&](const Json& a, const Json& b) { return a.at(by_what) > b.at(by_what); });
  const std::size_t count = groups.size();
  if (count > most_values) {
    Json first(result["groups"].begin(), result["groups"].begin() + most_values);
    result["groups"] = std::move(first);
    result["not_shown"] = count - most_values;
  }
  return result;
}

Json related(Arguments& arguments, const Readings& readings) {
  const Table& table = readings.table;
  const auto variable = arguments.text("variable");
  if (variable && table.find(*variable) == nullptr) {
    throw ToolError("'variable' names no column of numbers");
  }
  const Rows rows = rows_of(arguments, readings);
  arguments.end();
  // What a mean is made of says the same as the mean.
  std::set<std::string> parts;
  for (const Column& column : table.columns) parts.insert(column.of.begin(), column.of.end());
  // Rows of several keys at one time are no pairs of one thing: their days are.
  const bool by_day = !table.keys.empty();
  Json result{{"readings", rows.rows.size()}, {"pairs", Json::array()}};
  std::vector<std::pair<const Column*, std::map<std::pair<Moment, std::size_t>, double>>> all;
  for (const Column& column : table.columns) {
    if (column.kind != Column::Kind::number || parts.contains(column.name)) continue;
    try {
      const Series series = series_of(table, column, rows, by_day ? Step::day : Step::row);
      if (by_day) result["step"] = step_name(series.points);
      auto& values = all.emplace_back(&column, std::map<std::pair<Moment, std::size_t>, double>{});
      for (const Point& point : series.points) {
        values.second[{point.moment, by_day ? 0 : point.row}] = point.value;
      }
    } catch (const ToolError&) {  // it has no value in these rows
    }
  }
  if (!rows.where.empty()) result["where"] = rows.where;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t k = i + 1; k < all.size(); ++k) {
      const Column& a = *all[i].first;
      const Column& b = *all[k].first;
      if (variable && a.name != *variable && b.name != *variable) continue;
      std::vector<double> x;
      std::vector<double> y;
      for (const auto& [at, value] : all[i].second) {
        const auto other = all[k].second.find(at);
        if (other == all[k].second.end()) continue;
        x.push_back(value);
        y.push_back(other->second);
      }
      if (x.size() < least_pairs) continue;
      const double rho = rank_correlation(x, y);
      if (std::abs(rho) < clear_relation) continue;
      const bool turned = a.name == variable;  // what was asked for comes last
      result["pairs"].push_back({{"a", turned ? b.name : a.name},
                                 {"b", turned ? a.name : b.name},
                                 {"rho", rounded(rho)},
                                 {"readings", x.size()}});
    }
  }
  const auto strength = [](const Json& pair) { return std::abs(pair.at("rho").get<double>()); };
  std::stable_sort(result["pairs"].begin(), result["pairs"].end(),
                   [&](const Json& a, const Json& b) { return strength(a) > strength(b); });
  return result;
}

}  // namespace insights::tool
