// What the result of shares says.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "insights/periods.hpp"
#include "insights/phrases.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;
using Findings = std::vector<Finding>;

constexpr std::size_t most_brief = 4;  // groups, where several columns are told in one line

/// Of all rows of a group those that are asked for.
double rate_of(const Json& group) { return 100 * value_at(group, "sum") / value_at(group, "of"); }

/// Whether the groups differ in how many of their rows are asked for.
bool rates_differ(const Json& groups) {
  constexpr double clear_ratio = 1.2;
  double least = 100;
  double most = 0;
  for (const Json& group : groups) {
    if (!group.contains("of")) return false;
    least = std::min(least, rate_of(group));
    most = std::max(most, rate_of(group));
  }
  return most > clear_ratio * least;
}

/// `4858 USD`, or `19; 15.3 % of its 124`.
std::string sum_of(const Json& r, const Json& group) {
  const std::string sum = figure(r, group, "sum");
  if (!rates_differ(r.at("groups"))) return sum;
  return fmt::format("{}; {:.1f} % of its {}", sum, rate_of(group), group.at("of").dump());
}

bool have_different_sizes(const Json& groups) {
  return std::ranges::any_of(groups, [&](const Json& group) {
    return group.at("readings") != groups.front().at("readings");
  });
}

/// `Dairy 35.1 % (4858 EUR; sales.csv:3…411)`, or, of a level, `Dairy 17.3 °C (sales.csv:3…411)`.
/// @param with_lines  false: without the lines
std::string share_text(const Json& r, const Json& of, bool with_lines = true) {
  const Json group = without_scattered(of);
  if (!group.contains("share") && r.value("amount", false)) {  // some are below zero
    return word_at(group, "name") + " " + figure(r, group, "sum") +
           (with_lines ? in_lines(group) : "");
  }
  if (!group.contains("share")) {
    const std::string text = word_at(group, "name") + " " + figure(r, group, "mean");
    std::vector<std::string> base;
    if (have_different_sizes(r.at("groups")))
      base.push_back(counted(group.at("readings"), "reading"));
    if (may_be_summed(r)) base.push_back(figure(r, group, "sum") + " in all");
    if (with_lines && group.contains("lines")) base.push_back(word_at(group, "lines"));
    return base.empty() ? text : fmt::format("{} ({})", text, fmt::join(base, ", "));
  }
  const double exact = value_at(group, "share");
  const double share = std::round(exact * 10) / 10;
  return fmt::format("{} {} % ({}{})", word_at(group, "name"),
                     exact > 0 && share == 0 ? "under 0.1" : amount_text(share, ""),
                     sum_of(r, group), with_lines ? lines_of(group) : "");
}

/// Of more groups than are named, the last.
std::string rest_text(const Json& r, std::size_t named) {
  const Json& groups = r.at("groups");
  const std::size_t rest = groups.size() + r.value("not_shown", std::size_t{0}) - named;
  if (rest == 0) return "";
  if (r.contains("not_shown")) return fmt::format(", and {} more", rest);
  return fmt::format("{}; the least: {}", rest > 1 ? fmt::format(", and {} more", rest - 1) : "",
                     share_text(r, groups.back()));
}

/// Two values that were asked for, set against each other.
Findings set_against(const Json& r) {
  if (!r.contains("compared")) return {};
  const Json& compared = r.at("compared");
  const bool amount = compared.at(0).contains("share") || r.value("amount", false);
  const char* what = amount ? "sum" : "mean";
  const std::size_t more = value_at(compared.at(1), what) > value_at(compared.at(0), what) ? 1 : 0;
  const Json& a = compared.at(more);
  const Json& b = compared.at(1 - more);
  const double from = value_at(b, what);
  const double to = value_at(a, what);
  std::string text = fmt::format("{}: {} {}{}{}, {} {}{}", subject(r), word_at(a, "name"),
                                 figure(r, a, what), amount ? " in all" : " on average",
                                 in_lines(a), word_at(b, "name"), figure(r, b, what), in_lines(b));
  text += more_text(r, word_at(a, "name"), from, to, amount);
  return {{"compared", 115, text + "."}};
}

