// The tools that count what is beyond a limit, and that set two periods against each other.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "insights/figures.hpp"
#include "insights/limit.hpp"
#include "insights/series.hpp"
#include "insights/tools.hpp"
#include "insights/words.hpp"

namespace insights::tool {
namespace {

constexpr std::size_t most_beyond = 5;

Limit limit_of(Arguments& arguments) {
  const auto limit = limit_in(arguments);
  if (!limit) throw ToolError("one of below, above, at_most and at_least is a number");
  return *limit;
}

Json point_json(const Series& series, const Point& point) {
  Json json{{"value", rounded(point.value)}};
  if (series.step == Step::row || series.table->moments.empty()) {
    json["line"] = series.table->place(point.row);
  }
  if (!series.table->moments.empty()) json["date"] = series.when(point);
  const std::vector<std::string> of = series.of(point);
  if (series.step == Step::row && series.table->keys.empty() && !of.empty()) json["of_what"] = of;
  for (const std::string& key : series.table->keys) {
    if (series.step == Step::row && !is_one_value(series.rows.where, key)) {
      json["keys"][key] = series.table->find(key)->words[point.row];
    }
  }
  return json;
}

/// `2015-12`, a day, or `2015-12-01/2015-12-15`: the arguments `from` and `to`.
Json period_named(const std::string& text) {
  const std::size_t mark = text.find('/');
  if (mark == text.npos) return {{"from", text}, {"to", text}};
  return {{"from", text.substr(0, mark)}, {"to", text.substr(mark + 1)}};
}

/// How much of one column a part of it is, in rows that have both; 0: that is not known.
double share_of(const Column& part, const Column& whole, const std::vector<std::size_t>& rows) {
  double sums[2]{};
  for (const std::size_t row : rows) {
    if (!part.numbers[row] || !whole.numbers[row]) continue;
    sums[0] += *part.numbers[row];
    sums[1] += *whole.numbers[row];
  }
  return sums[1] > 0 ? 100 * sums[0] / sums[1] : 0;
}

/// @param whole  the column of which this is a part; nullptr: none
Json period_json(const Readings& readings, const Column& column, const Column* whole, Json of,
                 const std::map<std::string, std::string>& where) {
  if (!where.empty()) of["where"] = where;
  Arguments given{std::move(of)};
  const Series rows = series_of(readings.table, column, rows_of(given, readings), Step::row);
  const Series days = series_of(readings.table, column, rows.rows, Step::day, true);
  const std::vector<double> values = rows.values();
  const double sum = mean(values) * static_cast<double>(values.size());
  const auto count = static_cast<double>(days.points.size());
  Json result{{"from", days.when(days.points.front())},
              {"to", days.when(days.points.back())},
              {"readings", values.size()},
              {"days", days.points.size()},
              {"mean", rounded(mean(values))},
              {"median", rounded(median(values))},
              {"day_mean", rounded(column.is_amount ? sum / count : mean(days.values()))},
              {"sum", rounded(sum)},
              {"lines", rows.places(rows.points)}};
  const Table& table = readings.table;
  const Moment begin =
      std::max(rows.rows.from, table.moments[static_cast<std::size_t>(table.first)]);
  const Moment end = std::min(rows.rows.to, end_of(table.grain, table.moments.back()));
  result["length"] = (day_of(end) - day_of(begin)) / day_length + 1;
  if (whole != nullptr) result["share"] = rounded(share_of(column, *whole, rows.rows.rows));
  return result;
}

/// How many of each value's readings are beyond the limit, the largest share first.
void put_beyond_by(Json& result, const Series& series, const Limit& limit, const std::string& by) {
  const Column* category = series.table->find(by);
  if (category == nullptr || category->kind != Column::Kind::category || series.step != Step::row) {
    throw ToolError("'by' names no category, or is asked of days");
  }
  std::map<std::string, std::pair<std::vector<Point>, std::size_t>> counts;
  for (const Point& point : series.points) {
    auto& [beyond, all] = counts[category->words[point.row]];
    if (limit.has(point.value)) beyond.push_back(point);
    ++all;
  }
  result["by"] = by;
  result["groups"] = Json::array();
  for (const auto& [value, count] : counts) {
    const double share =
        100.0 * static_cast<double>(count.first.size()) / static_cast<double>(count.second);
    result["groups"].push_back({{"name", value},
                                {"count", count.first.size()},
                                {"of", count.second},
                                {"share", rounded(share)},
                                {"lines", series.places(count.first)}});
  }
  std::stable_sort(result["groups"].begin(), result["groups"].end(),
                   [](const Json& a, const Json& b) { return a.at("count") > b.at("count"); });
}

/// The most points in a row that are beyond the limit, where one follows another of the same thing.
void put_longest_run(Json& result, const Series& series, const Limit& limit) {
  std::size_t longest = 0;
  std::size_t end = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    if (series.points[i].group != series.points.front().group) return;
    const bool follows = series.step == Step::row || i == 0 ||
                         series.points[i].moment - series.points[i - 1].moment == day_length;
    if (!follows) count = 0;
    count = limit.has(series.points[i].value) ? count + 1 : 0;
    if (count > longest) {
      longest = count;
      end = i;
    }
  }
  if (longest < 2) return;
  result["longest_run"] = {{"count", longest},
                           {"from", series.when(series.points[end - longest + 1])},
                           {"to", series.when(series.points[end])}};
}

}  // namespace

