#include "research/revisions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <tuple>
#include <utility>

#include "research/measures.hpp"
#include "research/subjects.hpp"
#include "research/text.hpp"

namespace research {
namespace {

constexpr std::size_t few = 8;    ///< texts; what stands in more of them tells less
constexpr double near = 0.6;      ///< two counts of the same things: less than twice as many
constexpr double rare = 0.4;      ///< a unit that few texts have: of 0 to 1
constexpr double farthest = 2.5;  ///< figures whose logarithms differ by more are as unlike

/// `8:30` is 8.5; a date is its digits, with 0 for what it leaves open.
double number_of(std::string text, const std::string& unit) {
  if (unit == "date") std::erase(text, '-');
  const auto colon = text.find(':');
  const double whole = std::strtod(text.c_str(), nullptr);
  if (colon == std::string::npos) return whole;
  return whole + std::strtod(text.c_str() + colon + 1, nullptr) / 60;
}

/// A date as its year, month and day.
std::array<double, 3> parts_of(double date) {
  return {std::floor(date / 10000), std::fmod(std::floor(date / 100), 100), std::fmod(date, 100)};
}

bool are_same(const std::string& unit, double one, double other) {
  if (unit != "date") return std::abs(one - other) < 1e-9 * std::max(1.0, std::abs(one));
  const auto a = parts_of(one);
  const auto b = parts_of(other);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] > 0 && b[i] > 0 && a[i] != b[i]) return false;
  }
  return true;
}

/// Whether two dates are of one month: something was put off by days.
bool are_of_one_month(double one, double other) {
  const auto a = parts_of(one);
  const auto b = parts_of(other);
  return a[0] > 0 && a[1] > 0 && a[0] == b[0] && a[1] == b[1];
}

/// How unlike two figures are: of numbers the logarithm, of dates years, of times of a day eight
/// hours, no more than `farthest`.
double distance_of(const std::string& unit, double was, double now) {
  if (unit == "weekday") return 1;
  if (unit == "clock") return std::min(farthest, std::abs(now - was) / 8);
  if (unit != "date") {
    return was > 0 && now > 0 ? std::min(farthest, std::abs(std::log(now / was))) : farthest;
  }
  const auto a = parts_of(was);
  const auto b = parts_of(now);
  const double years = a[0] > 0 && b[0] > 0 ? b[0] - a[0] : 0;
  return std::min(farthest, std::abs(years + (b[1] - a[1]) / 12 + (b[2] - a[2]) / 365));
}

/// Whether more than a unit tells that both do: what they are about, or what they count.
bool speak_of_one_thing(const Signs& signs) {
  const bool last_day = signs.until && signs.on_topic;
  const bool near_by = !signs.when && signs.ratio < near;
  return signs.common || signs.quotes || signs.back || signs.count || last_day ||
         (signs.plain && near_by);
}

/// Whether they may, if nothing else is meant: one says that something has changed, and the unit is
/// rare, or what came of a plan, and the figures are near.
bool may_speak_of_one_thing(const Signs& signs) {
  const bool tells = (signs.sure && signs.unit > rare) || signs.planned || signs.put_off;
  return tells && !signs.when && signs.ratio < near;
}

/// What is about one thing comes so much before what may be.
constexpr double margin = 1.5;
double ahead(const Signs& signs) { return speak_of_one_thing(signs) ? 0.8 : 0; }

/// Of `litres per square metre per day` four.
std::ptrdiff_t count_measures(const std::set<std::string>& words,
                              const std::set<std::string>& others) {
  return std::ranges::count_if(words, [&](const std::string& word) {
    return word.size() > 2 && is_measure(word) && others.contains(word);
  });
}

/// Of many texts with other figures for a unit one is likely by chance, and the more, the likelier.
double least_points(std::size_t texts) {
  return std::log(static_cast<double>(std::max(few, texts)) / few);
}

}  // namespace

double points(const Signs& signs) {
  return 1.05 * signs.unit - 1.95 * signs.ratio + (signs.names ? 2.3 : 0) + 2.9 * signs.shared +
         1.25 * signs.above + (signs.sure ? 0.95 : 0) + (signs.back ? 2 : 0) -
         (signs.other ? 1 : 0) - (signs.when ? 1.3 : 0) + 1.3 * signs.apart + 2.2 * signs.bearing +
         (signs.count ? 1.4 : 0) + (signs.planned ? 1.9 : 0) +
         (signs.until ? 1.95 * signs.ratio : 0) - 3.6;
}

