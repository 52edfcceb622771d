#include "memo/likeness.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "memo/markdown.hpp"
#include "memo/prose.hpp"
#include "memo/stemming.hpp"

namespace memo {
namespace {

bool is_time(const std::string& stem) {
  static const Stems units{"second", "minut", "hour",    "day",   "week",
                           "month",  "year",  "quarter", "decad", "time"};
  return units.contains(stem);
}

/// Whether both sentences name years, and other ones.
bool name_other_years(const Quantity& one, const Quantity& other) {
  const auto years_in = [](const Quantity& quantity) {
    Stems years;
    for (const auto& number : numbers(quantity.passage->text)) {
      if (number.size() == 4 && (number.starts_with("19") || number.starts_with("20"))) {
        years.insert(number);
      }
    }
    return years;
  };
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

bool may_be_one(const Quantity& earlier, const Quantity& later, const Corpus& corpus) {
  const bool same_unit = earlier.amount.unit == later.amount.unit;
  const bool per_other = !earlier.per.empty() && !later.per.empty() && earlier.per != later.per;
  const bool time = is_time(earlier.noun) || is_time(later.noun);
  const bool of_others =
      are_of_others(earlier, later) || (time && earlier.noun != later.noun) ||
      (!earlier.measure.empty() && !later.measure.empty() && earlier.measure != later.measure);
  return !earlier.former && !later.former && same_unit && !per_other && !of_others &&
         may_be_of_one_time(earlier, later, corpus);
}

/// Per cent: what is corrected, or grows within a year or two, seldom becomes three times as much.
int closeness(const Quantity& one, const Quantity& other) {
  const double times = ratio(one, other);
  return times > 2.6 ? 0 : times > 1.8 ? 40 : times > 1.35 ? 70 : 100;
}

/// Whether one counts what the other, or its sentence, names.
bool counts_what_is_named(const Quantity& one, const Quantity& other) {
  return !one.noun.empty() && (one.noun == other.noun || other.around.contains(one.noun));
}

}  // namespace

Likeness::Likeness(const Corpus& corpus, const std::vector<Topic>& topics)
    : corpus_{corpus}, fit_{topics}, rarity_{corpus} {}

int Likeness::of(const Quantity& earlier, const Quantity& later) {
  const int close = closeness(earlier, later);
  if (close == 0 || !may_be_one(earlier, later, corpus_)) return 0;
  const bool one_measure = !earlier.measure.empty() && earlier.measure == later.measure;
  const int near = one_measure ? 100 : near_of(earlier, later);
  const int around = in_common(earlier.around, later.around);
  const int question = in_question(earlier, later);
  const int marks = marks_of(earlier, later);
  const int points = near + around + close + question + 40 * marks;
  if (earlier.amount.unit.empty()) {
    const bool noun = !earlier.noun.empty() && earlier.noun == later.noun;
    const bool named = counts_what_is_named(earlier, later) || counts_what_is_named(later, earlier);
    const int least = noun ? 15 : named ? 30 : 50;
    const bool alike = one_measure || (near >= least && (named || question >= 60));
    return alike && points >= 170 ? points : 0;
  }
  if (earlier.amount.unit == "year" && near < 30) return 0;
  return points >= (near + around >= 25 ? 160 : 195) ? points : 0;
}

/// How much they have in common beside their words: what they are per, or what they count; their
/// year; a name that is rare.
int Likeness::marks_of(const Quantity& earlier, const Quantity& later) const {
  const bool per =
      !earlier.per.empty() && (earlier.per == later.per || later.near.contains(earlier.per));
  const bool noun = !earlier.noun.empty() && earlier.noun == later.noun && !is_time(earlier.noun);
  const bool year = !earlier.year.empty() && earlier.year == later.year;
  const auto is_shared = [&](const Quantity& one, const Quantity& other) {
    return std::ranges::any_of(one.names, [&](const std::string& name) {
      const auto stem = stem_of(to_lower(name));
      return other.around.contains(stem) && rarity_.of(stem) == Rarity::most;
    });
  };
  const bool name = is_shared(earlier, later) || is_shared(later, earlier);
  const int unit = per && !is_time(earlier.per) ? 2 : per || noun ? 1 : 0;
  return unit + (year ? 1 : 0) + (name ? 1 : 0);
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
