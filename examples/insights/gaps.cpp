#include "insights/gaps.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include "insights/figures.hpp"

namespace insights::tool {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_gaps = 5;
constexpr std::size_t least_moments = 10;
constexpr Moment month = 28 * day_length;  // or longer

/// The weekdays that have a reading.
std::set<int> open_days(const std::vector<Moment>& moments) {
  std::set<int> open;
  for (const Moment moment : moments) open.insert(place_in(Cycle::weekday, moment));
  return open;
}

std::vector<double> steps_of(const std::vector<Moment>& moments) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < moments.size(); ++i) {
    steps.push_back(static_cast<double>(moments[i] - moments[i - 1]));
  }
  return steps;
}

bool is_regular(const std::vector<double>& steps) {
  const double usual = median(steps);
  return usual > 0 && usual <= 31 * day_length && quantile(steps, 0.75) <= 1.5 * usual;
}

/// When readings are usually taken: at a place of the day, `step` long, on more than half of the
/// days of that weekday, or in which months.
class Usually {
 public:
  Usually(const std::vector<Moment>& moments, Moment step) : step_(step) {
    std::map<int, std::set<Moment>> days;
    std::map<std::pair<int, Moment>, std::set<Moment>> taken;
    for (const Moment moment : moments) {
      const int weekday = place_in(Cycle::weekday, moment);
      days[weekday].insert(day_of(moment));
      taken[{weekday, place(moment)}].insert(day_of(moment));
      months_.insert(place_in(Cycle::month, moment));
    }
    const bool is_short = moments.back() - moments.front() < 2 * 365 * day_length;
    if (step_ < month || is_short) months_.clear();
    for (const auto& [at, some] : taken) {
      if (2 * some.size() > days[at.first].size()) usual_.insert(at);
    }
  }

  [[nodiscard]] bool has(Moment moment) const {
    if (!months_.empty()) return months_.contains(place_in(Cycle::month, moment));
    return step_ > day_length || usual_.contains({place_in(Cycle::weekday, moment), place(moment)});
  }

 private:
  /// Days have one place.
  [[nodiscard]] Moment place(Moment moment) const {
    return step_ >= day_length ? 0 : (moment - day_of(moment)) / step_;
  }

  Moment step_;
  std::set<std::pair<int, Moment>> usual_;
  std::set<int> months_;  ///< of readings by month over two years and more: a season has others
};

/// How many more readings there would be between neighbours, `step` apart, at usual times.
std::int64_t missing_between(Moment from, Moment to, Moment step, const Usually& usually) {
  std::int64_t missing = 0;
  for (Moment at = from + step; at + step / 2 < to; at += step) {
    missing += usually.has(at) ? 1 : 0;
  }
  return missing;
}

/// Days between readings of other days. A gap stands out when it is three times as long as nearly
/// all others.
void put_days(Json& all, const std::vector<Moment>& days, const std::set<int>& open) {
  const Usually usually{days, day_length};
  std::vector<double> lengths;
  for (std::size_t i = 1; i < days.size(); ++i) {
    lengths.push_back(
        static_cast<double>(missing_between(days[i - 1], days[i], day_length, usually)));
  }
  const double usual = quantile(lengths, 0.95);
  for (std::size_t i = 1; i < days.size(); ++i) {
    const double missing = lengths[i - 1];
    if (missing < 1 || missing < 3 * usual) continue;
    const auto is_closed = [&](Moment day) {
      return !open.contains(place_in(Cycle::weekday, day));
    };
    Moment first = days[i - 1] + day_length;
    Moment last = days[i] - day_length;
    while (is_closed(first)) first += day_length;
    while (is_closed(last)) last -= day_length;
    all["gaps"].push_back({{"first", moment_text(first, false)},
                           {"last", moment_text(last, false)},
                           {"after", moment_text(days[i - 1], false)},
                           {"before", moment_text(days[i], false)},
                           {"weekday", place_name(Cycle::weekday, place_in(Cycle::weekday, last))},
                           {"days", missing}});
  }
}

Json gap_between(const Table& table, Moment after, Moment before, std::int64_t missing,
                 Moment step) {
  const bool is_month = step >= month && step <= month + 3 * day_length;
  const auto when = [&](Moment moment) {
    const std::string text = moment_text(moment, table.has_clock);
    return is_month ? text.substr(0, 7) : text;
  };
  return {{"after", when(after)},
          {"before", when(before)},
          {"length", rounded(static_cast<double>(before - after) / day_length)},
          {"missing", missing},
          {"step", step == day_length ? "day"
                   : is_month         ? "month"
                                      : "reading"}};
}

using Groups = std::map<std::vector<std::string>, std::vector<Moment>>;

/// One gap of a value in place of those of all keys with it: of a shop, not of each of its goods.
void join_gaps(Json& gaps, const Groups& groups) {
  std::map<std::pair<Json, std::string>, std::vector<std::size_t>> same;
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    if (!gaps[i].contains("of")) continue;
    Json times = gaps[i];
    times.erase("of");
    for (const Json& value : gaps[i].at("of")) same[{times, value.get<std::string>()}].push_back(i);
  }
  std::set<std::size_t> joined;
  for (const auto& [which, at] : same) {
    const std::string& value = which.second;
    const auto all = std::ranges::count_if(groups, [&](const auto& group) {
      return std::ranges::find(group.first, value) != group.first.end();
    });
    if (at.size() < 2 || static_cast<std::size_t>(all) != at.size()) continue;
    if (joined.contains(at.front())) continue;
    gaps[at.front()]["of"] = Json::array({value});
    joined.insert(at.begin() + 1, at.end());
  }
  Json kept = Json::array();
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    if (!joined.contains(i)) kept.push_back(gaps[i]);
  }
  gaps = std::move(kept);
}

