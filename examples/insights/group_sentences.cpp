// What the results of pattern, shares and related say.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "insights/phrases.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;
using Findings = std::vector<Finding>;

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
  const std::string in_all = r.value("amount", false)
                                 ? fmt::format(" ({} and {} in all)", amount_text(sums[1], unit),
                                               amount_text(sums[0], unit))
                                 : "";
  return fmt::format("; weekends {} against {} on other days{}",
                     amount_text(sums[1] / counts[1], unit), amount_text(sums[0] / counts[0], unit),
                     in_all);
}

/// `; at night (22:00 to 06:00) 7.5 min against 4.8 min by day`, where that is another figure.
std::string night(const Json& r) {
  constexpr double clear_ratio = 1.2;
  double sums[2]{};
  double counts[2]{};
  for (const Json& group : r.at("groups")) {
    const std::string hour = word_at(group, "name");
    const int at = hour < "06" || hour >= "22" ? 1 : 0;
    sums[at] += value_at(group, "mean") * value_at(group, "readings");
    counts[at] += value_at(group, "readings");
  }
  if (counts[0] == 0 || counts[1] == 0) return "";
  const double day = sums[0] / counts[0];
  const double dark = sums[1] / counts[1];
  if (day <= 0 || dark <= 0 || std::max(day, dark) < clear_ratio * std::min(day, dark)) return "";
  const std::string unit = r.value("unit", "");
  return fmt::format("; at night (22:00 to 06:00) {} against {} by day", amount_text(dark, unit),
                     amount_text(day, unit));
}

/// `2025-03 1,240 EUR (31 days; sales.csv:2–32)`: a span, with its sum or mean.
std::string span_text(const Json& r, const Json& group) {
  const bool is_one = group.at("readings") == 1 && what_of(r) == word_at(r, "by");
  return fmt::format(
      "{} {}{}", word_at(group, "name"),
      figure(r, group, r.at("amount").get<bool>() ? "sum" : "mean"),
      is_one ? in_lines(group)
             : fmt::format(" ({}{})", counted(group.at("readings"), what_of(r)), lines_of(group)));
}

/// Of at least three spans, which is the highest and which the lowest.
std::string extremes(const Json& r, const char* what) {
  const Json& groups = r.at("groups");
  if (groups.size() < 3) return "";
  std::vector<Json> whole;
  std::vector<std::string> apart;
  for (const Json& group : groups) {
    if (group.value("part", false)) {
      apart.push_back(word_at(group, "name"));
    } else {
      whole.push_back(group);
    }
  }
  if (whole.size() < 2) return "";
  const auto [low, high] = std::ranges::minmax_element(
      whole, {}, [&](const Json& group) { return value_at(group, what); });
  const std::string by = word_at(r, "by");
  const std::string of = by == "week" ? " (a week is named by its Monday)" : "";
  const std::string besides =
      apart.empty() ? ""
                    : fmt::format(", not counting {}, of which there is less than half",
                                  fmt::join(apart, " and "));
  return fmt::format("; of {}{} the highest is {}, the lowest {}{}",
                     counted(static_cast<std::int64_t>(groups.size()), by), of, span_text(r, *high),
                     span_text(r, *low), besides);
}

/// Months, years or weeks, the last twelve, and which of all are the highest and the lowest. Where
/// each has one reading, the series itself says as much, unless it is short.
Findings spans(const Json& r) {
  const bool amount = r.at("amount").get<bool>();
  const char* what = amount ? "sum" : "mean";
  const Json& groups = r.at("groups");
  if (groups.size() < 2 || (groups.size() == r.at("readings") && groups.size() > 24)) return {};
  const auto is_same = [&](const Json& group) {
    return value_at(group, "mean") == value_at(groups.front(), "mean");
  };
  if (!amount && std::all_of(groups.begin(), groups.end(), is_same)) return {};
  std::vector<std::string> parts;
  for (std::size_t i = groups.size() > 12 ? groups.size() - 12 : 0; i < groups.size(); ++i) {
    parts.push_back(span_text(r, groups.at(i)));
  }
  const std::string by = word_at(r, "by");
  const std::string left_out = parts.size() < groups.size()
                                   ? fmt::format(", the last {} of {}", parts.size(), groups.size())
                                   : "";
  return {{by == "week" ? "weeks" : "months", 46,
           fmt::format("{} by {}{}{}: {}{}.", subject(r), by, left_out,
                       amount ? "" : ", on average", fmt::join(parts, ", "), extremes(r, what))}};
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
    parts.push_back(fmt::format("{} {} ({:.1f} %{})", word_at(group, "name"),
                                figure(r, group, "sum"), 100 * value_at(group, "sum") / all,
                                lines_of(group)));
  }
  return {{"pattern", 38,
           fmt::format("{} by hour, the most first: {}; the fewest at {} ({}).", subject(r),
                       fmt::join(parts, ", "), word_at(groups.back(), "name"),
                       figure(r, groups.back(), "sum"))}};
}

