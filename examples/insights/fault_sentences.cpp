// What the result of find_faults says.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "insights/moments.hpp"
#include "insights/phrases.hpp"

namespace insights {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_places = 5;

/// `sales.csv:94 (2025-05-14, Bread, Old Town)`
std::string place_text(const Json& place) {
  std::vector<std::string> what;
  if (place.contains("name")) what.push_back(word_at(place, "name"));
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

/// `4.5 days`, `15 h`
std::string length_text(double days) {
  return days < 1 ? amount_text(std::round(days * 240) / 10, "h")
                  : amount_text(std::round(days * 10) / 10, days == 1 ? "day" : "days");
}

/// `There are no readings on Mondays, Tuesdays and Sundays.`, of most weekdays on which there are.
std::string closed_text(std::vector<std::string> days) {
  constexpr std::size_t few = 3;
  const bool are_many = days.size() > few;
  if (are_many) {
    std::vector<std::string> open;
    for (int at = 0; at < 7; ++at) {
      const std::string day = place_name(Cycle::weekday, at);
      if (std::ranges::find(days, day) == days.end()) open.push_back(day);
    }
    days = std::move(open);
  }
  std::string text = are_many ? "There are readings only on " : "There are no readings on ";
  for (std::size_t i = 0; i < days.size(); ++i)
    text += (i == 0 ? "" : i + 1 == days.size() ? " and " : ", ") + days[i] + "s";
  return text + ".";
}

std::string gap_text(const Json& gap) {
  if (!gap.contains("days")) {
    const std::vector<std::string> of = gap.value("of", std::vector<std::string>{});
    return fmt::format(
        "There is no reading{} between {} and {} ({}): {} {} missing.",
        of.empty() ? "" : fmt::format(" of {}", fmt::join(of, ", ")), word_at(gap, "after"),
        word_at(gap, "before"), length_text(value_at(gap, "length")),
        counted(gap.at("missing"), word_at(gap, "step")), gap.at("missing") == 1 ? "is" : "are");
  }
  const auto days = gap.at("days").get<std::int64_t>();
  if (days == 1) {
    return fmt::format("There is no reading on {}, a {}.", word_at(gap, "last"),
                       word_at(gap, "weekday"));
  }
  return fmt::format("There is no reading from {} to {}, on {} that usually have some.",
                     word_at(gap, "first"), word_at(gap, "last"), counted(days, "day"));
}

std::string stuck_text(const Json& one) {
  return fmt::format(
      "no change from {} to {}, {} for {}, where the next longest run has {} (from {} on)",
      word_at(one, "date"), word_at(one, "to"), figure(one, one, "value"),
      counted(one.at("count"), "reading"), one.at("next_longest").get<int>(), word_at(one, "line"));
}

std::string count_of_missing(const Json& one) {
  return fmt::format("{} of {}", counted(one.at("count"), "missing value"), one.at("of").dump());
}

std::string missing_text(const Json& one) {
  const auto count = one.at("count").get<std::int64_t>();
  const std::string text = count_of_missing(one);
  if (one.contains("last"))
    return fmt::format("{}: {} … {}", text, place_text(one.at("places").front()),
                       place_text(one.at("last")));
  if (!one.contains("only")) return text + places_text(one.at("places"), count);
  const Json& only = one.at("only");
  return fmt::format("{}, only where {} is {}", text, word_at(only, "column"),
                     fmt::join(only.at("values").get<std::vector<std::string>>(), " or "));
}

/// The longest time without events, and without those of one value.
std::vector<Finding> quiet_findings(const Json& quiet, bool is_told) {
  std::vector<Finding> all;
  if (quiet.contains("longest")) {
    const Json& one = quiet.at("longest");
    const bool is_clear = one.value("clear", false) && !is_told;
    const std::string usual = one.at("usual_days") == 0
                                  ? ""
                                  : fmt::format("; half of the times between two are {} or less",
                                                length_text(value_at(one, "usual_days")));
    all.push_back({"quiet", is_clear ? 57 : only_asked,
                   fmt::format("The longest time with no row is {}, from {} to {}{}.",
                               length_text(value_at(one, "days")), word_at(one, "after"),
                               word_at(one, "before"), usual)});
  }
  if (quiet.contains("run")) {
    const Json& one = quiet.at("run");
    all.push_back({"runs", only_asked,
                   fmt::format("The most days in a row with any: {}, from {} to {}.",
                               one.at("days").dump(), word_at(one, "from"), word_at(one, "to"))});
  }
  for (const Json& one : quiet.at("of_values")) {
    all.push_back(
        {"quiet", 56,
         fmt::format("{} {}: none from {} to {}, {}, while there were {} others.",
                     word_at(one, "variable"), word_at(one, "value"), word_at(one, "after"),
                     word_at(one, "before"), length_text(value_at(one, "days")),
                     one.at("others").get<std::int64_t>()),
         word_at(one, "variable")});
  }
  return all;
}

std::string zeros_text(const Json& one) {
  const auto count = one.at("count").get<std::int64_t>();
  return fmt::format("0 in {} of {}, where all others are {} or more{}", count,
                     counted(one.at("of"), "reading"), figure(one, one, "least"),
                     places_text(one.at("places"), count));
}

double weight_of_missing(const Json& one) {
  if (one.contains("only")) return 25;
  return one.at("places").empty() ? 20 : 55;
}

std::string spelling_text(const Json& one) {
  return fmt::format("{}: '{}' ({}; {}) is perhaps '{}'.", word_at(one, "variable"),
                     word_at(one, "value"), counted(one.at("count"), "reading"),
                     word_at(one, "line"), word_at(one, "like"));
}

/// `every day`, `every 3 days`
std::string spacing_text(const Json& one) {
  return one.at("every") == 1
             ? "every day"
             : fmt::format("every {} days", amount_text(value_at(one, "every"), ""));
}

/// What was set aside, with what the others are like.
std::string mistakes_text(const Json& one) {
  std::vector<std::string> places;
  for (const Json& place : one.at("places")) {
    if (places.size() == most_places) break;
    places.push_back(figure(one, place, "value") + " at " + place_text(place));
  }
  const auto count = one.at("count").get<std::size_t>();
  const std::string more =
      count > places.size() ? fmt::format(" and {} more", count - places.size()) : "";
  return fmt::format(
      "{}{} {} taken for {} and left out of the figures; all others are from {} to "
      "{}, half of them {} or more",
      fmt::join(places, ", "), more, count == 1 ? "is" : "are",
      count == 1 ? "a mistake" : "mistakes", figure(one, one, "low"), figure(one, one, "high"),
      figure(one, one, "usual"));
}

/// Which values have stopped or are new, or that none has.
std::vector<Finding> end_findings(const Json& ends) {
  std::vector<Finding> all;
  for (const Json& one : ends.at("stopped")) {
    all.push_back(
        {"ends", 66,
         fmt::format("{} {}: last on {}, {} before the end of the table; it usually comes "
                     "{}.",
                     word_at(one, "variable"), word_at(one, "value"), word_at(one, "date"),
                     counted(one.at("days"), "day"), spacing_text(one)),
         word_at(one, "variable")});
  }
  for (const Json& one : ends.at("new")) {
    all.push_back(
        {"ends", 65,
         fmt::format("{} {}: first on {}, {} after the start of the table; from then on "
                     "it usually comes {}.",
                     word_at(one, "variable"), word_at(one, "value"), word_at(one, "date"),
                     counted(one.at("days"), "day"), spacing_text(one)),
         word_at(one, "variable")});
  }
  const auto judged = ends.at("judged").get<std::vector<std::string>>();
  if (all.empty() && !judged.empty()) {
    all.push_back({"ends", only_asked,
                   fmt::format("No value of {} has stopped or is new, of those with rows on ten "
                               "days or more.",
                               fmt::join(judged, ", "))});
  }
  return all;
}

}  // namespace

std::vector<Finding> remark_findings(const Json& r) {
  std::vector<std::string> texts;
  for (const Json& one : r.at("remarks")) {
    std::vector<std::string> of = one.value("of", std::vector<std::string>{});
    if (one.contains("date")) of.insert(of.begin(), word_at(one, "date"));
    of.push_back(word_at(one, "line"));
    texts.push_back(fmt::format("\"{}\" ({})", word_at(one, "text"), fmt::join(of, "; ")));
  }
  if (texts.empty()) return {};
  const std::size_t more = r.at("count").get<std::size_t>() - texts.size();
  const auto words = r.at("words").get<std::size_t>();
  return {{"remarks",
           words > 1                ? 118
           : more > 0 && words == 0 ? only_asked
                                    : 64,
           fmt::format("Noted: {}{}.", fmt::join(texts, ", "),
                       more > 0 ? fmt::format(", and {} more", more) : "")}};
}

std::vector<Finding> fault_findings(const Json& r) {
  std::vector<Finding> all;
  const auto tell = [&](double weight, std::string text) {
    all.push_back({"quality", weight, std::move(text)});
  };
  const auto tell_of = [&](Json one, double weight, const std::string& text) {
    if (r.contains("where")) one["where"] = r.at("where");
    tell(weight, fmt::format("{}: {}.", subject(one), text));
    all.back().variable = word_at(one, "variable");
  };
  for (const Json& one : r.value("mistakes", Json::array())) {
    tell_of(one, 84, mistakes_text(one));
    all.back().kind = "unusual";
    all.back().event = "mistake" + place_text(one.at("places").front());
  }
  for (const Json& one : r.at("stuck")) tell_of(one, 66, stuck_text(one));
  for (const Json& gap : r.at("gaps")) {
    tell(58, gap_text(gap));
    all.back().kind = "gap";
    all.back().event = "gap";
    all.back().brief = gap_text(gap).substr(std::string_view{"There is "}.size());
    all.back().brief.pop_back();
  }
  if (r.at("gaps").empty() && r.contains("regular")) {
    const std::string where = where_of(r);
    tell(only_asked,
         fmt::format("{}{}here is no gap in the readings.", where, where.empty() ? "T" : "t"));
    all.back().kind = "gap";
  }
  for (const Json& one : r.value("zeros", Json::array())) tell_of(one, 55, zeros_text(one));
  for (const Json& one : r.at("negative")) {
    const auto count = one.at("count").get<std::int64_t>();
    tell_of(one, 57,
            fmt::format("below zero in {}{}", counted(count, "reading"),
                        places_text(one.at("places"), count)));
    all.back().event = "below zero" + place_text(one.at("places").front());
  }
  if (const auto count = static_cast<std::int64_t>(r.at("repeated").size()); count > 0) {
    const bool is_one = count == 1;
    tell(56,
         fmt::format("{} {} there twice{}; {} once.", counted(count, "row"), is_one ? "is" : "are",
                     places_text(r.at("repeated"), count), is_one ? "it counts" : "they count"));
  }
  for (const Json& one : r.value("spellings", Json::array())) {
    tell(53, spelling_text(one));
    all.back().variable = word_at(one, "variable");
    all.back().event = "spelling";
    all.back().brief = spelling_text(one);
    all.back().brief.pop_back();
  }
  for (const Json& one : r.at("missing")) {
    tell_of(one, weight_of_missing(one), missing_text(one));
    if (all.back().weight < 30) continue;
    all.back().event = "missing";
    all.back().brief = fmt::format("{}: {}, the first at {}", subject(one), count_of_missing(one),
                                   place_text(one.at("places").front()));
  }
  for (const Json& problem : r.value("problems", Json::array())) {
    const auto text = problem.get<std::string>();
    tell(54, text + ".");
    all.back().event = text.substr(0, text.find(": "));  // the first place
  }
  for (const Json& file : r.value("left_out", Json::array())) {
    tell(2, "Not looked at: " + file.get<std::string>() + ".");
  }
  if (r.contains("quiet")) {
    for (Finding& one : quiet_findings(r.at("quiet"), !r.at("gaps").empty()))
      all.push_back(std::move(one));
  }
  if (r.contains("ends")) {
    for (Finding& one : end_findings(r.at("ends"))) all.push_back(std::move(one));
  }
  if (r.contains("closed")) {
    tell(only_asked, closed_text(r.at("closed").get<std::vector<std::string>>()));
  }
  return all;
}

}  // namespace insights
