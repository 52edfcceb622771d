#include "insights/periods.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include <fmt/format.h>

namespace insights {
namespace {

std::string month_name(const std::string& month) {
  return place_name(Cycle::month, std::atoi(month.substr(5, 2).c_str()) - 1);
}

/// The first month of each.
const std::map<std::string, int>& seasons() {
  static const std::map<std::string, int> all{
      {"spring", 3}, {"summer", 6}, {"autumn", 9}, {"winter", 12}};
  return all;
}

/// Whether it is a month, quarter or year.
bool is_long(const std::string& time) {
  const auto parsed = parse_time(time);
  return parsed && parsed->grain > Grain::week;
}

}  // namespace

bool is_season(const std::string& by) { return seasons().contains(by); }

bool is_span(const std::string& by) {
  static const std::set<std::string> all{"day",  "week",    "month",   "quarter", "year",
                                         "hour", "weekday", "weekend", "night"};
  return all.contains(by) || is_season(by);
}

std::string span_key(const std::string& by, Moment moment) {
  const std::string day = moment_text(moment, false);
  const int weekday = place_in(Cycle::weekday, moment);
  const int hour = place_in(Cycle::hour, moment);
  if (by == "day") return day;
  if (by == "week") return moment_text(day_of(moment) - weekday * day_length, false);
  if (by == "month") return day.substr(0, 7);
  if (by == "quarter") {
    return fmt::format("{} Q{}", day.substr(0, 4), (std::atoi(day.substr(5, 2).c_str()) + 2) / 3);
  }
  if (by == "year") return day.substr(0, 4);
  if (by == "weekday") return fmt::format("{}", weekday);
  if (by == "hour") return fmt::format("{:02}", hour);
  if (by == "weekend") return weekday < 5 ? "0" : "1";
  if (is_season(by)) {
    const int month = std::atoi(day.substr(5, 2).c_str());
    return (month - seasons().at(by) + 12) % 12 < 3 ? "1" : "0";
  }
  return hour >= 6 && hour < 22 ? "0" : "1";
}

std::string span_name(const std::string& by, const std::string& key) {
  const bool is_second = key == "1";
  if (by == "week") return "the week of " + key;
  if (by == "month") return month_name(key) + " " + key.substr(0, 4);
  if (by == "weekday") return place_name(Cycle::weekday, std::atoi(key.c_str()));
  if (by == "hour") return key + ":00";
  if (by == "weekend") return is_second ? "weekends" : "working days (Monday to Friday)";
  if (is_season(by)) {
    const int first = seasons().at(by);
    return !is_second ? "the other months"
                      : fmt::format("{} ({} to {})", by, place_name(Cycle::month, first - 1),
                                    place_name(Cycle::month, (first + 1) % 12));
  }
  if (by == "night") return is_second ? "nights (22:00 to 06:00)" : "days (06:00 to 22:00)";
  return key;
}

std::optional<std::pair<Moment, Moment>> period_bounds(const std::string& period) {
  const std::size_t mark = std::min(period.find('/'), period.size());
  const std::string last = mark < period.size() ? period.substr(mark + 1) : period;
  const auto from = parse_time(period.substr(0, mark));
  const auto to = parse_time(last);
  if (!from || !to) return std::nullopt;
  return std::pair{from->moment, end_of(to->grain, to->moment)};
}

std::string period_name(const std::string& period) {
  const auto [from, to] = *period_bounds(period);
  const std::string first = moment_text(from, false);
  const std::string last = moment_text(to, false);
  const bool is_whole = month_of(from) == from && month_of(to + 1) == to + 1;
  const bool is_year = first.substr(0, 4) == last.substr(0, 4);
  const bool are_years = start_of(Grain::year, from) == from && end_of(Grain::year, to) == to;
  if (are_years) return first.substr(0, 4) + (is_year ? "" : " to " + last.substr(0, 4));
  if (!is_whole) return first == last ? first : first + " to " + last;
  const std::string end = month_name(last) + " " + last.substr(0, 4);
  if (first.substr(0, 7) == last.substr(0, 7)) return end;
  return month_name(first) + (is_year ? "" : " " + first.substr(0, 4)) + " to " + end;
}

std::string time_words(const std::string& time) { return is_long(time) ? period_name(time) : time; }

bool are_as_long(double days, double other) {
  return 5 * std::min(days, other) > 4 * std::max(days, other);
}

std::string on_time(const std::string& time) {
  return (is_long(time) ? " in " : " on ") + time_words(time);
}

}  // namespace insights
