// What the results of pattern, shares and related say.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "insights/phrases.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;
using Findings = std::vector<Finding>;

constexpr std::size_t most_named = 6;
constexpr double only_asked = -20;     // the weight of what is told when it was asked for
constexpr double clear_pattern = 0.1;  // of the variance, beyond chance

bool is_weekend(const Json& group) {
  return group.at("name") == "Saturday" || group.at("name") == "Sunday";
}

/// `; weekends 124.5 kWh against 292.4 kWh on other days`, when both of its days stand apart.
std::string weekend(const Json& r) {
  double sums[2]{};
  double counts[2]{};
  double least[2]{1e300, 1e300};
  double most[2]{-1e300, -1e300};
  for (const Json& group : r.at("groups")) {
    const int at = is_weekend(group) ? 1 : 0;
    sums[at] += value_at(group, "sum");
    counts[at] += value_at(group, "readings");
    least[at] = std::min(least[at], value_at(group, "mean"));
    most[at] = std::max(most[at], value_at(group, "mean"));
  }
  const auto days = std::count_if(r.at("groups").begin(), r.at("groups").end(), is_weekend);
  if (days < 2 || counts[0] == 0) return "";
  if (most[1] >= least[0] && least[1] <= most[0]) return "";
  const std::string unit = r.value("unit", "");
  return fmt::format("; weekends {} against {} on other days",
                     amount_text(sums[1] / counts[1], unit),
                     amount_text(sums[0] / counts[0], unit));
}

/// Months, years or weeks, the last twelve; nothing where each has one reading.
Findings spans(const Json& r) {
  const bool amount = r.at("amount").get<bool>();
  const char* what = amount ? "sum" : "mean";
  const Json& groups = r.at("groups");
  if (groups.size() < 2 || groups.size() == r.at("readings")) return {};
  std::vector<std::string> parts;
  for (std::size_t i = groups.size() > 12 ? groups.size() - 12 : 0; i < groups.size(); ++i) {
    const Json& group = groups.at(i);
    parts.push_back(fmt::format("{} {} ({})", word_at(group, "name"), figure(r, group, what),
                                counted(group.at("readings"), what_of(r))));
  }
  const bool weeks = word_at(r, "by") == "week";
  return {{weeks ? "weeks" : "months", 45,
           fmt::format("{} by {}{}: {}.", subject(r), word_at(r, "by"),
                       amount ? "" : ", on average", fmt::join(parts, ", "))}};
}

/// At which hours there are most events.
Findings hours_of_events(const Json& r) {
  std::vector<Json> groups = r.at("groups");
  double all = 0;
  for (const Json& group : groups) all += value_at(group, "sum");
  std::ranges::stable_sort(
      groups, [](const Json& a, const Json& b) { return value_at(a, "sum") > value_at(b, "sum"); });
  std::vector<std::string> parts;
  for (const Json& group : groups) {
    if (parts.size() == most_named) break;
    parts.push_back(fmt::format("{} {} ({:.1f} %)", word_at(group, "name"), figure(r, group, "sum"),
                                100 * value_at(group, "sum") / all));
  }
  return {{"pattern", 38,
           fmt::format("{} by hour, the most first: {}; the fewest at {} ({}).", subject(r),
                       fmt::join(parts, ", "), word_at(groups.back(), "name"),
                       figure(r, groups.back(), "sum"))}};
}

Findings pattern(const Json& r) {
  const std::string by = word_at(r, "by");
  if (by == "month" || by == "year" || by == "week") return spans(r);
  const Json& groups = r.at("groups");
  if (groups.size() < 2) return {};
  if (!r.contains("explains")) return hours_of_events(r);
  const double explains = value_at(r, "explains");
  const bool is_clear = explains - value_at(r, "chance") >= clear_pattern;
  const auto [low, high] = std::minmax_element(
      groups.begin(), groups.end(),
      [](const Json& a, const Json& b) { return value_at(a, "mean") < value_at(b, "mean"); });
  const bool week = by == "weekday";
  const auto at = [&](const Json& group) {
    return week ? "on " + word_at(group, "name") + "s" : "at " + word_at(group, "name");
  };
  const auto in_all = [&](const Json& group) {
    return r.value("amount", false) ? fmt::format(", {} in all", figure(r, group, "sum")) : "";
  };
  return {{"pattern", is_clear ? 35 + 20 * explains : only_asked,
           fmt::format(
               "{}: in the course of a {} highest {} ({}{} on average{}) and lowest {} ({}{}){}; "
               "the {} explains {:.0f} % of its variance.",
               subject(r), week ? "week" : "day", at(*high), figure(r, *high, "mean"), a_day(r),
               in_all(*high), at(*low), figure(r, *low, "mean"), in_all(*low),
               week ? weekend(r) : "", by, 100 * explains)}};
}

