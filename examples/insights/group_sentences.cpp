// What the results of pattern, shares, related and find_faults say.
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

/// Months or years, the last twelve; nothing where each has one reading.
Findings months(const Json& r) {
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
  return {{"months", 45,
           fmt::format("{} by {}{}: {}.", subject(r), word_at(r, "by"),
                       amount ? "" : ", on average", fmt::join(parts, ", "))}};
}

Findings pattern(const Json& r) {
  const std::string by = word_at(r, "by");
  if (by == "month" || by == "year") return months(r);
  const double explains = value_at(r, "explains");
  const Json& groups = r.at("groups");
  if (groups.size() < 2 || explains - value_at(r, "chance") < clear_pattern) return {};
  const auto [low, high] = std::minmax_element(
      groups.begin(), groups.end(),
      [](const Json& a, const Json& b) { return value_at(a, "mean") < value_at(b, "mean"); });
  const bool week = by == "weekday";
  const auto at = [&](const Json& group) {
    return week ? "on " + word_at(group, "name") + "s" : "at " + word_at(group, "name");
  };
  return {
      {"pattern", 35 + 20 * explains,
       fmt::format("{}: in the course of a {} highest {} ({} on average) and lowest {} ({}){}; "
                   "the {} explains {:.0f} % of its variance.",
                   subject(r), week ? "week" : "day", at(*high), figure(r, *high, "mean"), at(*low),
                   figure(r, *low, "mean"), week ? weekend(r) : "", by, 100 * explains)}};
}

Findings shares(const Json& r) {
  const Json& groups = r.at("groups");
  if (groups.size() < 2) return {};
  const bool counts = !r.contains("variable");
  if (counts && r.at("readings") == groups.size()) return {};  // a name of each reading
  const bool amount = !counts && groups.at(0).contains("share");
  if (!counts && !amount && value_at(r, "explains") < clear_pattern) return {};
  std::vector<std::string> parts;
  for (const Json& group : groups) {
    if (parts.size() == most_named) break;
    if (counts || amount) {
      const double exact = value_at(group, "share");
      const double share = std::round(exact * 10) / 10;
      parts.push_back(
          fmt::format("{} {} % ({})", word_at(group, "name"),
                      exact > 0 && share == 0 ? "under 0.1" : amount_text(share, ""),
                      counts ? counted(group.at("readings"), "reading") : figure(r, group, "sum")));
    } else {
      parts.push_back(fmt::format("{} {}", word_at(group, "name"), figure(r, group, "mean")));
    }
  }
  const std::size_t rest = groups.size() + r.value("not_shown", std::size_t{0}) - parts.size();
  const std::string more = rest > 0 ? fmt::format(", and {} more", rest) : "";
  const std::string what = counts || amount ? "" : ", on average";
  return {{"shares",
           amount   ? 63.0
           : counts ? 42.0
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
  for (const Json& pair : r.at("pairs")) {
    if (all.size() == most_named) break;
    const double rho = value_at(pair, "rho");
    const auto count = counted(pair.at("readings"), what_of(r));
    const std::string a = word_at(pair, "a");
    const std::string b = word_at(pair, "b");
    const std::string text = rho > 0 ? fmt::format("{} and {} rise and fall together", a, b)
                                     : fmt::format("The higher {}, the lower {}", a, b);
    all.push_back({"related", 25 + 35 * std::abs(rho),
                   fmt::format("{}{} (rank correlation {}, {}).", where_of(r), text,
                               amount_text(std::round(rho * 100) / 100, ""), count)});
  }
  return all;
}

/// `sales.csv:94 (2025-05-14, Bread, Old Town)`
std::string place_text(const Json& place) {
  std::vector<std::string> what;
  if (place.contains("date")) what.push_back(word_at(place, "date"));
  if (place.contains("keys")) {
    for (const auto& [name, value] : place.at("keys").items()) what.push_back(value);
  }
  return word_at(place, "line") + (what.empty() ? "" : fmt::format(" ({})", fmt::join(what, ", ")));
}

std::string places_text(const Json& places, std::int64_t count) {
  std::vector<std::string> all;
  for (const Json& place : places) {
    all.push_back(place_text(place) + (place.contains("value")
                                           ? ": " + amount_text(value_at(place, "value"), "")
                                           : ""));
  }
  const bool more = count > static_cast<std::int64_t>(all.size());
  return all.empty() ? "" : fmt::format(": {}{}", fmt::join(all, "; "), more ? "; …" : "");
}

}  // namespace

std::vector<Finding> group_findings(const std::string& tool, const Json& result) {
  if (tool == "pattern") return pattern(result);
  if (tool == "shares") return shares(result);
  return related(result);
}

std::vector<Finding> fault_findings(const Json& r) {
  Findings all;
  const auto tell = [&](double weight, std::string text) {
    all.push_back({"quality", weight, std::move(text)});
  };
  const auto who = [&](Json one) {
    if (r.contains("where")) one["where"] = r.at("where");
    return subject(one);
  };
  for (const Json& one : r.at("stuck")) {
    tell(66, fmt::format("{}: no change from {} to {}, {} for {}, where the next longest run "
                         "has {} (from {} on).",
                         who(one), word_at(one, "date"), word_at(one, "to"),
                         figure(one, one, "value"), counted(one.at("count"), "reading"),
                         one.at("next_longest").get<int>(), word_at(one, "line")));
  }
  for (const Json& gap : r.at("gaps")) {
    tell(58, fmt::format("There is no reading between {} and {}: {} missing.",
                         word_at(gap, "after"), word_at(gap, "before"),
                         counted(gap.at("missing"), "reading") +
                             (gap.at("missing") == 1 ? " is" : " are")));
  }
  for (const Json& one : r.at("negative")) {
    const auto count = one.at("count").get<std::int64_t>();
    tell(57, fmt::format("{}: below zero in {}{}.", who(one), counted(count, "reading"),
                         places_text(one.at("places"), count)));
  }
  if (const auto count = static_cast<std::int64_t>(r.at("repeated").size()); count > 0) {
    tell(56, fmt::format("{} there twice{}.", counted(count, "row") + (count == 1 ? " is" : " are"),
                         places_text(r.at("repeated"), count)));
  }
  for (const Json& one : r.at("missing")) {
    const auto count = one.at("count").get<std::int64_t>();
    const bool is_rare = !one.at("places").empty();
    tell(is_rare ? 55 : 20,
         fmt::format("{}: {} of {}{}.", who(one), counted(count, "missing value"),
                     one.at("of").get<int>(), places_text(one.at("places"), count)));
  }
  for (const Json& problem : r.value("problems", Json::array())) {
    tell(54, problem.get<std::string>() + ".");
  }
  for (const Json& file : r.value("left_out", Json::array())) {
    tell(2, "Not looked at: " + file.get<std::string>() + ".");
  }
  if (r.contains("closed")) {
    std::vector<std::string> days;
    for (const Json& day : r.at("closed")) days.push_back(day.get<std::string>() + "s");
    tell(30, fmt::format("There are no readings on {}.", fmt::join(days, " and ")));
  }
  return all;
}

}  // namespace insights