Revisions::Revisions(const std::vector<Said>& said, const std::vector<Origin>& origins,
                     const std::vector<std::string>& topic)
    : said_{&said}, topic_{topic.begin(), topic.end()} {
  std::set<std::string> dates;
  for (const Origin& one : origins) {
    if (!one.date.empty()) dates.insert(one.date);
  }
  dates_ = dates.size();
  for (std::size_t i = 0; i < said.size(); ++i) {
    const Said& one = said[i];
    Text text;
    text.origin = origins[i];
    const auto before = std::distance(dates.begin(), dates.lower_bound(text.origin.date));
    text.order = static_cast<std::size_t>(before);
    for (const auto& [unit, numbers] : one.figures) {
      const auto [base, factor] = in_base_unit(unit);
      for (const std::string& number : numbers) {
        const double value = number_of(number, unit);
        text.figures[base].insert(value * factor);
        text.numbers.insert(value);
      }
    }
    for (const std::string& number : one.bare) text.numbers.insert(number_of(number, {}));
    for (const double number : text.numbers) ++times_[number];
    text.words = one.words;
    text.above = one.above;
    text.sure = one.tells_end || !one.denied.empty();
    text.changes = one.tells_change;
    std::vector<std::string> units;
    for (const auto& [unit, numbers] : text.figures) units.push_back(unit);
    by_unit_.add(units);
    std::vector<std::string> all(text.words.begin(), text.words.end());
    all.insert(all.end(), text.above.begin(), text.above.end());
    by_word_.add(all);
    texts_.push_back(std::move(text));
  }
  find_best();
}

double Revisions::rarity(const std::string& word) const {
  return static_cast<double>(by_word_.rarity(word)) / static_cast<double>(by_word_.rarest());
}

/// Of the words that both have; none that is a unit of `but`.
double Revisions::sum_of_rarest(const Words& words, const Words& others, std::size_t count,
                                const std::map<std::string, std::set<double>>& but) const {
  std::vector<double> found;
  for (const std::string& word : words) {
    if (others.contains(word) && !but.contains(in_base_unit(word).first)) {
      found.push_back(rarity(word));
    }
  }
  std::ranges::sort(found, std::greater<>{});
  double sum = 0;
  for (std::size_t i = 0; i < std::min(count, found.size()); ++i) sum += found[i];
  return sum;
}

/// Whether both have a word that tells what they are about; of the topic none counts, as most of
/// what is compared has those.
bool Revisions::have_common(const Text& one, const Text& other, const std::string& unit,
                            bool topic) const {
  const auto shared = [&](const Words& words, const Words& others) {
    return std::ranges::any_of(words, [&](const std::string& word) {
      return others.contains(word) && (topic || !topic_.contains(word)) && is_subject(word) &&
             in_base_unit(word).first != unit;
    });
  };
  return shared(one.words, other.words) || shared(one.above, other.words) ||
         shared(one.words, other.above) || count_measures(one.words, other.words) > 2;
}

/// Whether the text names nothing but the topic, so that `the cost` is its cost, and the other
/// speaks of that, too.
bool Revisions::is_plain(const Text& text, const Text& other) const {
  const auto is_general = [&](const std::string& word) {
    return topic_.contains(word) || !is_subject(word);
  };
  const auto is_shared = [&](const std::string& word) {
    return other.words.contains(word) && !topic_.contains(word) && !is_measure(word);
  };
  return std::ranges::all_of(text.words, is_general) && std::ranges::any_of(text.words, is_shared);
}

