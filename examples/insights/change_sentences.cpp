// What is said of changes of level, and of values that are set.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "insights/periods.hpp"
#include "insights/phrases.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

}  // namespace

std::vector<Finding> change_findings(const Json& r) {
  std::vector<Finding> all;
  for (const Json& change : r.at("changes")) {
    const double before = value_at(change, "before");
    const double after = value_at(change, "after");
    const bool part = change.contains("value");
    const std::string who = part ? subject(r, {word_at(change, "value")}) : subject(r);
    const double share = std::abs(after - before) / std::max(1e-9, std::abs(before));
    const char* moved = after > before ? "rose" : "fell";
    const std::string levels = fmt::format("from {}{} before to {}", figure(r, change, "before"),
                                           a_day(r), figure(r, change, "after"));
    all.push_back({"change", (part ? 54 : 60) + std::min(25.0, 50 * share),
                   fmt::format("{} {}{}{}: the median {} {} from then on{}.", who, moved,
                               on_time(word_at(change, "date")), in_lines(change, "line"), moved,
                               levels, difference(r, before, after))});
    all.back().event = change.value("value", "") + word_at(change, "date");
    all.back().brief = fmt::format("{} {} {}{}", who, moved, levels, difference(r, before, after));
  }
  return all;
}

/// `Fare (Adult): 14 £ at first, 16 £ from 2024-11-01.`
std::vector<Finding> setting_findings(const Json& r) {
  std::vector<Finding> all;
  for (const Json& one : r.at("settings")) {
    std::vector<std::string> of;
    for (const Json& value : one.at("of")) {
      if (of.size() < most_named) of.push_back(value_text(word_at(r, "depends_on"), value));
    }
    if (one.at("of").size() > of.size())
      of.push_back(fmt::format("{} more", one.at("of").size() - of.size()));
    std::vector<std::string> steps;
    for (const Json& step : one.at("steps")) {
      const std::string from = steps.empty() ? "at first" : "from " + word_at(step, "from");
      steps.push_back(fmt::format("{} {}", figure(r, step, "value"), from));
    }
    all.push_back({"change", 80, fmt::format("{}: {}.", subject(r, of), fmt::join(steps, ", "))});
  }
  return all;
}

}  // namespace insights
