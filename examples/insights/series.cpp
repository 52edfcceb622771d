#include "insights/series.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "insights/counters.hpp"
#include "insights/figures.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

bool leaves_keys_open(const Table& table, const Rows& rows) {
  return std::ranges::any_of(
      table.keys, [&](const std::string& key) { return !is_one_value(rows.where, key); });
}

std::vector<Point> row_points(const Table& table, const Column& column, const Rows& rows) {
  std::map<std::vector<std::string>, int> groups;
  std::vector<Point> points;
  for (const std::size_t row : rows.rows) {
    if (!column.numbers[row]) continue;
    std::vector<std::string> keys;
    for (const std::string& key : table.keys) keys.push_back(table.find(key)->words[row]);
    const int group = groups.emplace(keys, static_cast<int>(groups.size())).first->second;
    points.push_back({table.moments.empty() ? static_cast<Moment>(row) : table.moments[row],
                      *column.numbers[row], row, 0, group});
  }
  return points;
}

struct Day {
  double sum = 0;
  std::size_t count = 0;
  std::size_t missing = 0;
  std::size_t row = 0;
};

/// How many rows a day must have: three quarters of what its weekday usually has, or, where that
/// weekday is rare, any day.
std::map<int, double> enough_rows(const std::map<Moment, Day>& days) {
  constexpr std::size_t rare = 3;
  std::vector<double> all;
  std::map<int, std::vector<double>> counts;
  for (const auto& [moment, day] : days) {
    if (day.count == 0) continue;
    all.push_back(static_cast<double>(day.count));
    counts[place_in(Cycle::weekday, moment)].push_back(all.back());
  }
  std::map<int, double> enough;
  for (const auto& [weekday, some] : counts) {
    enough[weekday] = 0.75 * median(some.size() < rare ? all : some);
  }
  return enough;
}

/// What a counter used on each day, also on those between its readings.
std::vector<Point> use_points(const Table& table, const Column& column, const Rows& rows) {
  std::map<Moment, Point> days;
  for (const Use& use : uses_in(table, column, rows)) {
    const Moment day = day_of(use.moment);
    Point& point = days.try_emplace(day, Point{day, 0, use.row, 0, 0}).first->second;
    point.value += *column.numbers[use.row] * use.part;
  }
  std::vector<Point> points;
  for (const auto& [day, point] : days) points.push_back(point);
  return points;
}

std::vector<Point> day_points(const Table& table, const Column& column, const Rows& rows,
                              bool whole) {
  if (!column.spans.empty()) return use_points(table, column, rows);
  std::map<Moment, Day> days;
  for (const std::size_t row : rows.rows) {
    Day& day = days[day_of(table.moments[row])];
    if (day.count + day.missing == 0) day.row = row;
    day.sum += column.numbers[row].value_or(0);
    ++(column.numbers[row] ? day.count : day.missing);
  }
  // What happens at any time has no number of rows that a day must have.
  const bool is_set = table.has_clock && !table.has_events && !whole;
  const std::map<int, double> enough = is_set ? enough_rows(days) : std::map<int, double>{};
  std::vector<Point> points;
  for (const auto& [moment, day] : days) {
    const auto count = static_cast<double>(day.count);
    if (day.count == 0) continue;
    if (is_set && count < enough.at(place_in(Cycle::weekday, moment))) continue;
    points.push_back(
        {moment, column.is_amount ? day.sum : day.sum / count, day.row, day.missing, 0});
  }
  return points;
}

/// The points' values, as distances from the median of their group in its spread, at most 5.
std::vector<double> comparable(const Series& series) {
  std::map<int, std::vector<double>> groups;
  for (const Point& point : series.points) groups[point.group].push_back(point.value);
  std::map<int, std::pair<double, double>> scales;
  for (const auto& [group, values] : groups) {
    const double spread = robust_spread(values);
    scales[group] = {median(values), spread > 0 ? spread : 1};
  }
  std::vector<double> all;
  for (const Point& point : series.points) {
    const auto [middle, spread] = scales[point.group];
    all.push_back(std::clamp((point.value - middle) / spread, -5.0, 5.0));
  }
  return all;
}

}  // namespace