/// `Monday 12.1, Tuesday 14`: all days of the week, on average.
std::string weekdays(const Json& r) {
  std::vector<std::string> parts;
  for (const Json& group : r.at("groups")) {
    parts.push_back(word_at(group, "name") + " " + figure(r, group, "mean"));
  }
  return fmt::format("{}{} by weekday, on average: {}.", subject(r), a_day(r),
                     fmt::join(parts, ", "));
}

/// How many of its days each weekday has, where they differ.
Findings weekday_counts(const Json& r) {
  std::vector<Json> groups = r.at("groups");
  std::ranges::stable_sort(
      groups, [](const Json& a, const Json& b) { return a.at("readings") > b.at("readings"); });
  if (r.value("counts", false) ||
      value_at(groups.front(), "readings") <= 1.3 * value_at(groups.back(), "readings"))
    return {};
  std::vector<std::string> parts;
  for (const Json& group : groups) {
    parts.push_back(word_at(group, "name") + " " + group.at("readings").dump());
  }
  return {{"counts", only_asked,
           fmt::format("{}Days with readings by weekday, the most first: {}.", where_of(r),
                       fmt::join(parts, ", "))}};
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
  Findings all{
      {"pattern", is_clear ? 35 + 20 * explains : only_asked,
       fmt::format(
           "{}: in the course of a {} highest {} ({}{} on average{}{}) and lowest {} ({}{}{}){}; "
           "the {} accounts for {:.0f} % of the differences.",
           subject(r), week ? "week" : "day", at(*high), figure(r, *high, "mean"), a_day(r),
           in_all(*high), lines_of(*high), at(*low), figure(r, *low, "mean"), in_all(*low),
           lines_of(*low), week ? weekend(r) : night(r), by, 100 * explains)}};
  all.back().brief = fmt::format("{}: highest {} ({}{}) and lowest {} ({}{}){}", subject(r),
                                 at(*high), figure(r, *high, "mean"), a_day(r), at(*low),
                                 figure(r, *low, "mean"), a_day(r), week ? weekend(r) : "");
  if (week) all.push_back({"weekdays", only_asked, weekdays(r)});
  if (week) {
    for (Finding& one : weekday_counts(r)) all.push_back(std::move(one));
  }
  return all;
}

/// Of groups that have the outcome always or never, which have it: `own 'yes': 2 of 3 Branch: A, B`
Findings always_or_never(const Json& r) {
  std::vector<std::string> always;
  for (const Json& group : r.at("groups")) {
    if (group.at("count") == group.at("of")) always.push_back(word_at(group, "name"));
  }
  return {{"outcomes", 116,
           fmt::format("{}{} '{}': {} of {} {}: {}.", where_of(r), word_at(r, "outcome"),
                       word_at(r, "value"), always.size(), r.at("groups").size(), word_at(r, "by"),
                       fmt::join(always, ", "))}};
}

/// The share of an outcome within each group, the largest first.
Findings outcomes(const Json& r) {
  const Json& groups = r.at("groups");
  if (groups.empty()) return {};
  const bool is_fixed = std::ranges::all_of(groups, [](const Json& group) {
    return group.at("count") == 0 || group.at("count") == group.at("of");
  });
  const bool is_repeated = std::ranges::any_of(
      groups, [](const Json& group) { return group.at("of").get<std::int64_t>() > 1; });
  const bool is_some = std::ranges::any_of(
      groups, [](const Json& group) { return group.at("count").get<std::int64_t>() > 0; });
  if (is_fixed && is_repeated && is_some) return always_or_never(r);
  constexpr std::size_t most = 12;
  std::vector<std::string> parts;
  for (const Json& group : groups) {
    if (parts.size() == most) break;
    parts.push_back(fmt::format("{} {} % ({} of {}{})", word_at(group, "name"),
                                amount_text(std::round(10 * value_at(group, "share")) / 10, ""),
                                group.at("count").get<std::int64_t>(),
                                group.at("of").get<std::int64_t>(), lines_of(group)));
  }
  if (groups.size() > parts.size()) parts.emplace_back("…");
  std::string text = fmt::format("{}{} '{}' by {}: {}", where_of(r), word_at(r, "outcome"),
                                 word_at(r, "value"), word_at(r, "by"), fmt::join(parts, ", "));
  const auto tell_left_out = [&](const char* name, const char* column) {
    const auto count = r.at(name).get<std::int64_t>();
    if (count == 0) return;
    text += fmt::format("; {} without {} {} left out", counted(count, "row"), word_at(r, column),
                        count == 1 ? "is" : "are");
  };
  tell_left_out("without_outcome", "outcome");
  tell_left_out("without_group", "by");
  return {{"outcomes", 116, text + "."}};
}

