// What the result of compute says.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "insights/figures.hpp"
#include "insights/periods.hpp"
#include "insights/phrases.hpp"
#include "insights/words.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_groups_told = 8;

/// Whether it is how much of one column another is, of a hundred.
bool is_of_whole(const Json& r) {
  return r.contains("per") && r.value("each", 1.0) == 100 &&
         r.value("per_unit", "") == r.value("unit", "");
}

/// ` per Pupil`, ` a month`
std::string each_of(const Json& r) {
  const std::string of = word_at(r, "of");
  return (is_span(of) ? " a " : " per ") + of;
}

/// `Juice per 100 kg of Apples (Press B), 08:00 to 16:00`
std::string subject_of(const Json& r) {
  std::string text = r.at("variable");
  if (r.contains("sign")) text += word_at(r, "sign") == "out" ? " going out" : " coming in";
  if (word_at(r, "figure") == "different") {
    const std::string of = word_at(r, "of");
    text = is_span(of) ? "different " + of + "s" : "different values of " + of;
  }
  if (word_at(r, "figure") == "none") text = word_at(r, "of") + " without " + text;
  if (word_at(r, "figure") == "each") text += each_of(r) + " on average";
  if (is_of_whole(r)) {
    text += " as a share of " + word_at(r, "per");
  } else if (r.contains("per")) {
    const bool is_hour = r.value("each", 1.0) == 60 && r.value("per_unit", "") == "min";
    const std::string each =
        is_hour ? "h" : amount_text(r.value("each", 1.0), r.value("per_unit", ""));
    const std::string per = word_at(r, "per");
    const bool is_each = r.contains("each") || r.contains("per_unit");
    text += per == "rows" ? " per row"
            : is_each     ? fmt::format(" per {} of {}", each, per)
                          : " per " + per;
  }
  std::vector<std::string> values;
  const Json where = r.value("where", Json::object());
  for (const auto& [column, value] : where.items()) {
    values.push_back(value_text(column, value.get<std::string>()));
  }
  if (r.contains("time") && word_at(r, "figure") != "change")
    values.push_back(period_name(word_at(r, "time")));
  if (!values.empty()) text += fmt::format(" ({})", fmt::join(values, ", "));
  if (r.contains("limit")) {
    std::string limit = word_at(r, "limit");
    std::ranges::replace(limit, '_', ' ');
    text += fmt::format(
        " {} {}", limit,
        is_of_whole(r) ? amount_text(value_at(r, "bound"), "%") : figure(r, r, "bound"));
  }
  values.clear();
  const Json part = r.value("of_which", Json::object());
  for (const auto& [column, value] : part.items()) {
    const auto wanted = value.get<std::string>();
    const bool is_one = !wanted.starts_with(one_of);
    values.push_back(fmt::format("{} {}", column, is_one ? wanted : value_text(column, wanted)));
  }
  if (!values.empty()) text += fmt::format(", share with {}", fmt::join(values, ", "));
  if (word_at(r, "figure") == "ends") return text;
  if (word_at(r, "figure") == "change") text += ", from the first to the last";
  if (word_at(r, "figure") == "range") text += ", the highest less the lowest";
  if (word_at(r, "figure") == "spread") text += ", a day's highest less its lowest on average";
  if (word_at(r, "figure") == "deviation") text += ", standard deviation";
  if (r.contains("hours")) {
    text += fmt::format(" from {:02}:00 to {:02}:00", r.at("hours").at(0).get<int>(),
                        r.at("hours").at(1).get<int>());
  }
  return text;
}

