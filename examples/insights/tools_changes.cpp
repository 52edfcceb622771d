// The tool that finds changes of level.
#include <algorithm>
#include <cmath>
#include <map>

#include <nlohmann/json.hpp>

#include "insights/figures.hpp"
#include "insights/series.hpp"
#include "insights/tools.hpp"

namespace insights::tool {
namespace {

constexpr std::size_t least_days = 5;  // on both sides of a change
constexpr double clear_jump = 4;       // in standard errors
constexpr double visible_jump = 1;     // in what days usually differ
constexpr double most_by_trend = 2;    // times the step

/// Whether the values near a jump differ by at least half of it: a curve, which a line and a step
/// also fit better than a line, does not.
bool is_local(const std::vector<double>& values, const Jump& jump) {
  constexpr std::size_t near = 10;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(jump.at);
  const auto size = static_cast<std::ptrdiff_t>(std::min({near, jump.at, values.size() - jump.at}));
  const double step = median({at, at + size}) - median({at - size, at});
  return step * jump.height > 0 && std::abs(step) >= std::abs(jump.height) / 2;
}

/// The change of a series within the time, if it has one that is clear and larger than what is
/// usual from day to day. Cycles are taken out first, and single days far off are drawn in, so that
/// they are no step.
std::optional<Json> change_in(const Series& series, Moment from, Moment to) {
  const Cycle cycle = cycle_of(series);
  const std::vector<double> usual = usual_of(series, cycle);
  std::vector<double> rest;
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    rest.push_back(series.points[i].value - usual[i]);
  }
  if (rest.size() < 3 * least_days) return std::nullopt;
  const double middle = median(rest);
  const double spread = robust_spread(rest);
  if (spread == 0) return std::nullopt;
  for (double& one : rest) one = std::clamp(one, middle - 4 * spread, middle + 4 * spread);
  const Jump jump = find_jump(rest, least_days);
  if (jump.at == 0 || jump.t < clear_jump) return std::nullopt;
  const Moment when = series.points[jump.at].moment;
  if (when < from || when > to) return std::nullopt;
  std::vector<double> from_day_to_day;
  for (std::size_t i = 1; i < rest.size(); ++i) {
    from_day_to_day.push_back(std::abs(rest[i] - rest[i - 1]));
  }
  if (std::abs(jump.height) < visible_jump * median(from_day_to_day)) return std::nullopt;
  if (!is_local(rest, jump)) return std::nullopt;
  const std::vector<double> values = series.values();
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(jump.at);
  const double before = median({values.begin(), at});
  const double after = median({at, values.end()});
  // A trend the other way makes up for the step, or one of the same way for most of what differs.
  const double difference = (after - before) / jump.height;
  if (difference < 0.1 || difference > most_by_trend) return std::nullopt;
  return Json{{"date", series.when(series.points[jump.at])},
              {"line", series.places({series.points[jump.at]})},
              {"before", rounded(before)},
              {"after", rounded(after)},
              {"before_mean", rounded(mean(std::vector<double>{values.begin(), at}))},
              {"after_mean", rounded(mean(std::vector<double>{at, values.end()}))},
              {"t", rounded(jump.t)}};
}

}  // namespace

Json find_change(Arguments& arguments, const Readings& readings) {
  const Table& table = readings.table;
  if (table.moments.empty()) throw ToolError("the table has no times");
  const auto by = arguments.text("by");
  // A few weeks do not show what is usual: a change is looked for in all of the window.
  Arguments of_time = arguments;
  const Rows asked = rows_of(of_time, readings);
  for (const char* end : {"from", "to"}) static_cast<void>(arguments.text(end));
  const Series all = series_in(arguments, readings, false, Step::day);
  arguments.end();
  const Series series =
      series_of(table, *all.column, with_ends(table, *all.column, all.rows), all.step);
  Json result = head_of(series);
  result["changes"] = Json::array();
  if (!by) {
    if (auto change = change_in(series, asked.from, asked.to))
      result["changes"].push_back(std::move(*change));
    return result;
  }
  const Column* category = table.find(*by);
  if (category == nullptr || category->kind != Column::Kind::category) {
    throw ToolError("'by' names no category");
  }
  result["by"] = *by;
  std::map<std::string, std::vector<std::size_t>> groups;
  for (const std::size_t row : series.rows.rows) groups[category->words[row]].push_back(row);
  for (const auto& [value, rows] : groups) {
    if (value.empty()) continue;
    Rows some{rows, 0, series.rows.where};
    some.where[*by] = value;
    try {
      auto change = change_in(series_of(table, *series.column, std::move(some), Step::day),
                              asked.from, asked.to);
      if (!change) continue;
      (*change)["value"] = value;
      result["changes"].push_back(std::move(*change));
    } catch (const ToolError&) {  // no value of this one
    }
  }
  return result;
}

}  // namespace insights::tool
