#include "insights/ends.hpp"

#include <algorithm>
#include <map>

#include <nlohmann/json.hpp>

#include "insights/figures.hpp"

namespace insights::tool {
namespace {

using Json = nlohmann::json;

constexpr std::size_t fewest_days = 10;  // with rows, for its spacing to be known
constexpr std::size_t most_told = 5;

/// The days of the rows of each value, in order.
std::map<std::string, std::vector<Moment>> days_of(const Table& table, const Column& column,
                                                   const std::vector<std::size_t>& rows) {
  std::map<std::string, std::vector<Moment>> all;
  for (const std::size_t row : rows) {
    if (column.words[row].empty()) continue;
    std::vector<Moment>& days = all[column.words[row]];
    const Moment day = day_of(table.moments[row]);
    if (days.empty() || days.back() != day) days.push_back(day);
  }
  return all;
}

/// What is usual between two days of a value, and what is long.
struct Spacing {
  double usual = 0;
  double is_long = 0;
};

Spacing spacing_of(const std::vector<Moment>& days) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < days.size(); ++i) {
    steps.push_back(static_cast<double>(days[i] - days[i - 1]));
  }
  const double usual = median(steps);
  return {usual, std::max(5 * usual, 3 * quantile(steps, 0.95))};
}

Json end_json(const Column& column, const std::string& value, Moment day, Moment gap,
              const Spacing& spacing) {
  return {{"variable", column.name},
          {"value", value},
          {"date", moment_text(day, false)},
          {"days", gap / day_length},
          {"every", rounded(spacing.usual / static_cast<double>(day_length))}};
}

void put(Json& all, const std::vector<Json>& some, std::size_t judged) {
  // Where most values come and go, as batches do, none of them stands out.
  if (2 * some.size() > judged) return;
  for (const Json& one : some) all.push_back(one);
}

void put_longest_first(Json& all) {
  std::stable_sort(all.begin(), all.end(),
                   [](const Json& a, const Json& b) { return a.at("days") > b.at("days"); });
  if (all.size() > most_told) {
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(most_told), all.end());
  }
}

}  // namespace

Json ends(const Table& table, const Rows& rows, const std::map<std::string, std::string>& where) {
  Json all{{"judged", Json::array()}, {"stopped", Json::array()}, {"new", Json::array()}};
  const Moment begin = day_of(table.moments[rows.rows.front()]);
  const Moment window = day_of(table.moments[rows.rows[rows.first]]);
  const Moment end = day_of(table.moments[rows.rows.back()]);
  for (const Column& column : table.columns) {
    const bool is_key = std::ranges::find(table.keys, column.name) != table.keys.end();
    if (column.kind != Column::Kind::category || !(is_key || table.has_events)) continue;
    if (!table.ending_of(column).empty()) continue;  // of rows that are open it is not known yet
    std::size_t judged = 0;
    std::vector<Json> stopped;
    std::vector<Json> begun;
    for (const auto& [value, days] : days_of(table, column, rows.rows)) {
      if (days.size() < fewest_days) continue;
      ++judged;
      if (where.contains(column.name) && !admits(where.at(column.name), value)) continue;
      const Spacing spacing = spacing_of(days);
      const auto is_long = [&](Moment gap) { return static_cast<double>(gap) > spacing.is_long; };
      if (days.back() >= window && is_long(end - days.back())) {
        stopped.push_back(end_json(column, value, days.back(), end - days.back(), spacing));
      }
      if (days.front() >= window && is_long(days.front() - begin)) {
        begun.push_back(end_json(column, value, days.front(), days.front() - begin, spacing));
      }
    }
    if (judged == 0) continue;
    all["judged"].push_back(column.name);
    put(all["stopped"], stopped, judged);
    put(all["new"], begun, judged);
  }
  put_longest_first(all["stopped"]);
  put_longest_first(all["new"]);
  return all;
}

}  // namespace insights::tool
