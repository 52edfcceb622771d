// The tool that finds what is wrong with the data.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "insights/ends.hpp"
#include "insights/figures.hpp"
#include "insights/gaps.hpp"
#include "insights/quiet.hpp"
#include "insights/series.hpp"
#include "insights/spellings.hpp"
#include "insights/tools.hpp"
#include "insights/words.hpp"

namespace insights::tool {
namespace {

constexpr std::size_t most_places = 5;
constexpr std::size_t long_run = 6;      // readings that do not change
constexpr std::size_t many_values = 10;  // that a column must have for a run to be strange

Json place_json(const Table& table, std::size_t row) {
  Json json{{"line", table.place(row)}};
  if (!table.names.empty()) json["name"] = table.names[row];
  if (!table.moments.empty()) json["date"] = table.when(row);
  for (const std::string& key : table.keys) json["keys"][key] = table.find(key)->words[row];
  return json;
}

bool is_filled(const Column& column, std::size_t row) {
  if (!column.set_aside.empty() && column.set_aside[row]) return true;
  return column.kind == Column::Kind::number ? column.numbers[row].has_value()
                                             : !column.words[row].empty();
}

/// The category of which some values never have a cell here and the others always have: a wait of
/// those who did not come. null: there is none.
Json only_where(const Table& table, const Column& column, const Rows& rows) {
  constexpr std::size_t fewest = 5;  // rows of a value without a cell
  for (const Column& category : table.columns) {
    if (category.kind != Column::Kind::category || &category == &column) continue;
    std::map<std::string, std::size_t> empty;
    std::set<std::string> filled;
    for (const std::size_t row : rows.rows) {
      if (is_filled(column, row)) {
        filled.insert(category.words[row]);
      } else {
        ++empty[category.words[row]];
      }
    }
    const bool is_apart = std::ranges::all_of(empty, [&](const auto& value) {
      return !value.first.empty() && value.second >= fewest && !filled.contains(value.first);
    });
    if (!is_apart || filled.empty()) continue;
    Json values = Json::array();
    for (const auto& [value, count] : empty) values.push_back(value);
    return {{"column", category.name}, {"values", values}};
  }
  return nullptr;
}

Json missing_values(const Table& table, const Rows& rows) {
  Json all = Json::array();
  // What tells how something ended is missing where it has not, which is no fault.
  const auto is_open = [&](std::size_t row) {
    return std::ranges::any_of(table.columns, [&](const Column& column) {
      return !column.open.empty() && column.open[row] == 1;
    });
  };
  // Where a column is filled now and then on purpose, as notes about events are, an empty cell is
  // no fault.
  const std::size_t most = rows.rows.size() / (table.has_events ? 10 : 2);
  for (const Column& column : table.columns) {
    if (!column.of.empty() || !column.between.empty() || column.is_of_parent) continue;
    Json places = Json::array();
    std::size_t count = 0;
    std::size_t last = 0;
    const bool is_ending = !table.ending_of(column).empty();
    for (const std::size_t row : rows.rows) {
      if (is_filled(column, row) || (is_ending && is_open(row))) continue;
      last = row;
      if (++count <= most_places) places.push_back(place_json(table, row));
    }
    const bool is_rare = column.kind == Column::Kind::category && count > most;
    if (count == 0 || is_rare) continue;
    all.push_back({{"variable", column.name},
                   {"count", count},
                   {"of", rows.rows.size()},
                   {"places", count > most ? Json::array() : places}});
    const Json only = only_where(table, column, rows);
    if (!only.is_null()) {
      all.back()["only"] = only;
    } else if (count > most_places && count <= most) {
      all.back()["last"] = place_json(table, last);
    }
  }
  return all;
}

/// Temperatures, balances, differences: what is below zero now and then.
bool may_be_negative(const Column& column) {
  const auto parts = words_in(column.name);
  return !column.between.empty() || words().has("signed units", column.unit) ||
         std::ranges::any_of(parts,
                             [](const std::string& part) { return words().has("signed", part); });
}

/// Values below zero in what hardly has any.
Json negative_values(const Table& table, const Rows& rows) {
  Json all = Json::array();
  for (const Column& column : table.columns) {
    if (column.kind != Column::Kind::number || may_be_negative(column)) continue;
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

/// Rows that were left out because they say the same as another.
Json repeated_rows(const Table& table, const Rows& rows) {
  Json places = Json::array();
  for (const std::size_t row : rows.rows) {
    if (table.again.empty()) break;
    for (const std::string& place : table.again[row]) {
      Json one = place_json(table, row);
      one["first"] = one["line"];
      one["line"] = place;
      places.push_back(std::move(one));
    }
  }
  return places;
}

/// Numbers that were set aside, those of a column together.
Json mistakes(const Table& table, const Rows& rows) {
  Json all = Json::array();
  for (const Column& column : table.columns) {
    Json places = Json::array();
    std::vector<double> others;
    for (const std::size_t row : rows.rows) {
      if (!column.set_aside.empty() && column.set_aside[row]) {
        places.push_back(place_json(table, row));
        places.back()["value"] = *column.set_aside[row];
      } else if (!column.set_aside.empty() && column.numbers[row]) {
        others.push_back(*column.numbers[row]);
      }
    }
    if (places.empty() || others.empty()) continue;
    all.push_back({{"variable", column.name},
                   {"count", places.size()},
                   {"usual", rounded(median(others))},
                   {"low", rounded(quantile(others, 0))},
                   {"high", rounded(quantile(others, 1))},
                   {"places", std::move(places)}});
    if (!column.unit.empty()) all.back()["unit"] = column.unit;
  }
  return all;
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
    if (column.kind != Column::Kind::number || !column.of.empty() || !column.between.empty()) {
      continue;
    }
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

/// Zeros of a column that is otherwise well above zero, and has few of them.
Json rare_zeros(const Table& table, const Rows& rows) {
  constexpr std::size_t enough = 50;
  constexpr double few = 0.02;   // of the values
  constexpr double well = 0.15;  // of the median
  Json all = Json::array();
  for (const Column& column : table.columns) {
    if (column.kind != Column::Kind::number || column.is_count || !column.between.empty() ||
        words().has("signed units", column.unit))
      continue;
    std::vector<double> others;
    std::vector<std::size_t> zeros;
    for (const std::size_t row : rows.rows) {
      if (!column.numbers[row]) continue;
      if (*column.numbers[row] == 0) {
        zeros.push_back(row);
      } else {
        others.push_back(*column.numbers[row]);
      }
    }
    if (zeros.empty() || others.size() < enough) continue;
    const double least = *std::ranges::min_element(others);
    if (static_cast<double>(zeros.size()) > few * static_cast<double>(others.size()) ||
        least < well * median(others))
      continue;
    Json one{{"variable", column.name},
             {"count", zeros.size()},
             {"of", zeros.size() + others.size()},
             {"least", rounded(least)},
             {"places", Json::array()}};
    if (!column.unit.empty()) one["unit"] = column.unit;
    for (const std::size_t row : zeros) {
      if (one["places"].size() < most_places) one["places"].push_back(place_json(table, row));
    }
    all.push_back(std::move(one));
  }
  return all;
}

/// Values of categories that count as another, which they are like.
Json spellings(const Table& table, const Rows& rows) {
  constexpr std::size_t most_spellings = 5;
  Json all = Json::array();
  for (const Column& column : table.columns) {
    for (const Respelt& one : respelt(column, rows.rows)) {
      if (all.size() == most_spellings) break;
      all.push_back({{"variable", column.name},
                     {"value", one.value},
                     {"like", one.like},
                     {"count", one.count},
                     {"line", table.place(one.row)}});
    }
  }
  return all;
}

}  // namespace

Json find_faults(Arguments& arguments, const Readings& readings) {
  const Table& table = readings.table;
  Arguments of_all = arguments;
  const Rows rows = rows_of(arguments, readings);
  arguments.end();
  Json result = table.moments.empty() ? Json{{"gaps", Json::array()}} : gaps(table, rows.rows);
  result["readings"] = rows.rows.size();
  if (!table.moments.empty()) result["quiet"] = quiet_times(table, rows.rows);
  result["zeros"] = rare_zeros(table, rows);
  result["missing"] = missing_values(table, rows);
  result["negative"] = negative_values(table, rows);
  result["repeated"] = repeated_rows(table, rows);
  result["mistakes"] = mistakes(table, rows);
  result["stuck"] = stuck_values(table, rows);
  result["spellings"] = spellings(table, rows);
  if (!table.moments.empty()) {
    static_cast<void>(of_all.texts("where"));  // the others show when the table begins and ends
    result["ends"] = ends(table, rows_of(of_all, readings, true), rows.where);
  }
  if (!table.problems.empty()) result["problems"] = table.problems;
  if (!readings.left_out.empty()) result["left_out"] = readings.left_out;
  if (!rows.where.empty()) result["where"] = rows.where;
  return result;
}

}  // namespace insights::tool