Findings of_shares(const Json& r) {
  const Json& groups = r.at("groups");
  if (groups.size() < 2) return {};
  const bool counts = !r.contains("variable");
  const bool of_each = counts && r.at("readings") == groups.size();  // a name of each reading
  if (of_each) return {};
  const bool are_equal =
      counts && !rates_differ(groups) && groups.front().at("sum") == groups.back().at("sum");
  const bool amount = !counts && r.at("amount").get<bool>();
  const bool is_clear = counts || amount || value_at(r, "explains") >= clear_pattern;
  std::vector<std::string> parts;
  for (const Json& group : groups) {
    if (parts.size() == most_named) break;
    parts.push_back(share_text(r, group));
  }
  const bool is_scattered = std::ranges::any_of(groups, [](const Json& group) {
    return group.contains("lines") && !without_scattered(group).contains("lines");
  });
  Findings all = set_against(r);
  all.push_back(
      {"shares",
       amount      ? 63.0
       : are_equal ? only_asked - 10
       : counts    ? 42.0
       : !is_clear ? only_asked
                   : 40 + 25 * value_at(r, "explains"),
       fmt::format("{} by {}{}: {}{}.", subject(r), word_at(r, "by"),
                   counts || amount
                       ? fmt::format(" ({} in all{}{})", figure(r, r, "sum"), left_out_of(r),
                                     is_scattered ? lines_of(r) : "")
                       : ", on average" + left_out_of(r) + (is_scattered ? in_lines(r) : ""),
                   fmt::join(parts, ", "), rest_text(r, parts.size()) + merged_text(r))});
  parts.clear();
  for (std::size_t i = 0; i < std::min(groups.size(), most_brief); ++i)
    parts.push_back(share_text(r, groups[i], false));
  all.back().brief =
      fmt::format("{} by {}{}{}: {}", subject(r), word_at(r, "by"),
                  counts || amount ? "" : ", on average", in_lines(r), fmt::join(parts, ", "));
  return all;
}

/// Of an amount the mean of each group's rows, the highest first; the shares do not say it.
Findings averages(const Json& r) {
  if (!r.contains("variable") || r.value("counts", false) || !r.value("amount", false)) return {};
  std::vector<Json> groups = r.at("groups");
  std::ranges::stable_sort(groups, [](const Json& a, const Json& b) {
    return value_at(a, "mean") > value_at(b, "mean");
  });
  const auto text = [&](const Json& of) {
    const Json group = without_scattered(of);
    return fmt::format("{} {} ({}, median {}{})", word_at(group, "name"), figure(r, group, "mean"),
                       counted(group.at("readings"), "reading"), figure(r, group, "median"),
                       lines_of(group));
  };
  std::vector<std::string> parts;
  for (const Json& group : groups) {
    if (parts.size() < most_named) parts.push_back(text(group));
  }
  const bool has_more = groups.size() > parts.size();
  return {{"averages", -1,
           fmt::format("{} by {}, on average of a reading: {}{}.", subject(r), word_at(r, "by"),
                       fmt::join(parts, ", "),
                       has_more ? "; the lowest: " + text(groups.back()) : "")}};
}

/// From when to when each group goes.
Findings peaks(const Json& r) {
  std::vector<std::string> parts;
  for (const Json& group : r.at("groups")) {
    if (!group.contains("max_line") || parts.size() == most_named) continue;
    parts.push_back(fmt::format("{} {}{} ({}; lowest {}{}, {})", word_at(group, "name"),
                                figure(r, group, "max"), on_time(word_at(group, "max_date")),
                                word_at(group, "max_line"), figure(r, group, "min"),
                                on_time(word_at(group, "min_date")), word_at(group, "min_line")));
  }
  if (parts.empty()) return {};
  return {{"peaks", only_asked,
           fmt::format("{} by {}, the highest reading of each: {}.", subject(r), word_at(r, "by"),
                       fmt::join(parts, ", "))}};
}

}  // namespace

Findings share_findings(const Json& r) {
  Findings all = of_shares(r);
  if (r.at("groups").size() < 2) return all;
  for (Finding& one : averages(r)) all.push_back(std::move(one));
  for (Finding& one : peaks(r)) all.push_back(std::move(one));
  return all;
}

}  // namespace insights