/// Of a sum that has days, what that is a day; of a share or ratio, what it is of; when a single
/// row was; and where the rows are.
std::string detail(const Json& r, const Json& one) {
  const std::string kind = word_at(r, "figure");
  if (kind == "share") {
    return fmt::format(" ({} of {}{})", amount_text(value_at(one, "part"), ""),
                       amount_text(value_at(one, "whole"), ""), lines_of(one));
  }
  if (r.contains("per")) {
    return fmt::format(" ({}, {}{})", figure(r, one, "part"),
                       amount_text(value_at(one, "whole"), r.value("per_unit", "")), lines_of(one));
  }
  if (kind == "change") {
    const auto pairs = one.value("pairs", std::size_t{0});
    return fmt::format(" ({}{}, {}{}{}{})", figure(r, one, "first"),
                       on_time(word_at(one, "first_day")), figure(r, one, "last"),
                       on_time(word_at(one, "last_day")),
                       pairs > 1 ? fmt::format("; mean of {}", pairs) : "", lines_of(one));
  }
  if (kind == "most" || kind == "least") {
    std::vector<std::string> of = one.value("of", std::vector<std::string>{});
    of.push_back(word_at(one, "line"));
    return fmt::format("{} ({})", one.contains("date") ? on_time(word_at(one, "date")) : "",
                       fmt::join(of, "; "));
  }
  if (kind == "range") {
    return fmt::format(" ({} to {}{})", figure(r, one, "first"), figure(r, one, "last"),
                       lines_of(one));
  }
  if (kind == "spread") {
    return fmt::format(" ({} days{})", amount_text(value_at(one, "days"), ""), lines_of(one));
  }
  if (kind == "different") {
    const auto values = one.value("values", std::vector<std::string>{});
    return fmt::format(" ({}{}{})",
                       values.empty() ? "" : fmt::format("{}; ", fmt::join(values, ", ")),
                       counted(one.at("rows"), "row"), lines_of(one));
  }
  if (kind == "ends") {
    const auto days = one.at("days").get<std::int64_t>();
    return fmt::format("the last{} ({}), {}; the first{} ({}); {} from the first to the last; {}",
                       on_time(word_at(one, "last_day")), word_at(one, "last_line"),
                       days == 0 ? "at the end of the table"
                                 : counted(days, "day") + " before the end of the table",
                       on_time(word_at(one, "first_day")), word_at(one, "first_line"),
                       counted(one.at("span"), "day"), counted(one.at("rows"), "row"));
  }
  if (kind == "each") {
    const auto whole = one.at("whole").get<std::int64_t>();
    const std::string of = word_at(r, "of");
    return fmt::format(
        " (median {}; {} in {}{})", figure(r, one, "median"), figure(r, one, "part"),
        is_span(of) ? counted(whole, of) + " with any" : fmt::format("{} different {}", whole, of),
        lines_of(one));
  }
  if (kind == "mean") {
    return fmt::format(" (median {}; {}{})", figure(r, one, "median"),
                       counted(one.at("rows"), "row"), lines_of(one));
  }
  const double days = one.value("days", 0.0);
  const std::string step = r.value("step", "day");
  if (days == 1 && step == "day" && r.value("by", "") != "day")
    return " (1 day" + lines_of(one) + ")";
  if (days > 1) {
    const auto a_day = [&](double count) {
      return amount_text(rounded(value_at(one, "value") / count), r.value("unit", ""));
    };
    const double active = one.value("active_days", days);
    const std::string more = active < days
                                 ? fmt::format("; {} on each of the {} {}s with any", a_day(active),
                                               amount_text(active, ""), step)
                                 : "";
    return fmt::format(" ({} {}s, {} a {}{}{})", amount_text(days, ""), step, a_day(days), step,
                       more, lines_of(one));
  }
  return in_lines(one);
}

std::string value_of(const Json& r, const Json& one) {
  const bool is_share = word_at(r, "figure") == "share" || is_of_whole(r);
  const bool is_more = word_at(r, "figure") == "change" && value_at(one, "value") > 0;
  if (word_at(r, "figure") == "different") return amount_text(value_at(one, "value"), "");
  return (is_more ? "+" : "") +
         amount_text(value_at(one, "value"), is_share ? "%" : r.value("unit", ""));
}

std::string group_text(const Json& r, const Json& group) {
  const bool has_groups = word_at(r, "by") != "period";
  const Json one = has_groups ? without_scattered(group) : group;
  const std::string by = word_at(r, "by");
  const bool is_sum = word_at(r, "figure") == "sum" && !r.contains("per");
  const double all = is_sum && r.contains("all") ? value_at(r.at("all"), "value") : 0;
  const std::string name = word_at(one, "name");
  const bool has_share = all > 0 && !one.contains("days");
  return fmt::format(
      "{} {}{}", by == "period" ? name : value_text(by, name), value_of(r, one),
      has_share ? fmt::format(" ({:.1f} %{})", 100 * value_at(one, "value") / all, lines_of(one))
                : detail(r, one));
}

