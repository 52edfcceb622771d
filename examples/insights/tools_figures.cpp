// The tools that give figures: readings, statistics, trend, and comparisons.
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "insights/figures.hpp"
#include "insights/series.hpp"
#include "insights/tools.hpp"
#include "insights/usual.hpp"

namespace insights::tool {
namespace {

constexpr std::size_t most_rows = 31;

Json row_json(const Table& table, std::size_t row) {
  Json json = Json::object();
  if (!table.moments.empty()) json[table.has_clock ? "time" : "date"] = table.when(row);
  for (const Column& column : table.columns) {
    if (!column.of.empty() || column.is_count) continue;
    const bool number = column.kind == Column::Kind::number;
    const bool missing = number ? !column.numbers[row] : column.words[row].empty();
    if (missing) {
      json[column.name] = nullptr;
    } else if (number) {
      json[column.name] = *column.numbers[row];
    } else {
      json[column.name] = column.words[row];
    }
  }
  json["line"] = table.place(row);
  return json;
}

void put_extreme(Json& result, const Series& series, const std::string& name, const Point& point) {
  result[name] = rounded(point.value);
  if (!series.table->moments.empty()) result[name + "_date"] = series.when(point);
  result[name + "_line"] = series.places({point});
  if (series.step == Step::row) {
    const std::vector<std::string> of = series.of(point);
    if (!of.empty()) result[name + "_of"] = of;
  }
  if (point.missing > 0) result[name + "_empty_cells"] = point.missing;
}

/// Of events, how many days there are in the time that was asked about, those without any too, but
/// for weekdays that never have one.
std::size_t all_days(const Series& series, const Readings& readings) {
  const Table& table = *series.table;
  const auto first = static_cast<std::size_t>(table.first);
  std::set<int> open;
  for (const Moment moment : table.moments) open.insert(place_in(Cycle::weekday, moment));
  const Moment from = std::max(series.rows.from, day_of(table.moments[first]));
  const Moment to = std::min(series.rows.to, readings.table.moments.back());
  std::size_t days = 0;
  for (Moment day = day_of(from); day <= to; day += day_length) {
    if (open.contains(place_in(Cycle::weekday, day)) && is_open_on(series.rows.where, day)) ++days;
  }
  return days;
}

/// The days with the least and the most, where days have several readings: sums of an amount, means
/// of a level.
void put_days(Json& result, const Series& rows) {
  const Table& table = *rows.table;
  if (table.moments.empty()) return;
  const Series days = series_of(table, *rows.column, rows.rows, Step::day);
  if (days.points.size() < 2 || days.points.size() == rows.points.size()) return;
  const auto [least, most] = std::ranges::minmax_element(days.points, {}, &Point::value);
  put_extreme(result, days, "day_min", *least);
  put_extreme(result, days, "day_max", *most);
  result["day_mean"] = rounded(mean(days.values()));
  result["day_step"] = step_name(days.points);
  result["days"] = days.points.size();
}

/// Mean and sum of what a column has from one moment to another; nullopt: no reading.
std::optional<Json> period(const Series& series, Moment from, Moment to) {
  std::vector<double> values;
  std::vector<Point> points;
  for (const Point& point : series.points) {
    if (point.moment < from || point.moment >= to) continue;
    values.push_back(point.value);
    points.push_back(point);
  }
  if (values.empty()) return std::nullopt;
  return Json{{"from", moment_text(from, false)},
              {"to", moment_text(to - day_length, false)},
              {"readings", values.size()},
              {"mean", rounded(mean(values))},
              {"sum", rounded(mean(values) * static_cast<double>(values.size()))},
              {"lines", series.places(points)}};
}

}  // namespace

Json query_window(Arguments& arguments, const Readings& readings) {
  const Rows rows = rows_of(arguments, readings);
  arguments.end();
  Json result{{"readings", rows.rows.size()}, {"rows", Json::array()}};
  for (const std::size_t row : rows.rows) {
    if (result["rows"].size() < most_rows) result["rows"].push_back(row_json(readings.table, row));
  }
  if (rows.rows.size() > most_rows) result["not_shown"] = rows.rows.size() - most_rows;
  return result;
}

Json statistics(Arguments& arguments, const Readings& readings) {
  const Series series = series_in(arguments, readings, false, Step::row);
  arguments.end();
  const std::vector<double> values = series.values();
  const auto least = std::ranges::min_element(series.points, {}, &Point::value);
  const auto most = std::ranges::max_element(series.points, {}, &Point::value);
  Json result = head_of(series);
  result["mean"] = rounded(mean(values));
  result["median"] = rounded(median(values));
  result["deviation"] = rounded(deviation(values));
  result["p10"] = rounded(quantile(values, 0.1));
  result["p90"] = rounded(quantile(values, 0.9));
  result["sum"] = rounded(mean(values) * static_cast<double>(values.size()));
  put_extreme(result, series, "min", *least);
  put_extreme(result, series, "max", *most);
  if (series.step == Step::row) put_days(result, series);
  const Table& table = readings.table;
  if (table.has_events && series.column->is_amount && !table.moments.empty()) {
    const std::size_t days = all_days(series, readings);
    const std::size_t with_any = result.value("days", series.points.size());
    if (days > with_any) {
      result["all_days"] = days;
      result["rate"] = rounded(result.at("sum").get<double>() / static_cast<double>(days));
    }
  }
  return result;
}

Json trend(Arguments& arguments, const Readings& readings) {
  const Series all = series_in(arguments, readings, false);
  arguments.end();
  const Series series =
      series_of(*all.table, *all.column, with_ends(*all.table, *all.column, all.rows), all.step);
  const std::vector<double> values = series.values();
  std::vector<double> days;
  for (const Point& point : series.points) {
    const auto since = static_cast<double>(point.moment - series.points.front().moment);
    days.push_back(series.table->moments.empty() ? since : since / day_length);
  }
  if (values.size() < 3 || days.back() <= 0) {
    throw ToolError("a trend needs at least 3 days, or 3 readings at different times");
  }
  const Line line = fit(days, values);
  Json result = head_of(series);
  result[series.table->moments.empty() ? "per_row" : "per_day"] = rounded(line.slope);
  result["change"] = rounded(line.slope * days.back());
  result["r2"] = rounded(line.r2);
  result["first"] = rounded(values.front());
  result["last"] = rounded(values.back());
  result["first_line"] = series.places({series.points.front()});
  result["last_line"] = series.places({series.points.back()});
  return result;
}

Json compare_normals(Arguments& arguments, const Readings& readings) {
  if (readings.usual.empty()) {
    throw ToolError(fmt::format("there are no normals of '{}'", readings.system_id));
  }
  std::vector<std::string> known;
  for (const Usual& usual : readings.usual) known.push_back(usual.column);
  const Column& column = column_of(arguments, "variable", readings.table, known);
  const Rows rows = rows_of(arguments, readings);
  arguments.end();
  const Series series =
      series_of(readings.table, column, rows, readings.table.has_clock ? Step::day : Step::row);
  const Usual& usual = *std::ranges::find(readings.usual, column.name, &Usual::column);
  std::vector<Json> departures;
  std::vector<double> differences;
  for (const Point& point : series.points) {
    const auto normal = usual_at(usual, point.moment);
    if (!normal) continue;
    differences.push_back(point.value - *normal);
    departures.push_back({{"date", series.when(point)},
                          {"value", rounded(point.value)},
                          {"normal", rounded(*normal)},
                          {"difference", rounded(differences.back())},
                          {"line", series.table->place(point.row)}});
  }
  if (departures.empty()) throw ToolError("there are no normals of these days");
  const auto [lowest, highest] = std::ranges::minmax_element(differences);
  Json result = head_of(series);
  result["source"] = usual.source;
  result["without_normal"] = series.points.size() - departures.size();
  result["mean_difference"] = rounded(mean(differences));
  result["days_above"] = std::ranges::count_if(differences, [](double d) { return d > 0; });
  result["highest"] = departures[static_cast<std::size_t>(highest - differences.begin())];
  result["lowest"] = departures[static_cast<std::size_t>(lowest - differences.begin())];
  return result;
}

Json compare_before(Arguments& arguments, const Readings& readings) {
  if (readings.table.moments.empty()) throw ToolError("the table has no times");
  const Series series = series_in(arguments, readings, true, Step::day);
  arguments.end();
  const Moment begin = day_of(series.points[series.first].moment);
  const Moment end = day_of(series.points.back().moment) + day_length;
  const auto now = period(series, begin, end);
  Json result = head_of(series);
  result["window"] = *now;
  const auto put = [&](const char* name, Moment back) {
    const auto then = period(series, begin - back, end - back);
    // Fewer than nine tenths of as many days say nothing about them.
    if (!then || then->at("readings").get<double>() < 0.9 * now->at("readings").get<double>())
      return;
    result[name] = *then;
    result[name]["difference"] =
        rounded(now->at("mean").get<double>() - then->at("mean").get<double>());
  };
  put("before", end - begin);
  if (end - begin <= 365 * day_length) put("year_before", 365 * day_length);
  if (!result.contains("before") && !result.contains("year_before")) {
    throw ToolError("there are no readings before the window to compare with");
  }
  return result;
}

}  // namespace insights::tool