std::vector<double> Series::values() const {
  std::vector<double> all;
  for (std::size_t i = first; i < points.size(); ++i) all.push_back(points[i].value);
  return all;
}

std::string Series::when(const Point& point) const {
  if (table->moments.empty()) return table->place(point.row);
  return step == Step::row ? table->time_text(point.moment) : table->day_text(point.moment);
}

std::string Series::places(const std::vector<Point>& some) const {
  std::vector<std::size_t> found;
  std::set<Moment> days;
  for (const Point& point : some) {
    found.push_back(point.row);
    days.insert(point.moment);
  }
  // A day's figure is that of all its rows; what a counter used is told by its reading.
  if (step == Step::day && column->spans.empty()) {
    found.clear();
    std::ranges::copy_if(rows.rows, std::back_inserter(found), [&](std::size_t row) {
      return column->numbers[row] && days.contains(day_of(table->moments[row]));
    });
  }
  return table->places(found);
}

std::vector<std::string> Series::of(const Point& point) const {
  constexpr std::size_t most = 3;
  std::vector<std::string> all;
  if (!table->names.empty()) all.push_back(table->names[point.row]);
  for (const Column& one : table->columns) {
    const bool is_key = std::ranges::find(table->keys, one.name) != table->keys.end();
    if (one.kind != Column::Kind::category || (!is_key && !table->has_events)) continue;
    const std::string& word = one.words[point.row];
    const bool is_new = std::ranges::find(all, word) == all.end();
    if (!word.empty() && is_new && !is_one_value(rows.where, one.name) && all.size() < most) {
      all.push_back(word);
    }
  }
  return all;
}

Series series_of(const Table& table, const Column& column, Rows rows, Step step, bool whole) {
  Series series{&table, &column, std::move(rows), step, {}, 0, 0, {}};
  if (table.moments.empty()) series.step = Step::row;
  series.points = series.step == Step::day ? day_points(table, column, series.rows, whole)
                                           : row_points(table, column, series.rows);
  const std::size_t first_row = series.rows.rows[series.rows.first];
  const auto begin =
      std::ranges::find_if(series.points, [&](const Point& p) { return p.row >= first_row; });
  series.first = static_cast<std::size_t>(begin - series.points.begin());
  for (std::size_t i = series.rows.first; i < series.rows.rows.size(); ++i) {
    const std::size_t row = series.rows.rows[i];
    const bool is_aside = !column.set_aside.empty() && column.set_aside[row];
    if (is_aside) series.set_aside.push_back(*column.set_aside[row]);
    if (!column.numbers[row] && !is_aside) ++series.missing;
  }
  if (series.first == series.points.size()) {
    throw ToolError(fmt::format("'{}' has no value there", column.name));
  }
  return series;
}

Series series_in(Arguments& arguments, const Readings& readings, bool history,
                 std::optional<Step> usual) {
  const Table& table = readings.table;
  const Column& column = column_of(arguments, "variable", table, number_names(table));
  Rows rows = rows_of(arguments, readings, history);
  const auto said = arguments.text("step");
  if (said && *said != "row" && *said != "day") throw ToolError("'step' is row or day");
  if (column.is_count || is_read_by_day(column)) usual = Step::day;
  const Step open = leaves_keys_open(table, rows) ? Step::day : Step::row;
  const Step step = said ? (*said == "day" ? Step::day : Step::row) : usual.value_or(open);
  return series_of(table, column, std::move(rows), step);
}

Rows with_ends(const Table& table, const Column& column, Rows rows) {
  if (column.between.empty() || column.between[0] != table.time) return rows;
  static const std::map<std::string, double> seconds{
      {"min", 60}, {"h", 3600}, {"days", day_length}};
  std::vector<double> lasted;
  Moment last = 0;
  bool any_open = false;
  for (const std::size_t row : rows.rows) {
    any_open = any_open || column.open[row] == 1;
    last = std::max(last, table.moments[row]);
    if (column.numbers[row]) lasted.push_back(*column.numbers[row] * seconds.at(column.unit));
  }
  if (!any_open || lasted.empty()) return rows;
  const auto turn = last - static_cast<Moment>(quantile(lasted, 0.95));
  Rows some{{}, 0, rows.where};
  for (const std::size_t row : rows.rows) {
    if (table.moments[row] <= turn) some.rows.push_back(row);
  }
  return some.rows.empty() ? rows : some;
}

