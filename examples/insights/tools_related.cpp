// Which columns rise and fall together, also those of tables that stand beside each other.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include <nlohmann/json.hpp>

#include "insights/figures.hpp"
#include "insights/series.hpp"
#include "insights/tools.hpp"

namespace insights::tool {
namespace {

constexpr std::size_t least_pairs = 10;
constexpr double clear_relation = 0.5;

/// The rows of another table in the time of these.
Rows rows_between(const Table& other, const Rows& rows, const Table& table) {
  Rows found;
  const Moment from = day_of(table.moments[rows.rows.front()]);
  const Moment to = day_of(table.moments[rows.rows.back()]) + day_length;
  for (std::size_t row = 0; row < other.rows(); ++row) {
    if (other.moments[row] >= from && other.moments[row] < to) found.rows.push_back(row);
  }
  if (found.rows.empty()) found.rows.push_back(0);
  return found;
}

/// A column's values by their time and, where several rows of one time are compared, their row.
struct Values {
  const Column* column = nullptr;
  std::map<std::pair<Moment, std::size_t>, double> at;
};

/// The columns of numbers, those of tables beside this one by day.
/// @param of_rows  rows are wanted, also those of several keys at one time
std::vector<Values> values_of(const Readings& readings, const Rows& rows, bool of_rows,
                              Json& result) {
  const Table& table = readings.table;
  // What a mean is made of says the same as the mean.
  std::set<std::string> parts;
  for (const Column& column : table.columns) parts.insert(column.of.begin(), column.of.end());
  // Rows of several keys at one time are no pairs of one thing: their days are.
  const bool by_day = !of_rows && (!table.keys.empty() || !readings.beside.empty());
  std::vector<Values> all;
  const auto add = [&](const Table& of, const Column& column, const Rows& its) {
    if (column.kind != Column::Kind::number || parts.contains(column.name)) return;
    try {
      const Series series = series_of(of, column, its, by_day ? Step::day : Step::row);
      if (by_day) result["step"] = step_name(series.points);
      Values& values = all.emplace_back(Values{&column, {}});
      for (const Point& point : series.points) {
        values.at[{point.moment, by_day ? 0 : point.row}] = point.value;
      }
    } catch (const ToolError&) {  // it has no value in these rows
    }
  };
  for (const Column& column : table.columns) add(table, column, rows);
  for (const Table& other : readings.beside) {
    if (of_rows) break;
    if (table.moments.empty() || other.moments.empty()) continue;  // no days to compare
    for (const Column& column : other.columns) add(other, column, rows_between(other, rows, table));
  }
  return all;
}

/// The values of both at the times that both have.
std::pair<std::vector<double>, std::vector<double>> paired(const Values& a, const Values& b) {
  std::pair<std::vector<double>, std::vector<double>> pairs;
  for (const auto& [at, value] : a.at) {
    const auto other = b.at.find(at);
    if (other == b.at.end()) continue;
    pairs.first.push_back(value);
    pairs.second.push_back(other->second);
  }
  return pairs;
}

std::vector<double> changes_of(const std::vector<double>& values) {
  std::vector<double> changes;
  for (std::size_t i = 1; i < values.size(); ++i) changes.push_back(values[i] - values[i - 1]);
  return changes;
}

/// Whether values rise, or fall, all the time.
bool has_trend(const std::vector<double>& values) {
  constexpr double steady = 0.8;
  std::vector<double> places(values.size());
  std::iota(places.begin(), places.end(), 0.0);
  return std::abs(rank_correlation(places, values)) >= steady;
}

/// Of two columns that nowhere fall below zero, the one that never exceeds the other as its part:
/// their sums over the rows that have both. null: neither is.
Json part_of_whole(const Rows& rows, const Column& a, const Column& b) {
  double sums[2]{};
  bool is_less[2]{true, true};
  for (const std::size_t row : rows.rows) {
    if (!a.numbers[row] || !b.numbers[row]) continue;
    const double values[2]{*a.numbers[row], *b.numbers[row]};
    if (values[0] < 0 || values[1] < 0) return nullptr;
    for (const int i : {0, 1}) {
      sums[i] += values[i];
      is_less[i] = is_less[i] && values[i] <= values[1 - i];
    }
  }
  if (is_less[0] == is_less[1] || a.unit != b.unit) return nullptr;
  const int part = is_less[0] ? 0 : 1;
  return {{"part", part == 0 ? a.name : b.name},
          {"whole", part == 0 ? b.name : a.name},
          {"part_sum", rounded(sums[part])},
          {"whole_sum", rounded(sums[1 - part])},
          {"unit", a.unit},
          {"share", rounded(100 * sums[part] / sums[1 - part])}};
}

}  // namespace

Json related(Arguments& arguments, const Readings& readings) {
  const Table& table = readings.table;
  const auto variable = arguments.text("variable");
  const auto with = arguments.text("with");
  for (const auto& name : {variable, with}) {
    const auto has = [&](const Table& one) { return one.has_numbers(*name); };
    if (name && !has(table) && std::ranges::none_of(readings.beside, has)) {
      throw ToolError("'variable' and 'with' name a column of numbers");
    }
  }
  const bool of_rows = arguments.text("step") == "row";
  const Rows rows = rows_of(arguments, readings);
  arguments.end();
  Json result{{"readings", rows.rows.size()}, {"pairs", Json::array()}};
  const std::vector<Values> all = values_of(readings, rows, of_rows, result);
  if (!rows.where.empty()) result["where"] = rows.where;
  const bool has_times = !table.moments.empty();
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t k = i + 1; k < all.size(); ++k) {
      const Column& a = *all[i].column;
      const Column& b = *all[k].column;
      if (variable && a.name != *variable && b.name != *variable) continue;
      if (with && a.name != *with && b.name != *with) continue;
      // Two times to or from the same date say little of each other.
      if (!a.between.empty() && !b.between.empty()) continue;
      const auto [x, y] = paired(all[i], all[k]);
      if (x.size() < least_pairs) continue;
      // Two that rise all the time are related in any case: see Granger and Newbold, Spurious
      // Regressions in Econometrics, 1974.
      const bool of_changes = !of_rows && has_times && has_trend(x) && has_trend(y);
      const double rho =
          of_changes ? rank_correlation(changes_of(x), changes_of(y)) : rank_correlation(x, y);
      // A pair that was asked for is told of in any case.
      if (std::abs(rho) < clear_relation && !(variable && with)) continue;
      const bool turned = a.name == variable;  // what was asked for comes last
      result["pairs"].push_back({{"a", turned ? b.name : a.name},
                                 {"b", turned ? a.name : b.name},
                                 {"rho", rounded(rho)},
                                 {"readings", x.size()}});
      if (of_changes) result["pairs"].back()["changes"] = true;
    }
  }
  if (variable && with && !of_rows && table.has_numbers(*variable) && table.has_numbers(*with)) {
    const Json part = part_of_whole(rows, *table.find(*variable), *table.find(*with));
    if (!part.is_null()) result["part_of"] = part;
  }
  const auto strength = [](const Json& pair) { return std::abs(pair.at("rho").get<double>()); };
  std::stable_sort(result["pairs"].begin(), result["pairs"].end(),
                   [&](const Json& a, const Json& b) { return strength(a) > strength(b); });
  return result;
}

}  // namespace insights::tool