std::string figure_of(const Json& r, const char* name, const char* unit) {
  return amount_text(value_at(r, name), r.value(unit, ""));
}

/// `; Resold is 93.2 % of Bought`: amounts in one unit, the smaller as a part of the larger.
std::string part_of_text(const Json& r) {
  const double a = value_at(r, "a");
  const double b = value_at(r, "b");
  const bool is_same = r.contains("unit") && r.value("unit", "") == r.value("with_unit", "");
  if (!is_same || !r.at("amount").get<bool>() || a <= 0 || b <= 0) return "";
  const bool is_less = a < b;
  return fmt::format("; {} is {} of {}", word_at(r, is_less ? "variable" : "with"),
                     amount_text(std::round(1000 * (is_less ? a / b : b / a)) / 10, "%"),
                     word_at(r, is_less ? "with" : "variable"));
}

/// Two columns over the same rows or days: their sums or means, difference and ratio.
Findings compare_columns(const Json& r) {
  const std::string a = word_at(r, "variable");
  const std::string b = word_at(r, "with");
  const bool amount = r.at("amount").get<bool>();
  const auto value = [&](const char* name, const char* unit) { return figure_of(r, name, unit); };
  std::string text = fmt::format("{}{} {}{} against {} {}", where_of(r), a, value("a", "unit"),
                                 amount ? "" : " on average", b, value("b", "with_unit"));
  if (r.contains("difference")) {
    const double more = value_at(r, "difference");
    text += fmt::format("; {} {}", amount_text(std::abs(more), r.value("unit", "")),
                        more < 0 ? "less" : "more");
  }
  const std::string per = r.contains("per") ? "per " + figure_of(r, "per", "with_unit") + " of"
                          : r.contains("with_unit")
                              ? fmt::format("per {} of", word_at(r, "with_unit"))
                              : "per";
  if (r.contains("ratio")) {
    text += fmt::format("; {} of {} {} {}", value("ratio", "unit"), a, per, b);
    text += part_of_text(r);
  }
  Findings all{{"ratio", 110, text + not_in_ratio(r) + lines_of(r) + "."}};
  if (!r.contains("groups")) return all;
  std::vector<std::string> parts;
  const Json& groups = r.at("groups");
  for (const Json& group : groups) {
    if (parts.size() == most_named) break;
    parts.push_back(word_at(group, "name") + " " + figure(r, group, "ratio") + in_lines(group));
  }
  if (groups.size() > parts.size()) {
    parts.push_back(fmt::format("…, the least: {} {}{}", word_at(groups.back(), "name"),
                                figure(r, groups.back(), "ratio"), in_lines(groups.back())));
  }
  all.push_back({"ratio", 109,
                 fmt::format("{}{} {} {} by {}: {}.", where_of(r), a, per, b, word_at(r, "by"),
                             fmt::join(parts, ", "))});
  return all;
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
    const std::string rank = fmt::format("rank correlation{} {}",
                                         pair.value("changes", false) ? " of their changes" : "",
                                         amount_text(std::round(rho * 100) / 100, ""));
    if (std::abs(rho) < 0.5) {
      all.push_back({"related", 25,
                     fmt::format("{}{} and {} hardly rise and fall together ({}, {}).", where_of(r),
                                 a, b, rank, count)});
      continue;
    }
    const std::string text = rho > 0 ? fmt::format("{} and {} rise and fall together", a, b)
                                     : fmt::format("The higher {}, the lower {}", a, b);
    all.push_back({"related", 25 + 35 * std::abs(rho),
                   fmt::format("{}{} ({}, {}).", where_of(r), text, rank, count)});
  }
  return all;
}

}  // namespace

std::vector<Finding> group_findings(const std::string& tool, const Json& result) {
  if (tool == "pattern") return pattern(result);
  if (tool == "shares") return share_findings(result);
  if (tool == "compare_mix") return mix_findings(result);
  if (tool == "compare_parts") return part_findings(result);
  if (tool == "outcomes") return outcomes(result);
  if (tool == "still_open") return open_findings(result);
  if (tool == "compare_columns") return compare_columns(result);
  return related(result);
}

}  // namespace insights