std::string in_all(const Json& r) {
  if (!r.contains("all")) return "";
  const std::string kind = word_at(r, "figure");
  const Json& all = r.at("all");
  if (kind == "most" || kind == "least" || kind == "ends") return "";
  if (kind == "change" && r.contains("by")) return "";
  if (kind == "sum" && !r.contains("per"))
    return value_of(r, all) + (r.contains("by") ? " in all" : "");
  return value_of(r, all) + (kind == "mean" ? " on average" : "") +
         (r.contains("by") ? " altogether" : "");
}

/// `; without that of callouts.csv:7 (14,500 kg) 8,100 kg`
std::string without_one(const Json& r) {
  if (!r.contains("one")) return "";
  return fmt::format("; {} of it is one row ({}), and {} the others",
                     figure(r, r.at("one"), "value"), word_at(r.at("one"), "line"),
                     figure(r, r.at("one"), "rest"));
}

std::string asked_groups(const Json& r) {
  const Json& groups = r.at("groups");
  std::vector<std::string> texts;
  for (const Json& one : groups) {
    if (texts.size() < most_groups_told || groups.size() <= most_groups_told + 4)
      texts.push_back(group_text(r, one));
  }
  std::string text = fmt::format("{}", fmt::join(texts, ", "));
  const std::size_t more = groups.size() - texts.size() + r.value("not_shown", std::size_t{0});
  if (more > 0) {
    const Json& last = r.contains("last") ? r.at("last") : groups.back();
    text += fmt::format(", and {} more; the {}: {}", more,
                        r.value("order", "") == "least" ? "most" : "least", group_text(r, last));
  }
  if (r.contains("zeros"))
    text += fmt::format("; 0 for the other {}", r.at("zeros").get<std::size_t>());
  return text;
}

/// `; weekends have 58.39 EUR a day more, 4.1 times as much`, of all days, also those without any.
std::string difference_of_weekends(const Json& r) {
  const Json& groups = r.at("groups");
  const bool is_sum = word_at(r, "figure") == "sum";
  double value[2]{value_at(groups[0], "value"), value_at(groups[1], "value")};
  for (const std::size_t at : {0U, 1U}) {
    const double days = groups[at].value("days", 0.0);
    if (is_sum && days == 0) return "";
    if (is_sum) value[at] /= days;
  }
  const std::size_t high = value[0] < value[1] ? 1 : 0;
  const std::string name = word_at(groups[high], "name");
  const double more = rounded(value[high] - value[1 - high]);
  if (more == 0) return "";
  const double factor = value[1 - high] > 0 ? value[high] / value[1 - high] : 0;
  return fmt::format(
      "; {} have {} {}{}", name.substr(0, name.find(" (")), amount_text(more, r.value("unit", "")),
      is_sum ? "more a " + r.value("step", std::string{"day"}) : "more",
      is_sum && factor >= 1.05
          ? fmt::format(", {} times as much", amount_text(std::round(factor * 10) / 10, ""))
          : "");
}

/// By how much the higher of two means that are compared is higher.
std::string difference_of(const Json& r) {
  const Json& groups = r.at("groups");
  const bool is_pair = word_at(r, "by") == "weekend" || is_season(word_at(r, "by"));
  if (is_pair && groups.size() == 2 && !r.contains("per") &&
      (word_at(r, "figure") == "sum" || word_at(r, "figure") == "mean"))
    return difference_of_weekends(r);
  if (!r.contains("compared") || groups.size() != 2 || word_at(r, "figure") != "mean") return "";
  const std::size_t high = value_at(groups[0], "value") < value_at(groups[1], "value") ? 1 : 0;
  return more_text(r, word_at(groups[high], "name"), value_at(groups[1 - high], "value"),
                   value_at(groups[high], "value"), false);
}

/// `; the times are not as long: 120 and 365 days`, of sums.
std::string lengths_text(const Json& r) {
  const auto lengths = r.value("lengths", std::vector<double>{0, 0});
  const bool is_sum = word_at(r, "figure") == "sum" && !r.contains("per");
  if (!is_sum || lengths[0] <= 0 || are_as_long(lengths[0], lengths[1])) return "";
  return fmt::format("; the times are not as long: {} and {}", amount_text(lengths[0], ""),
                     counted(static_cast<std::int64_t>(lengths[1]), "day"));
}

