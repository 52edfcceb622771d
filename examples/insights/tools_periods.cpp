// The tools that count what is beyond a limit, and that set two periods against each other.
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "insights/figures.hpp"
#include "insights/series.hpp"
#include "insights/tools.hpp"

namespace insights::tool {
namespace {

constexpr std::size_t most_beyond = 5;
constexpr double no_limit = 1e300;

struct Limit {
  std::string name;
  double value = 0;

  [[nodiscard]] bool is_low() const { return name == "below" || name == "at_most"; }
  [[nodiscard]] bool has(double number) const {
    if (name == "below") return number < value;
    if (name == "at_most") return number <= value;
    return name == "above" ? number > value : number >= value;
  }
};

Limit limit_of(Arguments& arguments) {
  std::vector<Limit> found;
  for (const char* name : {"below", "above", "at_most", "at_least"}) {
    const double value = arguments.number(name, no_limit, -no_limit, no_limit);
    if (value != no_limit) found.push_back({name, value});
  }
  if (found.size() != 1) throw ToolError("one of below, above, at_most and at_least is a number");
  return found.front();
}

Json point_json(const Series& series, const Point& point) {
  Json json{{"value", rounded(point.value)}};
  if (series.step == Step::row || series.table->moments.empty()) {
    json["line"] = series.table->place(point.row);
  }
  if (!series.table->moments.empty()) json["date"] = series.when(point);
  for (const std::string& key : series.table->keys) {
    if (series.step == Step::row && !series.rows.where.contains(key)) {
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

Json period_json(const Readings& readings, const Column& column, Json of,
                 const std::map<std::string, std::string>& where) {
  if (!where.empty()) of["where"] = where;
  Arguments given{std::move(of)};
  const Series rows = series_of(readings.table, column, rows_of(given, readings), Step::row);
  const Series days = series_of(readings.table, column, rows.rows, Step::day, true);
  const std::vector<double> values = rows.values();
  const double sum = mean(values) * static_cast<double>(values.size());
  const auto count = static_cast<double>(days.points.size());
  return {{"from", days.when(days.points.front())},
          {"to", days.when(days.points.back())},
          {"readings", values.size()},
          {"days", days.points.size()},
          {"mean", rounded(mean(values))},
          {"median", rounded(median(values))},
          {"day_mean", rounded(column.is_amount ? sum / count : mean(days.values()))},
          {"sum", rounded(sum)}};
}

}  // namespace

Json how_often(Arguments& arguments, const Readings& readings) {
  const Limit limit = limit_of(arguments);
  const Series series = series_in(arguments, readings, false, Step::row);
  arguments.end();
  std::vector<const Point*> beyond;
  std::set<Moment> days;
  for (const Point& point : series.points) {
    if (!limit.has(point.value)) continue;
    beyond.push_back(&point);
    if (!series.table->moments.empty()) days.insert(day_of(point.moment));
  }
  std::ranges::stable_sort(beyond, [&](const Point* a, const Point* b) {
    return limit.is_low() ? a->value < b->value : a->value > b->value;
  });
  Json result = head_of(series);
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
  arguments.end();
  Json result{{"variable", column.name},
              {"amount", column.is_amount},
              {"first", period_json(readings, column, period_named(*first), where)},
              {"second", period_json(readings, column, period_named(*second), where)}};
  result["first"]["name"] = *first;
  result["second"]["name"] = *second;
  if (!column.unit.empty()) result["unit"] = column.unit;
  if (column.is_count) result["counts"] = true;
  if (!where.empty()) result["where"] = where;
  return result;
}

}  // namespace insights::tool
