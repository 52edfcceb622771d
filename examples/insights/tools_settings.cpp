// The tool that finds when a value that is set, such as a price, took another.
#include <algorithm>
#include <map>
#include <optional>

#include <nlohmann/json.hpp>

#include "insights/figures.hpp"
#include "insights/moments.hpp"
#include "insights/series.hpp"
#include "insights/tools.hpp"

namespace insights::tool {
namespace {

constexpr std::size_t near = 5;          // values that are looked at together
constexpr std::size_t most_of_near = 3;  // of them, as many as make one the value that is set

/// A value that is set, and its first point.
struct Setting {
  double value = 0;
  std::size_t first = 0;
};

struct Settings {
  const Column* by = nullptr;                       ///< nullptr: one value for all
  std::map<std::string, std::vector<Setting>> all;  ///< of each value of `by`, in order of time
  std::size_t fitting = 0;                          ///< points that have the value that is set
};

/// The value that most of the next few points have, if most have one.
std::optional<double> set_value(const std::vector<Point>& points,
                                const std::vector<std::size_t>& of, std::size_t at) {
  std::map<double, std::size_t> counts;
  for (std::size_t i = at; i < std::min(of.size(), at + near); ++i) {
    if (++counts[points[of[i]].value] == most_of_near) return points[of[i]].value;
  }
  return std::nullopt;
}

/// The values that were set for these points one after the other.
std::vector<Setting> settings_of(const std::vector<Point>& points,
                                 const std::vector<std::size_t>& of) {
  std::vector<Setting> all;
  for (std::size_t i = 0; i < of.size(); ++i) {
    const double value = points[of[i]].value;
    if (!all.empty() && all.back().value == value) continue;
    if (set_value(points, of, i) == value) all.push_back({value, of[i]});
  }
  return all;
}

Settings settings_by(const Series& series, const Column* by) {
  std::map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const std::string value = by == nullptr ? "" : by->words[series.points[i].row];
    if (by == nullptr || !value.empty()) groups[value].push_back(i);
  }
  Settings found{.by = by, .all = {}};
  for (const auto& [value, of] : groups) {
    const std::vector<Setting> settings = settings_of(series.points, of);
    if (settings.empty()) continue;
    auto now = settings.begin();
    for (const std::size_t at : of) {
      while (std::next(now) != settings.end() && std::next(now)->first <= at) ++now;
      found.fitting += series.points[at].value == now->value ? 1U : 0U;
    }
    found.all.emplace(value, settings);
  }
  return found;
}

/// Whether nearly all points have the value that is set, and it holds for several of them.
bool is_set(const Settings& settings, const Series& series) {
  constexpr std::size_t least_points = 5;  // for each value that was set
  std::size_t count = 0;
  for (const auto& [value, of] : settings.all) count += of.size();
  return count > 0 && count * least_points <= series.points.size() &&
         settings.fitting * 20 >= series.points.size() * 19;
}

/// By what the values are set: nothing, or else the category with the fewest values.
std::optional<Settings> settings_in(const Series& series) {
  Settings whole = settings_by(series, nullptr);
  if (is_set(whole, series)) return whole;
  std::optional<Settings> best;
  for (const Column& column : series.table->columns) {
    if (column.kind != Column::Kind::category || series.rows.where.contains(column.name)) continue;
    Settings some = settings_by(series, &column);
    const bool is_better = is_set(some, series) && (!best || some.all.size() < best->all.size());
    if (is_better) best = std::move(some);
  }
  return best;
}

}  // namespace

Json find_settings(Arguments& arguments, const Readings& readings) {
  if (readings.table.moments.empty()) throw ToolError("the table has no times");
  const Series series = series_in(arguments, readings, false, Step::row);
  arguments.end();
  Json result = head_of(series);
  result["settings"] = Json::array();
  const std::optional<Settings> found = settings_in(series);
  if (!found) return result;
  if (found->by != nullptr) result["depends_on"] = found->by->name;
  // What took the same values one after the other is one, from the first time that each was seen.
  std::map<std::vector<double>, Json> alike;
  for (const auto& [value, settings] : found->all) {
    if (settings.size() < 2) continue;
    std::vector<double> values;
    for (const Setting& one : settings) values.push_back(one.value);
    Json& one = alike.try_emplace(values, Json{{"of", Json::array()}}).first->second;
    if (found->by != nullptr) one["of"].push_back(value);
    for (std::size_t i = 0; i < settings.size(); ++i) {
      const std::string day = moment_text(series.points[settings[i].first].moment, false);
      Json& step = one["steps"][i];
      if (step.is_null() || day < step.at("from"))
        step = {{"from", day}, {"value", rounded(settings[i].value)}};
    }
  }
  for (auto& [values, one] : alike) result["settings"].push_back(std::move(one));
  return result;
}

}  // namespace insights::tool
