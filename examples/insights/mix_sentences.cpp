// What the result of compare_mix says.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "insights/phrases.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

std::string percent(double share) { return amount_text(std::round(share * 10) / 10, "%"); }

/// `app rose from 33.1 % to 58.6 %`
std::string part_text(const Json& r, const Json& group) {
  const double from = value_at(group, "first");
  const double to = value_at(group, "second");
  return fmt::format("{} {} from {} to {}", value_text(word_at(r, "by"), word_at(group, "name")),
                     to > from ? "rose" : "fell", percent(from), percent(to));
}

/// What has the same shares all the time, as places with a row each, has no mix.
bool is_fixed(const Json& groups) {
  constexpr double same = 0.5;  // of a hundred
  return std::ranges::all_of(groups, [](const Json& group) {
    return std::abs(value_at(group, "second") - value_at(group, "first")) < same;
  });
}

/// Whether one of them is half as much again as before: where that may be chance, the shares of the
/// pieces vary too much to say that nothing has changed.
bool may_differ(const Json& groups) {
  constexpr double points = 5;
  constexpr double times = 1.5;
  return std::ranges::any_of(groups, [](const Json& group) {
    const auto [less, more] = std::minmax({value_at(group, "first"), value_at(group, "second")});
    return more - less >= points && more >= times * less;
  });
}

std::string period_text(const Json& period) {
  return fmt::format("{} to {}{}", word_at(period, "from"), word_at(period, "to"),
                     in_lines(period));
}

}  // namespace

std::vector<Finding> mix_findings(const Json& r) {
  constexpr std::size_t most = 4;
  std::vector<Finding> all;
  const Json& groups = r.at("groups");
  if (groups.size() < 2 || is_fixed(groups)) return all;
  const std::string of = fmt::format("share of {} by {}", subject(r), word_at(r, "by"));
  const std::string when =
      fmt::format("{} against {}", period_text(r.at("first")), period_text(r.at("second")));
  std::vector<std::string> parts;
  double errors = 0;
  // Of a yes and a no one says all.
  const std::size_t limit = groups.size() == 2 ? 1 : most;
  for (const Json& group : groups) {
    if (!group.value("clear", false)) continue;
    errors = std::max(errors, value_at(group, "errors"));
    const bool is_wanted = groups.size() > 2 || word_at(group, "name") == word_at(r, "value");
    if (is_wanted && parts.size() < limit) parts.push_back(part_text(r, group));
  }
  if (!parts.empty()) {
    all.push_back({"change", 58 + std::min(20.0, errors),
                   fmt::format("The {} has changed: {}; {}.", of, fmt::join(parts, ", "), when)});
  } else if (!may_differ(groups)) {
    for (const Json& group : groups) {
      if (parts.size() < limit) {
        parts.push_back(fmt::format("{} {} and {}", word_at(group, "name"),
                                    percent(value_at(group, "first")),
                                    percent(value_at(group, "second"))));
      }
    }
    all.push_back(
        {"change", only_asked,
         fmt::format("The {} has not clearly changed: {}; {}.", of, fmt::join(parts, ", "), when)});
  }
  std::vector<std::string> months;
  for (const Json& month : r.at("months")) {
    months.push_back(fmt::format("{} {} of {}", word_at(month, "name"),
                                 percent(value_at(month, "share")),
                                 amount_text(value_at(month, "of"), "")));
  }
  if (months.size() > 1 && months.size() <= 24) {
    all.push_back({"months", only_asked,
                   fmt::format("{}, share of {} by month: {}.",
                               value_text(word_at(r, "by"), word_at(r, "value")), subject(r),
                               fmt::join(months, ", "))});
  }
  return all;
}

}  // namespace insights