/// `4858 USD`, or `19 of 124, 15.3 %`: of all events of the group those that are asked for.
std::string sum_of(const Json& r, const Json& group) {
  const std::string sum = figure(r, group, "sum");
  if (!group.contains("of")) return sum;
  return fmt::format("{} of {}, {:.1f} %", sum, group.at("of").dump(),
                     100 * value_at(group, "sum") / value_at(group, "of"));
}

Findings shares(const Json& r) {
  const Json& groups = r.at("groups");
  if (groups.size() < 2) return {};
  const bool counts = !r.contains("variable");
  if (counts && r.at("readings") == groups.size()) return {};  // a name of each reading
  const bool amount = !counts && groups.at(0).contains("share");
  const bool is_clear = counts || amount || value_at(r, "explains") >= clear_pattern;
  std::vector<std::string> parts;
  for (const Json& group : groups) {
    if (parts.size() == most_named) break;
    if (counts || amount) {
      const double exact = value_at(group, "share");
      const double share = std::round(exact * 10) / 10;
      parts.push_back(
          fmt::format("{} {} % ({})", word_at(group, "name"),
                      exact > 0 && share == 0 ? "under 0.1" : amount_text(share, ""),
                      counts ? counted(group.at("readings"), "reading") : sum_of(r, group)));
    } else {
      parts.push_back(fmt::format("{} {}", word_at(group, "name"), figure(r, group, "mean")));
    }
  }
  const std::size_t rest = groups.size() + r.value("not_shown", std::size_t{0}) - parts.size();
  const std::string more = rest > 0 ? fmt::format(", and {} more", rest) : "";
  const std::string what = counts || amount ? "" : ", on average";
  return {{"shares",
           amount      ? 63.0
           : counts    ? 42.0
           : !is_clear ? only_asked
                       : 40 + 25 * value_at(r, "explains"),
           fmt::format("{} by {}{}: {}{}.", subject(r), word_at(r, "by"), what,
                       fmt::join(parts, ", "), more)}};
}

/// `Old Town, Wine: `: what the result is restricted to.
std::string where_of(const Json& r) {
  std::vector<std::string> values;
  if (!r.contains("where")) return "";
  for (const auto& [column, value] : r.at("where").items()) values.push_back(value);
  return fmt::format("{}: ", fmt::join(values, ", "));
}

Findings related(const Json& r) {
  Findings all;
  if (r.contains("part_of")) {
    const Json& one = r.at("part_of");
    all.push_back({"shares", 45,
                   fmt::format("{}{}: {:.1f} % of {} ({} of {}).", where_of(r),
                               word_at(one, "part"), value_at(one, "share"), word_at(one, "whole"),
                               figure(one, one, "part_sum"), figure(one, one, "whole_sum"))});
  }
  for (const Json& pair : r.at("pairs")) {
    if (all.size() > most_named) break;
    const double rho = value_at(pair, "rho");
    const auto count = counted(pair.at("readings"), what_of(r));
    const std::string a = word_at(pair, "a");
    const std::string b = word_at(pair, "b");
    if (std::abs(rho) < 0.5) {
      all.push_back(
          {"related", 25,
           fmt::format("{}{} and {} hardly rise and fall together (rank correlation {}, "
                       "{}).",
                       where_of(r), a, b, amount_text(std::round(rho * 100) / 100, ""), count)});
      continue;
    }
    const std::string text = rho > 0 ? fmt::format("{} and {} rise and fall together", a, b)
                                     : fmt::format("The higher {}, the lower {}", a, b);
    all.push_back({"related", 25 + 35 * std::abs(rho),
                   fmt::format("{}{} (rank correlation {}, {}).", where_of(r), text,
                               amount_text(std::round(rho * 100) / 100, ""), count)});
  }
  return all;
}

}  // namespace

std::vector<Finding> group_findings(const std::string& tool, const Json& result) {
  if (tool == "pattern") return pattern(result);
  if (tool == "shares") return shares(result);
  return related(result);
}

}  // namespace insights