std::string step_name(const std::vector<Point>& points) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < points.size(); ++i) {
    steps.push_back(static_cast<double>(points[i].moment - points[i - 1].moment));
  }
  const double days = steps.empty() ? 1 : median(steps) / day_length;
  if (days <= 3) return "day";
  if (days == 7) return "week";
  if (days >= 28 && days <= 31) return "month";
  return days >= 365 && days <= 366 ? "year" : "date";
}

nlohmann::json head_of(const Series& series) {
  const Table& table = *series.table;
  nlohmann::json head{{"variable", series.column->name},
                      {"readings", series.points.size() - series.first},
                      {"amount", series.column->is_amount}};
  if (series.column->is_count) head["counts"] = true;
  if (table.has_events) head["events"] = true;
  if (!series.column->unit.empty()) head["unit"] = series.column->unit;
  if (!series.rows.where.empty()) head["where"] = series.rows.where;
  if (series.missing > 0) head["missing"] = series.missing;
  if (!series.set_aside.empty()) head["set_aside"] = series.set_aside;
  const bool joined = table.has_clock || table.has_events || leaves_keys_open(table, series.rows);
  // What happens at any time is told by the day, however far apart the days are.
  if (series.step == Step::day && joined)
    head["step"] = table.has_events ? "day" : step_name(series.points);
  const auto begin = series.points.begin() + static_cast<std::ptrdiff_t>(series.first);
  head["lines"] = series.places({begin, series.points.end()});
  if (!table.moments.empty()) {
    head["from"] = series.when(series.points[series.first]);
    head["to"] = series.when(series.points.back());
    const std::string time = asked_time(table, series.rows);
    if (!time.empty()) head["time"] = time;
  }
  return head;
}

Cycle cycle_of(const Series& series) {
  if (series.table->moments.empty() || series.points.size() < 14) return Cycle::none;
  const Moment span = series.points.back().moment - series.points.front().moment;
  std::vector<Cycle> candidates;
  if (series.table->has_clock && series.step == Step::row && span >= 5 * day_length) {
    candidates.push_back(Cycle::hour);
  }
  std::set<Moment> days;
  for (const Point& point : series.points) days.insert(day_of(point.moment));
  const bool is_dense = span <= 3 * day_length * static_cast<Moment>(days.size());
  if (span >= 20 * day_length && is_dense) candidates.push_back(Cycle::weekday);
  if (span >= 729 * day_length) candidates.push_back(Cycle::month);
  const std::vector<double> values = comparable(series);
  Cycle best = Cycle::none;
  double most = 0.1;
  for (const Cycle cycle : candidates) {
    std::vector<int> places;
    for (const Point& point : series.points) places.push_back(place_in(cycle, point.moment));
    const double chance = (cycle == Cycle::hour      ? 23.0
                           : cycle == Cycle::weekday ? 6.0
                                                     : 11.0) /
                          static_cast<double>(values.size() - 1);
    const double share = between_groups(values, places) - chance;
    if (share > most) {
      most = share;
      best = cycle;
    }
  }
  return best;
}

std::vector<double> usual_of(const Series& series, Cycle cycle) {
  std::map<std::pair<int, int>, std::vector<double>> groups;
  const auto key = [&](const Point& point) {
    return std::pair{point.group, place_in(cycle, point.moment)};
  };
  for (const Point& point : series.points) groups[key(point)].push_back(point.value);
  std::map<std::pair<int, int>, double> medians;
  for (const auto& [at, values] : groups) medians[at] = median(values);
  std::vector<double> usual;
  for (const Point& point : series.points) usual.push_back(medians[key(point)]);
  return usual;
}

}  // namespace insights
