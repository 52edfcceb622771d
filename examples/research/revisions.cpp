#include "research/revisions.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <tuple>
#include <utility>

#include "research/text.hpp"

namespace research {
namespace {

constexpr double farthest = 2.5;  ///< figures whose logarithms differ by more are as unlike

/// A unit in terms of another for the same quantity, by their stems.
std::pair<std::string, double> in_base_unit(const std::string& unit) {
  static const std::map<std::string, std::pair<std::string, double>> units = [] {
    std::map<std::string, std::pair<std::string, double>> all{{"km", {"m", 1000}},
                                                              {"cm", {"m", 0.01}},
                                                              {"mm", {"m", 0.001}},
                                                              {"kg", {"g", 1000}},
                                                              {"ms", {"s", 0.001}}};
    const std::vector<std::tuple<const char*, const char*, double>> words{
        {"kilometres", "m", 1000}, {"kilometers", "m", 1000}, {"metres", "m", 1},
        {"meters", "m", 1},        {"miles", "mile", 1},      {"tonnes", "g", 1e6},
        {"kilograms", "g", 1000},  {"grams", "g", 1},         {"milliseconds", "s", 0.001},
        {"seconds", "s", 1},       {"minutes", "s", 60},      {"hours", "s", 3600},
        {"days", "day", 1},        {"weeks", "day", 7},       {"months", "month", 1},
        {"years", "month", 12},    {"january", "date", 1},    {"february", "date", 2},
        {"march", "date", 3},      {"april", "date", 4},      {"may", "date", 5},
        {"june", "date", 6},       {"july", "date", 7},       {"august", "date", 8},
        {"september", "date", 9},  {"october", "date", 10},   {"november", "date", 11},
        {"december", "date", 12}};
    for (const auto& [word, base, factor] : words) all.emplace(stem(word), std::pair{base, factor});
    return all;
  }();
  const auto found = units.find(unit);
  return found == units.end() ? std::pair{unit, 1.0} : found->second;
}

/// `1,740` and `8:30` as numbers.
double number_of(std::string text) {
  std::erase(text, ',');
  const auto colon = text.find(':');
  const double whole = std::strtod(text.c_str(), nullptr);
  if (colon == std::string::npos) return whole;
  return whole + std::strtod(text.c_str() + colon + 1, nullptr) / 60;
}

}  // namespace

double points(const Signs& signs) {
  return 1.4 * signs.unit - signs.ratio + (signs.names ? 1.3 : 0) + 2.2 * signs.shared +
         0.9 * signs.above + (signs.sure ? 1.0 : 0) + (signs.told ? 0.6 : 0) + 1.5 * signs.apart +
         2.0 * signs.bearing - 0.75 * signs.length - 3.0;
}

Revisions::Revisions(const std::vector<Said>& said, const std::vector<Origin>& origins) {
  std::set<std::string> dates;
  std::set<std::size_t> told;
  for (std::size_t i = 0; i < said.size(); ++i) {
    if (!origins[i].date.empty()) dates.insert(origins[i].date);
    if (said[i].tells_change) told.insert(origins[i].passage);
  }
  dates_ = dates.size();
  for (std::size_t i = 0; i < said.size(); ++i) {
    const Said& one = said[i];
    Text text;
    text.origin = origins[i];
    const auto before = std::distance(dates.begin(), dates.lower_bound(text.origin.date));
    text.order = static_cast<std::size_t>(before);
    text.told = told.contains(text.origin.passage);
    for (const auto& [unit, numbers] : one.figures) {
      const auto [base, factor] = in_base_unit(unit);
      for (const std::string& number : numbers) {
        const double value = number_of(number);
        text.figures[base].insert(base == "date" ? value + 100 * factor : value * factor);
        text.numbers.insert(value);
      }
    }
    for (const std::string& number : one.bare) text.numbers.insert(number_of(number));
    for (const std::string& term : one.terms) {
      if (!is_number(term)) text.words.insert(term);
    }
    for (const std::string& term : one.context) {
      if (!is_number(term) && !one.terms.contains(term)) text.above.insert(term);
    }
    text.sure = one.tells_end || !one.denied.empty();
    std::vector<std::string> units;
    for (const auto& [unit, numbers] : text.figures) units.push_back(unit);
    by_unit_.add(units);
    std::vector<std::string> all(text.words.begin(), text.words.end());
    all.insert(all.end(), text.above.begin(), text.above.end());
    by_word_.add(all);
    texts_.push_back(std::move(text));
  }
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

std::optional<Signs> Revisions::signs(std::size_t earlier, std::size_t later) const {
  const Text& one = texts_[earlier];
  const Text& other = texts_[later];
  const bool ordered = !one.origin.date.empty() && other.origin.date > one.origin.date;
  if (!ordered || one.numbers.empty()) return std::nullopt;
  Signs signs;
  signs.ratio = farthest;
  bool differs = false;
  for (const auto& [unit, values] : one.figures) {
    const auto found = other.figures.find(unit);
    if (found == other.figures.end()) continue;
    for (const double now : found->second) {
      if (values.contains(now)) continue;
      differs = true;
      for (const double was : values) {
        const double far = was > 0 && now > 0 ? std::abs(std::log(now / was)) : farthest;
        if (far < signs.ratio || signs.kind.empty()) signs.kind = unit;
        signs.ratio = std::min(signs.ratio, far);
      }
      signs.unit = std::max(signs.unit, static_cast<double>(by_unit_.rarity(unit)) /
                                            static_cast<double>(by_unit_.rarest()));
    }
  }
  signs.names = std::ranges::any_of(one.numbers,
                                    [&](double number) { return other.numbers.contains(number); });
  if (!differs && !signs.names) return std::nullopt;
  signs.shared = sum_of_rarest(one.words, other.words, 2, one.figures);
  signs.above = sum_of_rarest(one.above, other.words, 3, one.figures) +
                sum_of_rarest(one.words, other.above, 3, one.figures);
  signs.sure = other.sure;
  signs.told = other.told;
  signs.apart = static_cast<double>(other.order - one.order) /
                static_cast<double>(std::max<std::size_t>(1, dates_));
  signs.bearing = one.origin.bearing;
  signs.length = std::log(1.0 + static_cast<double>(other.words.size()));
  return signs;
}

std::vector<std::size_t> Revisions::of(std::size_t text) const {
  std::map<std::string, std::pair<double, std::size_t>> best;  // of each unit
  for (std::size_t later = 0; later < texts_.size(); ++later) {
    const auto found = signs(text, later);
    if (!found) continue;
    const double likely = points(*found);
    if (likely < 0) continue;
    auto& most = best.try_emplace(found->kind, likely, later).first->second;
    if (likely >= most.first) most = {likely, later};
  }
  std::set<std::size_t> all;
  for (const auto& [unit, most] : best) all.insert(most.second);
  return {all.begin(), all.end()};
}

}  // namespace research