std::optional<Limit> limit_in(Arguments& arguments) {
  constexpr double none = 1e300;
  std::optional<Limit> found;
  for (const char* name : {"below", "above", "at_most", "at_least"}) {
    const double value = arguments.number(name, none, -none, none);
    if (value == none) continue;
    if (found) throw ToolError("only one of below, above, at_most and at_least is a number");
    found = Limit{name, value};
  }
  return found;
}

Json how_often(Arguments& arguments, const Readings& readings) {
  const Limit limit = limit_of(arguments);
  const Series series = series_in(arguments, readings, false, Step::row);
  const auto by = arguments.text("by");
  arguments.end();
  std::vector<const Point*> beyond;
  std::set<Moment> days;
  for (const Point& point : series.points) {
    if (!limit.has(point.value)) continue;
    beyond.push_back(&point);
    if (!series.table->moments.empty()) days.insert(day_of(point.moment));
  }
  Json result = head_of(series);
  if (by) put_beyond_by(result, series, limit, *by);
  if (!series.table->moments.empty() && beyond.size() > 1) {
    result["first"] = point_json(series, *beyond.front());
    result["last"] = point_json(series, *beyond.back());
    put_longest_run(result, series, limit);
  }
  std::ranges::stable_sort(beyond, [&](const Point* a, const Point* b) {
    return limit.is_low() ? a->value < b->value : a->value > b->value;
  });
  result["limit"] = limit.name;
  result["value"] = limit.value;
  result["count"] = beyond.size();
  result["share"] =
      rounded(100 * static_cast<double>(beyond.size()) / static_cast<double>(series.points.size()));
  if (!days.empty()) result["days"] = days.size();
  result["places"] = Json::array();
  for (const Point* point : beyond) {
    if (result["places"].size() == most_beyond) break;
    result["places"].push_back(point_json(series, *point));
  }
  if (beyond.empty()) {
    const auto [least, most] = std::ranges::minmax_element(series.points, {}, &Point::value);
    result["nearest"] = point_json(series, limit.is_low() ? *least : *most);
  }
  return result;
}

Json compare_periods(Arguments& arguments, const Readings& readings) {
  const Table& table = readings.table;
  if (table.moments.empty()) throw ToolError("the table has no times");
  const Column& column = column_of(arguments, "variable", table, number_names(table));
  const auto first = arguments.text("first");
  const auto second = arguments.text("second");
  if (!first || !second) throw ToolError("'first' and 'second' are periods such as 2015-12");
  const auto where = arguments.texts("where");
  const auto of = arguments.text("of");
  if (of && !table.has_numbers(*of)) throw ToolError("'of' names no column of numbers");
  arguments.end();
  const Column* whole = of ? table.find(*of) : nullptr;
  Json result{{"variable", column.name},
              {"amount", column.is_amount},
              {"step", grain_name(table.grain)},
              {"first", period_json(readings, column, whole, period_named(*first), where)},
              {"second", period_json(readings, column, whole, period_named(*second), where)}};
  if (of) result["of"] = *of;
  result["first"]["name"] = *first;
  result["second"]["name"] = *second;
  if (!column.unit.empty()) result["unit"] = column.unit;
  if (column.is_count) result["counts"] = true;
  if (table.has_events && !column.is_count) result["events"] = true;
  if (!where.empty()) result["where"] = where;
  return result;
}

}  // namespace insights::tool
