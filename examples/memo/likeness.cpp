#include "memo/likeness.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "memo/amounts.hpp"
#include "memo/markdown.hpp"
#include "memo/prose.hpp"
#include "memo/stemming.hpp"
#include "memo/subjects.hpp"
#include "memo/units.hpp"

namespace memo {

Stems years_in(const Quantity& quantity) {
  const std::string_view text = quantity.passage->text;
  Stems years;
  for (const auto& found : amounts_in(text)) {
    const auto head = text.substr(0, found.begin);
    const bool compared = head.ends_with("than in ") || head.ends_with("than ");
    if (is_year(found) && !compared) years.insert(found.value);
  }
  return years;
}

namespace {

constexpr double least = -1.6;  ///< log odds, from which on two figures may be of one quantity

/// Whether both sentences name years, and other ones.
bool name_other_years(const Quantity& one, const Quantity& other) {
  const Stems first = years_in(one);
  const Stems second = years_in(other);
  return one.amount.unit != "year" && !first.empty() && !second.empty() &&
         shared(first, second).empty();
}

/// A plan may have come about otherwise: a sum that was to be paid or raised once.
bool may_be_of_one_time(const Quantity& earlier, const Quantity& later, const Corpus& corpus) {
  const bool came_about = earlier.plan && !earlier.amount.unit.empty() &&
                          earlier.amount.unit != "%" && earlier.per.empty();
  if (earlier.plan != later.plan && !came_about) return false;
  if (!earlier.year.empty() && name_other_years(earlier, later)) return false;
  if (!earlier.year.empty() && !later.year.empty()) return earlier.year == later.year;
  if (!later.year.empty()) {
    const int written = std::atoi(std::string{corpus.date(earlier.passage->source)}.c_str());
    return std::atoi(later.year.c_str()) + 1 >= written;
  }
  constexpr double little = 1.35;  // it is corrected, not another year's
  return earlier.year.empty() || earlier.plan || ratio(earlier, later) <= little;
}

/// `8.4 million euros` and `7.9 million`, too.
bool have_one_unit(const Quantity& one, const Quantity& other) {
  if (one.amount.unit == other.amount.unit) return true;
  const bool unsaid = one.amount.unit.empty() || other.amount.unit.empty();
  return unsaid && has_scale(one) && has_scale(other);
}

bool may_be_one(const Quantity& earlier, const Quantity& later, const Corpus& corpus) {
  const bool per_other = !earlier.per.empty() && !later.per.empty() && earlier.per != later.per;
  const bool time = is_time(earlier.noun) || is_time(later.noun);
  const bool measured = !earlier.noun.empty() && !later.noun.empty() &&
                        (is_measure_stem(earlier.noun) || is_measure_stem(later.noun));
  const bool of_others =
      are_of_others(earlier, later) || ((time || measured) && earlier.noun != later.noun) ||
      (!earlier.measure.empty() && !later.measure.empty() && earlier.measure != later.measure);
  return !earlier.former && !later.former && have_one_unit(earlier, later) && !per_other &&
         !of_others && may_be_of_one_time(earlier, later, corpus);
}

/// Times have a word in common besides `minutes`: of what they are.
bool share_more_than_a_unit(const Quantity& earlier, const Quantity& later) {
  const Stems words = shared(earlier.around, later.around);
  return !is_time(earlier.noun) || !std::ranges::all_of(words, is_time);
}

double weight_of(const std::string& unit) {
  return unit.empty() ? 0 : unit == "%" ? 1.0 : unit == "year" ? 0.8 : 1.7;
}

/// Whether one counts what the other, or its sentence, names.
bool counts_what_is_named(const Quantity& one, const Quantity& other) {
  return !one.noun.empty() && (one.noun == other.noun || other.around.contains(one.noun));
}

}  // namespace

Likeness::Likeness(const Corpus& corpus, const std::vector<Topic>& topics)
    : corpus_{corpus}, fit_{topics}, rarity_{corpus} {}

int Likeness::of(const Quantity& earlier, const Quantity& later) {
  constexpr double most = 3;  // times as much
  if (ratio(earlier, later) > most || !may_be_one(earlier, later, corpus_)) return 0;
  if (!share_more_than_a_unit(earlier, later)) return 0;
  const bool noun =
      (!earlier.noun.empty() && earlier.noun == later.noun && !is_time(earlier.noun)) ||
      (earlier.staff && later.staff);
  const bool named = counts_what_is_named(earlier, later) || counts_what_is_named(later, earlier);
  const bool per = !earlier.per.empty() && !is_time(earlier.per) &&
                   (earlier.per == later.per || later.near.contains(earlier.per));
  const bool year = !earlier.year.empty() && earlier.year == later.year;
  const double apart = std::log(ratio(earlier, later));
  double log_odds = 0.013 * near_of(earlier, later) +
                    0.037 * in_common(earlier.around, later.around) +
                    0.03 * in_question(earlier, later) - 3;
  log_odds += std::max(weight_of(earlier.amount.unit), weight_of(later.amount.unit));
  log_odds += (noun ? 2.1 : named ? 0.6 : 0) + (per ? 1.6 : 0) + (year ? 2.8 : 0);
  log_odds -= 2.1 * apart + 1.9 * std::max(0.0, apart - 0.3);
  log_odds -= 0.55 * std::log(1.0 + static_cast<double>(later.around.size()));
  if (log_odds < least) return 0;
  if (!have_one_subject(earlier, later, corpus_) && !answer_one(earlier, later)) return 0;
  return 1 + static_cast<int>(50 * (log_odds - least));
}

/// Whether both are amounts of money that answer one question before all others, and well, and are
/// near; or the later is what is left of the earlier.
bool Likeness::answer_one(const Quantity& earlier, const Quantity& later) {
  static const Signs remains{{"what is left", "what remains", "that leaves"}};
  constexpr std::int64_t well = 250;
  constexpr double little = 1.21;
  const std::string& unit = earlier.amount.unit;
  if (unit.empty() || unit == "%" || unit == "year") return false;
  const bool left = remains.in_text(corpus_.words(*later.passage));
  if (ratio(earlier, later) > little && !left) return false;
  const auto& first = points_of(*earlier.passage);
  const auto& second = points_of(*later.passage);
  const auto best = std::ranges::max_element(first);
  const auto other = std::ranges::max_element(second);
  return best - first.begin() == other - second.begin() && *best >= well && *other >= well;
}

/// The words of their clauses in common, or of the clause of one with the sentence of the other.
int Likeness::near_of(const Quantity& earlier, const Quantity& later) const {
  return std::max({in_common(earlier.near, later.near), part_in(earlier.near, later.around),
                   part_in(later.near, earlier.around)});
}

/// The Dice coefficient of two sets of words, each weighed by how rare it is, in per cent.
int Likeness::in_common(const Stems& one, const Stems& other) const {
  const int all = rarity_.of(one) + rarity_.of(other);
  return all == 0 ? 0 : 200 * rarity_.of(shared(one, other)) / all;
}

/// How much of the words of a clause a whole sentence holds, in per cent; they count less there.
int Likeness::part_in(const Stems& clause, const Stems& around) const {
  const int all = rarity_.of(clause);
  return all == 0 ? 0 : 60 * rarity_.of(shared(clause, around)) / all;
}

/// Per cent: how well both passages answer one question, each beside the one that it answers best.
int Likeness::in_question(const Quantity& one, const Quantity& other) {
  const auto& first = points_of(*one.passage);
  const auto& second = points_of(*other.passage);
  const auto most = std::max(least_fit, std::ranges::max(first));
  const auto most_of_other = std::max(least_fit, std::ranges::max(second));
  std::int64_t best = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    best = std::max(best, std::min(100 * first[i] / most, 100 * second[i] / most_of_other));
  }
  return static_cast<int>(best);
}

const std::vector<std::int64_t>& Likeness::points_of(const Passage& passage) {
  auto& points = points_[passage.order];
  if (points.empty()) {
    points = fit_.of(passage.text, corpus_.words(passage), corpus_.heading_words(passage));
  }
  return points;
}

}  // namespace memo
