// The tool that finds what is wrong with the data.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "insights/figures.hpp"
#include "insights/series.hpp"
#include "insights/tools.hpp"

namespace insights::tool {
namespace {

constexpr std::size_t most_places = 5;
constexpr std::size_t long_run = 6;      // readings that do not change
constexpr std::size_t many_values = 10;  // that a column must have for a run to be strange

Json place_json(const Table& table, std::size_t row) {
  Json json{{"line", table.place(row)}};
  if (!table.moments.empty()) json["date"] = table.when(row);
  for (const std::string& key : table.keys) json["keys"][key] = table.find(key)->words[row];
  return json;
}

Json missing_values(const Table& table, const Rows& rows) {
  Json all = Json::array();
  // Where a column is filled in few rows on purpose, an empty cell is no fault.
  for (const Column& column : table.columns) {
    if (!column.of.empty()) continue;
    Json places = Json::array();
    std::size_t count = 0;
    for (const std::size_t row : rows.rows) {
      const bool number = column.kind == Column::Kind::number;
      if (number ? column.numbers[row].has_value() : !column.words[row].empty()) continue;
      if (++count <= most_places) places.push_back(place_json(table, row));
    }
    if (count == 0) continue;
    all.push_back({{"variable", column.name},
                   {"count", count},
                   {"of", rows.rows.size()},
                   {"places", count * 2 > rows.rows.size() ? Json::array() : places}});
  }
  return all;
}

/// Values below zero in an amount that hardly has any.
Json negative_values(const Table& table, const Rows& rows) {
  Json all = Json::array();
  for (const Column& column : table.columns) {
    if (!column.is_amount) continue;
    Json places = Json::array();
    std::size_t count = 0;
    for (const std::size_t row : rows.rows) {
      if (column.numbers[row].value_or(0) >= 0) continue;
      if (++count > most_places) continue;
      places.push_back(place_json(table, row));
      places.back()["value"] = *column.numbers[row];
    }
    if (count > 0 && count * 20 < rows.rows.size()) {
      all.push_back({{"variable", column.name}, {"count", count}, {"places", places}});
    }
  }
  return all;
}

/// Rows that say the same as another, all cells and the time.
Json repeated_rows(const Table& table, const Rows& rows) {
  std::map<std::string, std::size_t> seen;
  Json places = Json::array();
  for (const std::size_t row : rows.rows) {
    std::string text = table.moments.empty() ? "" : std::to_string(table.moments[row]);
    for (const Column& column : table.columns) {
      const bool number = column.kind == Column::Kind::number;
      text += '\x1f';
      text += !number               ? column.words[row]
              : column.numbers[row] ? Json(*column.numbers[row]).dump()
                                    : "";
    }
    const auto [first, is_new] = seen.emplace(text, row);
    if (is_new) continue;
    places.push_back(place_json(table, row));
    places.back()["first"] = table.place(first->second);
  }
  // Where many rows are alike, that is no mistake: nothing tells them apart.
  return !table.moments.empty() && places.size() * 20 < rows.rows.size() ? places : Json::array();
}

struct Run {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t count = 0;
};

/// The runs of equal values of one group, the longest first.
std::vector<Run> runs_of(const Column& column, const std::vector<std::size_t>& rows) {
  std::vector<Run> runs;
  std::optional<double> before;
  for (const std::size_t row : rows) {
    const auto& value = column.numbers[row];
    if (!value) continue;
    if (before != value) runs.push_back({row, row, 0});
    runs.back().end = row;
    ++runs.back().count;
    before = value;
  }
  std::ranges::stable_sort(runs, std::ranges::greater{}, &Run::count);
  return runs;
}

/// A value that does not change for long, and twice as long as any other of a column that changes.
Json stuck_values(const Table& table, const Rows& rows) {
  Json all = Json::array();
  if (table.moments.empty()) return all;
  std::map<std::vector<std::string>, std::vector<std::size_t>> groups;
  for (const std::size_t row : rows.rows) {
    std::vector<std::string> keys;
    for (const std::string& key : table.keys) keys.push_back(table.find(key)->words[row]);
    groups[keys].push_back(row);
  }
  for (const Column& column : table.columns) {
    if (column.kind != Column::Kind::number || !column.of.empty()) continue;
    const std::set<std::optional<double>> values{column.numbers.begin(), column.numbers.end()};
    if (values.size() < many_values) continue;
    for (const auto& [keys, of] : groups) {
      const std::vector<Run> runs = runs_of(column, of);
      if (runs.size() < 2 || runs[0].count < long_run || runs[0].count < 2 * runs[1].count)
        continue;
      const double value = *column.numbers[runs[0].begin];
      if (value == 0) continue;  // nothing sold, no rain
      Json one = place_json(table, runs[0].begin);
      one["variable"] = column.name;
      if (!column.unit.empty()) one["unit"] = column.unit;
      one["value"] = value;
      one["count"] = runs[0].count;
      one["to"] = table.when(runs[0].end);
      one["next_longest"] = runs[1].count;
      all.push_back(std::move(one));
    }
  }
  return all;
}

/// Steps in time that are longer than usual. Weekdays without any reading are closed days, no gap.
Json gaps(const Table& table, const Rows& rows) {
  Json all{{"gaps", Json::array()}};
  std::vector<Moment> moments;
  std::set<int> open;
  for (const std::size_t row : rows.rows) {
    if (moments.empty() || moments.back() != table.moments[row]) {
      moments.push_back(table.moments[row]);
    }
    open.insert(place_in(Cycle::weekday, table.moments[row]));
  }
  if (moments.size() < 10) return all;
  std::vector<double> steps;
  for (std::size_t i = 1; i < moments.size(); ++i) {
    steps.push_back(static_cast<double>(moments[i] - moments[i - 1]));
  }
  const auto usual = static_cast<Moment>(median(steps));
  const bool daily = usual == day_length;
  if (daily) {
    for (int day = 0; day < 7; ++day) {
      if (moments.size() > 20 && !open.contains(day)) {
        all["closed"].push_back(place_name(Cycle::weekday, day));
      }
    }
  }
  for (std::size_t i = 1; i < moments.size(); ++i) {
    std::int64_t missing = 0;
    for (Moment at = moments[i - 1] + usual; at + usual / 2 < moments[i]; at += usual) {
      missing += daily && !open.contains(place_in(Cycle::weekday, at)) ? 0 : 1;
    }
    if (missing == 0 || all["gaps"].size() == most_places) continue;
    all["gaps"].push_back({{"after", moment_text(moments[i - 1], table.has_clock)},
                           {"before", moment_text(moments[i], table.has_clock)},
                           {"missing", missing}});
  }
  // Readings that come at any time have no gaps.
  if (usual > 31 * day_length || usual <= 0 || quantile(steps, 0.75) > 1.5 * median(steps)) {
    all["gaps"] = Json::array();
  }
  return all;
}

}  // namespace

Json find_faults(Arguments& arguments, const Readings& readings) {
  const Table& table = readings.table;
  const Rows rows = rows_of(arguments, readings);
  arguments.end();
  Json result = table.moments.empty() ? Json{{"gaps", Json::array()}} : gaps(table, rows);
  result["readings"] = rows.rows.size();
  result["missing"] = missing_values(table, rows);
  result["negative"] = negative_values(table, rows);
  result["repeated"] = repeated_rows(table, rows);
  result["stuck"] = stuck_values(table, rows);
  if (!table.problems.empty()) result["problems"] = table.problems;
  if (!readings.left_out.empty()) result["left_out"] = readings.left_out;
  if (!rows.where.empty()) result["where"] = rows.where;
  return result;
}

}  // namespace insights::tool