/// Times at which others have a reading and one key has none, three or more in a row of those at
/// which it usually has one. What comes only now and then, as a product that is made on some days,
/// has none.
void put_gaps_of_keys(Json& all, const Table& table, const std::vector<std::size_t>& rows,
                      const std::vector<Moment>& moments, Moment step) {
  constexpr std::int64_t least_missing = 3;
  constexpr double nearly_always = 0.8;  // of the times of all
  Groups groups;
  for (const std::size_t row : rows) {
    std::vector<std::string> keys;
    for (const std::string& key : table.keys) keys.push_back(table.find(key)->words[row]);
    groups[keys].push_back(table.moments[row]);
  }
  for (const auto& [keys, of] : groups) {
    if (of.size() < least_moments || !is_regular(steps_of(of))) continue;
    const auto in_all = std::ranges::upper_bound(moments, of.back()) -
                        std::ranges::lower_bound(moments, of.front());
    if (static_cast<double>(of.size()) < nearly_always * static_cast<double>(in_all)) continue;
    const Usually usually{of, step};
    for (std::size_t i = 1; i < of.size(); ++i) {
      const auto from = std::ranges::upper_bound(moments, of[i - 1]);
      const auto to = std::ranges::lower_bound(moments, of[i]);
      const std::int64_t missing =
          from < to ? std::count_if(from, to, [&](Moment at) { return usually.has(at); }) : 0;
      if (missing < least_missing) continue;
      all["gaps"].push_back(gap_between(table, of[i - 1], of[i], missing, step));
      all["gaps"].back()["of"] = keys;
    }
  }
  join_gaps(all["gaps"], groups);
}

std::int64_t length_of(const Json& gap) {
  return gap.at(gap.contains("days") ? "days" : "missing").get<std::int64_t>();
}

/// Where a single reading is often missing, its absence is no gap.
void leave_out_usual(Json& gaps, std::size_t steps) {
  constexpr double often = 0.05;
  const auto is_single = [](const Json& gap) { return length_of(gap) == 1; };
  const auto single = std::count_if(gaps.begin(), gaps.end(), is_single);
  if (static_cast<double>(single) <= often * static_cast<double>(steps)) return;
  gaps.erase(std::remove_if(gaps.begin(), gaps.end(), is_single), gaps.end());
}

/// The longest, in their order.
void keep_longest(Json& gaps) {
  if (gaps.size() <= most_gaps) return;
  std::vector<std::int64_t> lengths;
  for (const Json& gap : gaps) lengths.push_back(length_of(gap));
  std::ranges::sort(lengths, std::ranges::greater{});
  Json kept = Json::array();
  for (const std::int64_t least : {lengths[most_gaps - 1] + 1, lengths[most_gaps - 1]}) {
    for (const Json& gap : gaps) {
      const bool is_new =
          least == lengths[most_gaps - 1] ? length_of(gap) == least : length_of(gap) >= least;
      if (is_new && kept.size() < most_gaps) kept.push_back(gap);
    }
  }
  std::stable_sort(kept.begin(), kept.end(), [](const Json& a, const Json& b) {
    return a.at("after").get<std::string>() < b.at("after").get<std::string>();
  });
  gaps = std::move(kept);
}

}  // namespace

Json gaps(const Table& table, const std::vector<std::size_t>& rows) {
  Json all{{"gaps", Json::array()}};
  std::vector<Moment> moments;
  std::vector<Moment> days;
  for (const std::size_t row : rows) {
    const Moment moment = table.moments[row];
    if (moments.empty() || moments.back() != moment) moments.push_back(moment);
    if (days.empty() || days.back() != day_of(moment)) days.push_back(day_of(moment));
  }
  if (moments.size() < least_moments) return all;
  const std::set<int> open = open_days(days);
  const std::vector<double> steps = steps_of(moments);
  const auto usual = static_cast<Moment>(median(steps));
  const bool regular = is_regular(steps) && !table.has_events;
  const bool by_day = !regular || usual <= day_length;
  for (int day = 0; by_day && days.size() > 20 && day < 7; ++day) {
    if (!open.contains(day)) all["closed"].push_back(place_name(Cycle::weekday, day));
  }
  if (!regular) {
    if (days.size() >= least_moments && is_regular(steps_of(days))) put_days(all, days, open);
    keep_longest(all["gaps"]);
    return all;
  }
  all["regular"] = true;
  const Usually usually{moments, usual};
  for (std::size_t i = 1; i < moments.size(); ++i) {
    const std::int64_t missing = missing_between(moments[i - 1], moments[i], usual, usually);
    if (missing == 0) continue;
    all["gaps"].push_back(gap_between(table, moments[i - 1], moments[i], missing, usual));
  }
  leave_out_usual(all["gaps"], steps.size());
  if (!table.keys.empty()) put_gaps_of_keys(all, table, rows, moments, usual);
  keep_longest(all["gaps"]);
  return all;
}

}  // namespace insights::tool