/// From the first period to the second; of sums over different times what that is a day.
std::string change_of(const Json& r) {
  const Json& groups = r.at("groups");
  double from = value_at(groups[0], "value");
  double to = value_at(groups[1], "value");
  const double days[]{groups[0].value("days", 0.0), groups[1].value("days", 0.0)};
  const auto lengths = r.value("lengths", std::vector<double>{0, 0});
  // Where each day has its rows, what that is a day tells more of February than its sum.
  const bool is_daily = days[0] >= lengths[0] && days[1] >= lengths[1];
  const bool is_as_long = are_as_long(lengths[0], lengths[1]) && !is_daily;
  const bool is_rate = !is_as_long && std::min(days[0], days[1]) > 0 && days[0] != days[1];
  const bool is_total = !is_rate || are_as_long(days[0], days[1]);
  const double total = to - from;
  if (is_rate) {
    from /= days[0];
    to /= days[1];
  }
  const double change = is_total ? total : to - from;
  const std::string moved = is_total ? fmt::format(", it {} by ", change > 0 ? "rose" : "fell")
                                     : fmt::format(", {} of ", change > 0 ? "a rise" : "a fall");
  const std::string each = " a " + r.value("step", std::string{"day"});
  const std::string rate = is_total ? "" : each;
  if (word_at(r, "figure") == "share" || is_of_whole(r)) {
    const double points = std::round(std::abs(change) * 10) / 10;
    return points == 0 ? "" : moved + amount_text(points, "") + " points" + rate;
  }
  if (change == 0) return "";
  const std::string more = amount_text(rounded(std::abs(change)), r.value("unit", "")) + rate;
  if (!r.value("amount", false) || from <= 0) return moved + more;
  const double percent = 100 * std::abs(to / from - 1);
  const double shown = percent < 10 ? std::round(percent * 10) / 10 : std::round(percent);
  return fmt::format("{}{} ({}{})", moved, more, amount_text(to > from ? shown : -shown, "%"),
                     is_rate && is_total ? each : "");
}

/// `Fish 12,800 and 10,231, it fell by 2569 (−20 %)`; where no change is asked for, also which part
/// of all it was.
std::string move_text(const Json& r, const Json& move, const std::string& name) {
  Json both = r;
  both["groups"] = Json::array({move.at("first"), move.at("second")});
  const bool has_parts = word_at(r, "figure") == "sum" && !r.contains("per") &&
                         !r.contains("order") && r.contains("moved") && move != r.at("moved");
  const auto part = [&](const char* time) {
    const double all = has_parts ? value_at(r.at("moved").at(time), "value") : 0;
    if (all <= 0) return std::string{};
    return fmt::format(" ({:.1f} %)", 100 * value_at(move.at(time), "value") / all);
  };
  return fmt::format("{}{}{} and {}{}{}", name, value_of(r, move.at("first")), part("first"),
                     value_of(r, move.at("second")), part("second"), change_of(both));
}

/// What each group was in two times, and by how much it has moved.
std::string moves_text(const Json& r, const std::string& name) {
  const Json& groups = r.at("groups");
  const std::string by = word_at(r, "by");
  const std::size_t told = groups.size() <= most_groups_told + 4 ? groups.size() : most_groups_told;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < told; ++i)
    texts.push_back(move_text(r, groups[i], value_text(by, word_at(groups[i], "name")) + " "));
  if (const std::size_t more = groups.size() - told + r.value("not_shown", std::size_t{0});
      more > 0) {
    const Json& last = r.contains("last") ? r.at("last") : groups.back();
    texts.push_back(fmt::format("and {} more, the last of them {}", more,
                                move_text(r, last, value_text(by, word_at(last, "name")) + " ")));
  }
  const bool has_all = r.contains("moved") && !r.contains("compared");
  return fmt::format("{} by {}, {} against {}{}: {}{}.", name, by,
                     r.at("periods").at(0).get<std::string>(),
                     r.at("periods").at(1).get<std::string>(),
                     has_all ? fmt::format(" ({}{})", move_text(r, r.at("moved"), "altogether "),
                                           lines_of(r.at("all")))
                             : in_lines(r.at("all")),
                     fmt::join(texts, "; "), lengths_text(r) + merged_text(r));
}

