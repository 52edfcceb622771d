#include "insights/quiet.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <nlohmann/json.hpp>

#include "insights/figures.hpp"

namespace insights::tool {
namespace {

using Json = nlohmann::json;

constexpr std::size_t fewest_events = 10;  // events
constexpr std::size_t most_told = 24;      // of a category
constexpr double by_chance = 0.01;

Json stretch(const Table& table, std::size_t after, std::size_t before) {
  const Moment length = table.moments[before] - table.moments[after];
  return {{"after", table.when(after)},
          {"before", table.when(before)},
          {"days", rounded(static_cast<double>(length) / day_length)}};
}

/// The longest time between two events that follow each other. Times between events that come at
/// random are exponential: so many of them would be as long.
Json longest(const Table& table, const std::vector<std::size_t>& rows) {
  std::vector<double> lengths;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    lengths.push_back(static_cast<double>(table.moments[rows[i]] - table.moments[rows[i - 1]]));
  }
  const auto most = std::ranges::max_element(lengths);
  const auto at = static_cast<std::size_t>(most - lengths.begin());
  Json one = stretch(table, rows[at], rows[at + 1]);
  const double expected =
      static_cast<double>(lengths.size()) * std::exp(-*most / std::max(1.0, mean(lengths)));
  if (expected < by_chance) one["clear"] = true;
  one["usual_days"] = rounded(median(lengths) / day_length);
  return one;
}

/// The most days in a row that have events each.
Json busiest_run(const Table& table, const std::vector<std::size_t>& rows) {
  std::size_t begin = 0;
  std::size_t most = 0;
  Json run;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto day = [&](std::size_t at) { return table.moments[rows[at]] / day_length; };
    if (i > 0 && day(i) > day(i - 1) + 1) begin = i;
    const auto days = static_cast<std::size_t>(day(i) - day(begin)) + 1;
    if (days <= most) continue;
    most = days;
    run = {{"days", days},
           {"from", table.when(rows[begin]).substr(0, 10)},
           {"to", table.when(rows[i]).substr(0, 10)}};
  }
  return run;
}

/// The most events in a row that have another value, between two that have this one. With a share
/// of p, so many runs of as many would come by chance: events · p · (1 − p)^run.
void put_longest_of(Json& all, const Table& table, const Column& column, const std::string& value,
                    const std::vector<std::size_t>& at, const std::vector<std::size_t>& rows,
                    double tries) {
  std::size_t run = 0;
  std::size_t end = 0;
  for (std::size_t i = 1; i < at.size(); ++i) {
    if (at[i] - at[i - 1] - 1 > run) {
      run = at[i] - at[i - 1] - 1;
      end = i;
    }
  }
  const double p = static_cast<double>(at.size()) / static_cast<double>(rows.size());
  const double expected =
      tries * static_cast<double>(at.size()) * std::pow(1 - p, static_cast<double>(run));
  if (end == 0 || expected >= by_chance) return;
  Json one = stretch(table, rows[at[end - 1]], rows[at[end]]);
  one["variable"] = column.name;
  one["value"] = value;
  one["others"] = run;
  all.push_back(std::move(one));
}

}  // namespace

Json quiet_times(const Table& table, const std::vector<std::size_t>& rows) {
  Json result{{"of_values", Json::array()}};
  if (rows.size() < fewest_events) return result;
  result["longest"] = longest(table, rows);
  if (!table.has_events) {
    result["longest"].erase("clear");  // readings that are set come at no random times
    return result;
  }
  result["run"] = busiest_run(table, rows);
  for (const Column& column : table.columns) {
    if (column.kind != Column::Kind::category) continue;
    std::map<std::string, std::vector<std::size_t>> values;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::string& word = column.words[rows[i]];
      if (!word.empty()) values[word].push_back(i);
    }
    if (values.size() < 2 || values.size() > most_told) continue;
    for (const auto& [value, at] : values) {
      if (at.size() < fewest_events) continue;
      put_longest_of(result["of_values"], table, column, value, at, rows,
                     static_cast<double>(values.size()));
    }
  }
  return result;
}

}  // namespace insights::tool