std::optional<Signs> Revisions::signs(std::size_t earlier, std::size_t later) const {
  const Text& one = texts_[earlier];
  const Text& other = texts_[later];
  // A page without a date is kept up to date, unless one with a date tells of a change.
  const bool undated = one.origin.date.empty() ? !other.origin.date.empty() && other.changes
                                               : other.origin.date.empty() && !one.changes;
  const bool ordered = !one.origin.date.empty() && other.origin.date > one.origin.date;
  if (!(ordered || undated) || one.numbers.empty()) return std::nullopt;
  Signs signs;
  signs.ratio = farthest;
  bool differs = false;
  for (const auto& [unit, values] : one.figures) {
    const auto found = other.figures.find(unit);
    if (found == other.figures.end()) continue;
    for (const double now : found->second) {
      const auto is_same = [&](double was) { return are_same(unit, was, now); };
      if (std::ranges::any_of(values, is_same)) continue;
      differs = true;
      for (const double was : values) {
        const double far = distance_of(unit, was, now);
        signs.put_off = signs.put_off || (unit == "date" && are_of_one_month(was, now));
        if (far < signs.ratio || signs.kind.empty()) signs.kind = unit;
        signs.ratio = std::min(signs.ratio, far);
      }
      signs.unit = std::max(signs.unit, static_cast<double>(by_unit_.rarity(unit)) /
                                            static_cast<double>(by_unit_.rarest()));
    }
  }
  constexpr double small = 10;  // up to this a number stands in many texts
  for (const double number : one.numbers) {
    if (number <= small || !other.numbers.contains(number) || times_.at(number) > few) continue;
    signs.names = true;
    signs.quotes = signs.quotes || number >= 100 || number != std::floor(number);
  }
  signs.back = takes_back((*said_)[later], (*said_)[earlier]);
  signs.other = !signs.back && !(*said_)[later].denied.empty();
  if (!differs && !signs.back) return std::nullopt;
  signs.shared = sum_of_rarest(one.words, other.words, 2, one.figures);
  signs.above = sum_of_rarest(one.above, other.words, 3, one.figures) +
                sum_of_rarest(one.words, other.above, 3, one.figures);
  signs.common = have_common(one, other, signs.kind, false);
  signs.on_topic = have_common(one, other, signs.kind, true);
  signs.plain = ordered && is_plain(one, other);
  signs.sure = other.sure || (undated && other.changes && !other.origin.date.empty());
  signs.when =
      (signs.kind == "date" && !signs.put_off) || signs.kind == "clock" || signs.kind == "weekday";
  const Said& was = (*said_)[earlier];
  const Said& now = (*said_)[later];
  signs.planned = was.is_of_plan && now.tells_outcome && (signs.when || signs.ratio < near);
  signs.until = signs.kind == "date" && was.names_end && now.names_end;
  signs.apart = undated ? 0
                        : static_cast<double>(other.order - one.order) /
                              static_cast<double>(std::max<std::size_t>(1, dates_));
  signs.bearing = one.origin.bearing;
  signs.count = differs && is_subject(signs.kind) && signs.ratio < near;
  return signs;
}

/// For each text how likely its figures are newer than those of the likeliest other, by unit.
void Revisions::find_best() {
  for (std::size_t later = 0; later < texts_.size(); ++later) {
    auto& best = best_.emplace_back();
    for (std::size_t text = 0; text < texts_.size(); ++text) {
      const auto found = signs(text, later);
      if (!found) continue;
      auto& most = best.try_emplace(found->kind, 0.0).first->second;
      most = std::max(most, points(*found) + ahead(*found));
    }
  }
}

std::vector<std::size_t> Revisions::of(std::size_t text) const {
  std::map<std::string, std::pair<double, std::size_t>> best;  // of each unit
  std::map<std::string, std::size_t> met;
  for (std::size_t later = 0; later < texts_.size(); ++later) {
    const auto found = signs(text, later);
    if (!found) continue;
    const double likely = points(*found);
    ++met[found->kind];
    if (likely < 0) continue;
    if (!speak_of_one_thing(*found) && !may_speak_of_one_thing(*found)) continue;
    const double leeway = ahead(*found) + (found->when ? 0.5 : margin);
    const double rank = likely + (found->planned || ahead(*found) > 0 ? leeway : 0);
    if (!found->plain && rank < best_[later].at(found->kind)) continue;
    auto& most = best.try_emplace(found->kind, likely, later).first->second;
    if (likely >= most.first) most = {likely, later};
  }
  std::set<std::size_t> all;
  for (const auto& [unit, most] : best) {
    if (most.first >= least_points(met[unit])) all.insert(most.second);
  }
  return {all.begin(), all.end()};
}

}  // namespace research