/// `, above 1 each: 65 of 104 Customer`: of groups that a condition leaves, how many they are.
std::string having_text(const Json& r) {
  std::string text;
  if (r.contains("having")) {
    const auto limit = *number_wanted(word_at(r, "having"));
    const std::string unit =
        word_at(r, "figure") == "share" || is_of_whole(r) ? "%" : r.value("unit", "");
    text += fmt::format(", {} {} each", limit.first, amount_text(limit.second, unit));
  }
  if (r.contains("least_rows"))
    text += fmt::format(", of {} or more", counted(r.at("least_rows"), "row"));
  return text + fmt::format(" ({} of {})",
                            r.at("groups").size() + r.value("not_shown", std::size_t{0}),
                            r.at("of_groups").get<std::size_t>());
}

/// `Runner without results (2024): 1 of 17, Ken Uttley (the last on 2023-07-22)`
std::string none_text(const Json& r, const std::string& name) {
  std::vector<std::string> texts;
  for (const Json& one : r.at("values")) {
    const std::string line = word_at(one, "line");
    texts.push_back(fmt::format(
        "{} ({})", value_text(word_at(r, "of"), word_at(one, "name")),
        one.contains("date") ? fmt::format("the last{}; {}", on_time(word_at(one, "date")), line)
                             : line));
  }
  const auto count = r.at("value").get<std::size_t>();
  const std::size_t more = count - texts.size();
  return fmt::format("{}: {} of {}{}{}{}.", name, count == 0 ? "none" : std::to_string(count),
                     r.at("whole").get<std::size_t>(), texts.empty() ? "" : ", ",
                     fmt::join(texts, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

}  // namespace

std::vector<Finding> query_findings(const Json& r) {
  const std::string name = subject_of(r);
  const std::string kind = word_at(r, "figure");
  if (kind == "none") return {{"compared", 120, none_text(r, name)}};
  if (!r.contains("groups")) {
    if (!r.contains("all")) return {};
    const Json& all = r.at("all");
    const bool is_one = kind == "most" || kind == "least";
    const std::string value =
        is_one
            ? fmt::format("the {} is {}", kind == "most" ? "highest" : "lowest", value_of(r, all))
            : in_all(r) + (kind == "sum" && !r.contains("per") ? " in all" : "");
    return {{"compared", 120,
             fmt::format("{}: {}{}{}{}.", name, value, detail(r, all), not_in_ratio(r),
                         without_one(r))}};
  }
  const Json& groups = r.at("groups");
  const std::string by = word_at(r, "by") == "measure" ? "" : " by " + word_at(r, "by");
  if (groups.empty() && r.contains("of_groups"))
    return {{"compared", 120, fmt::format("{}{}{}: none.", name, by, having_text(r))}};
  if (groups.empty()) return {};
  if (r.contains("periods")) return {{"compared", 120, moves_text(r, name)}};
  if (word_at(r, "by") == "period") {
    if (groups.size() < 2) return {};
    return {{"compared", 120,
             fmt::format("{}: {}, {}{}{}.", name, group_text(r, groups[0]),
                         group_text(r, groups[1]), change_of(r), lengths_text(r))}};
  }
  const std::string all = r.contains("of_groups") ? "" : in_all(r);
  const bool is_scattered = std::ranges::any_of(groups, [](const Json& group) {
    return group.contains("lines") && !without_scattered(group).contains("lines");
  });
  const Json whole = is_scattered ? r.value("all", Json::object()) : Json::object();
  std::string head = name + by + (r.contains("of_groups") ? having_text(r) : "") +
                     (all.empty() ? in_lines(whole) : fmt::format(" ({}{})", all, lines_of(whole)));
  if (const auto at = head.find(") ("); at != head.npos) head.replace(at, 3, "; ");
  return {{"compared", 120,
           fmt::format("{}: {}{}{}{}{}.", head, asked_groups(r), difference_of(r), merged_text(r),
                       not_in_ratio(r), without_one(r))}};
}

}  // namespace insights
