// What the result of still_open says.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "insights/phrases.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

/// `cat 11 of 202 (5.4 %), dog 7 of 94 (7.4 %)`
std::string groups_text(const Json& groups) {
  constexpr std::size_t most = 8;
  std::vector<std::string> parts;
  for (const Json& group : groups) {
    if (parts.size() == most) break;
    parts.push_back(fmt::format("{} {} of {} ({} %{})", word_at(group, "name"),
                                group.at("count").dump(), group.at("of").dump(),
                                amount_text(std::round(10 * value_at(group, "share")) / 10, ""),
                                lines_of(group)));
  }
  if (groups.size() > parts.size()) parts.emplace_back("…");
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// How much money the open rows are about, in all and by group, the most first.
Finding money_finding(const Json& r, const std::string& head) {
  std::string text =
      fmt::format("{}: {} {} in all", head, word_at(r, "amount"), figure(r, r, "sum"));
  if (r.contains("by")) {
    std::vector<Json> groups = r.at("groups");
    std::ranges::stable_sort(groups, [](const Json& a, const Json& b) {
      return value_at(a, "sum") > value_at(b, "sum");
    });
    text += fmt::format(", by {}", word_at(r, "by"));
    for (std::size_t i = 0; i < std::min(groups.size(), most_named); ++i) {
      text += fmt::format("{}{} {}{}", i == 0 ? ": " : ", ", word_at(groups[i], "name"),
                          figure(r, groups[i], "sum"), in_lines(groups[i]));
    }
  }
  return {"open", r.contains("by") ? 39.0 : 77.0, text + ".", word_at(r, "amount")};
}

}  // namespace

std::vector<Finding> open_findings(const Json& r) {
  const std::string head =
      fmt::format("{}Still open, without '{}'", where_of(r), word_at(r, "last"));
  const auto count = r.at("count").get<std::int64_t>();
  const auto of = r.at("of").get<std::int64_t>();
  if (r.contains("by")) {
    const Json& groups = r.at("groups");
    if (groups.empty() || groups.front().at("count") == 0) return {};
    std::vector<Finding> all{
        {"open", 40, fmt::format("{}, by {}: {}.", head, word_at(r, "by"), groups_text(groups))}};
    if (r.value("sum", 0.0) != 0) all.push_back(money_finding(r, head));
    return all;
  }
  if (count == 0) {
    return {{"open", only_asked, fmt::format("{}: none of {}.", head, counted(of, "row"))}};
  }
  const Json& oldest = r.at("oldest").at(0);
  std::vector<std::string> more{word_at(oldest, "line")};
  for (const Json& one : oldest.at("of")) more.push_back(one);
  std::string text = fmt::format(
      "{}: {} of {} ({} %); the oldest since {} ({}), {} before the last date of the table, {}",
      head, count, counted(of, "row"), amount_text(std::round(10 * value_at(r, "share")) / 10, ""),
      word_at(oldest, "date"), fmt::join(more, ", "), counted(oldest.at("days"), "day"),
      word_at(r, "end"));
  if (r.contains("newest")) {
    text += fmt::format("; half of them since {} or later", word_at(r, "half_since"));
  }
  if (const auto longer = r.at("longer_than_any").get<std::int64_t>(); longer > 0) {
    text += fmt::format("; {} longer than any other took", longer);
  }
  std::vector<Finding> all{{"open", 78, text + "."}};
  if (r.value("sum", 0.0) != 0) all.push_back(money_finding(r, head));
  return all;
}

}  // namespace insights
