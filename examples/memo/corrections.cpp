#include "memo/corrections.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

#include "memo/amounts.hpp"
#include "memo/cells.hpp"
#include "memo/changes.hpp"
#include "memo/departures.hpp"
#include "memo/likeness.hpp"
#include "memo/markdown.hpp"
#include "memo/measured.hpp"
#include "memo/moved_events.hpp"
#include "memo/prose.hpp"
#include "memo/quantities.hpp"
#include "memo/statements.hpp"
#include "memo/stemming.hpp"
#include "memo/subjects.hpp"

namespace memo {
namespace {

class Finder {
 public:
  Finder(const Corpus& corpus, const std::vector<Measure>& measures,
         const std::vector<Topic>& topics)
      : corpus_(corpus),
        rarity_(corpus),
        likeness_(corpus, topics),
        has_questions_(!topics.empty()),
        all_(quantities_in(corpus)),
        cells_(quantities_in_cells(corpus)) {
    name_measures(all_, measures);
    for (const auto& one : all_) values_[{one.passage->source, one.measure}].insert(value_of(one));
  }

  std::vector<Correction> found() {
    for (const auto& earlier : all_) {
      if (!earlier.former) look_for_a_later(earlier);
    }
    look_at_cells();
    for (const auto& pair : pairs_) {
      if (is_best(pair)) add(*pair.earlier, *pair.later, pair.points >= sure);
    }
    std::ranges::stable_sort(found_, std::greater<>{}, &Correction::sure);
    return std::move(found_);
  }

 private:
  static constexpr int sure = 1000;    ///< from so many points on
  static constexpr double much = 2.6;  ///< times as much: seldom a correction

  struct Pair {
    const Quantity* earlier;
    const Quantity* later;
    int points;
  };

  static std::string value_of(const Quantity& one) { return one.amount.unit + one.amount.value; }

  /// A figure corrects one of a source: the one that is most like it.
  [[nodiscard]] bool is_best(const Pair& pair) const {
    return std::ranges::none_of(pairs_, [&](const Pair& other) {
      return other.later == pair.later &&
             other.earlier->passage->source == pair.earlier->passage->source &&
             other.earlier->amount.value != pair.earlier->amount.value &&
             other.points >= pair.points;
    });
  }

  [[nodiscard]] bool is_later(const Quantity& one, const Quantity& other) const {
    const auto [before, after] = corpus_.dates(one.passage->source, other.passage->source);
    return before.substr(0, after.size()) < after && one.passage->source != other.passage->source;
  }

  void look_for_a_later(const Quantity& earlier) {
    const Quantity* best = nullptr;
    int most = 0;
    for (const auto& later : all_) {
      if (!is_later(earlier, later)) continue;
      if (earlier.amount.value == later.amount.value) {
        look_at_the_same(earlier, later);
        continue;
      }
      const int points = points_for(earlier, later);
      if (points > most) {
        best = &later;
        most = points;
      }
    }
    if (best != nullptr) pairs_.push_back({&earlier, best, most});
  }

  /// Of figures in tables with several columns only what names them tells that they changed.
  void look_at_cells() {
    for (const auto& cell : cells_) {
      for (const auto& later : all_) {
        const bool same = value_of(cell) == value_of(later) && later.former;
        if (same && is_later(cell, later)) look_at_the_same(cell, later);
        const bool row = are_of_one_row(later, cell);
        const bool after = is_later(cell, later) && (row || are_later_staff(later, cell));
        if (after) add(cell, later, false);
        if (row && is_later(later, cell)) add(later, cell, false);
      }
      for (const auto& later : cells_) {
        if (is_later(cell, later) && are_of_two_tables(cell, later)) add(cell, later, false);
      }
    }
    for (const auto& [then, now] : revised_in(cells_)) {
      for (const auto& earlier : all_) {
        const bool same = value_of(earlier) == value_of(*then) && is_later(earlier, *then);
        if (same && is_about_row(earlier, *then)) add(earlier, *now, false);
      }
    }
  }

  /// 0 for two quantities.
  [[nodiscard]] int points_for(const Quantity& earlier, const Quantity& later) {
    const bool unnamed = leaves_out_what(earlier, later);
    const bool comparable = unnamed || are_comparable(earlier, later);
    if (are_roughly_equal(earlier, later) || are_of_others(earlier, later)) return 0;
    if (earlier.amount.unit == "year" && plan_other_things(earlier, later)) return 0;
    if (comparable && answers_to(earlier, later)) return sure + 300;
    if (comparable && !later.former && are_of_one_time(earlier, later)) {
      const int words = std::max(same_words(earlier, later), unnamed ? 1 : 0);
      if (words > 0 && is_order_known(earlier, later)) return sure + words;
      if (words > 0) return have_one_subject(earlier, later, corpus_) ? words : 0;
    }
    return has_questions_ && !is_repeated(earlier, later) ? likeness_.of(earlier, later) : 0;
  }

  /// `150 mills by 2029` is another plan than `15% of all flour by 2030`.
  [[nodiscard]] bool plan_other_things(const Quantity& one, const Quantity& other) const {
    bool planned = false;
    const auto beside = [](const Quantity& figure, const Quantity& year) {
      return figure.passage == year.passage && figure.amount.unit != "year" &&
             figure.near == year.near;
    };
    for (const auto& first : all_) {
      if (!beside(first, one)) continue;
      for (const auto& second : all_) {
        if (!beside(second, other)) continue;
        if (are_comparable(first, second)) return false;
        planned = true;
      }
    }
    return planned;
  }

  /// Whether the earlier figure stands before the later one's sentence, which speaks of a change,
  /// or in a question above it: `Nine days? I waited longer. — The average was eleven days.`
  [[nodiscard]] bool answers_to(const Quantity& earlier, const Quantity& later) const {
    const bool named = later.above.contains(named_as(earlier.amount, earlier.noun));
    const bool asked = later.passage->heading.find('?') != npos;
    return named && !earlier.noun.empty() && ratio(earlier, later) < much && !later.former &&
           (asked || speaks_of_a_change(*later.passage));
  }

  /// Whether both dates are known, or the later sentence speaks of a change or an earlier paper.
  [[nodiscard]] bool is_order_known(const Quantity& earlier, const Quantity& later) const {
    const auto dates = corpus_.dates(earlier.passage->source, later.passage->source);
    return !dates.first.empty() || speaks_of_a_change(*later.passage) ||
           signs_of_a_mistake().in_text(corpus_.words(*later.passage));
  }

  /// Whether the later sentence gives the earlier figure, too, as one that holds.
  [[nodiscard]] bool is_repeated(const Quantity& earlier, const Quantity& later) const {
    return std::ranges::any_of(all_, [&](const Quantity& other) {
      return other.passage == later.passage && value_of(other) == value_of(earlier) &&
             !other.former;
    });
  }

  /// `24 %` is no correction of `a quarter`.
  [[nodiscard]] static bool are_roughly_equal(const Quantity& earlier, const Quantity& later) {
    constexpr double little = 1.1;
    const bool in_words = written(earlier).find_first_of("0123456789") == std::string::npos;
    return in_words && earlier.amount.unit == "%" && ratio(earlier, later) < little;
  }

  [[nodiscard]] static bool are_of_one_time(const Quantity& earlier, const Quantity& later) {
    if (later.number_of && later.year.empty()) return !later.plan;
    if (earlier.plan != later.plan) return false;
    return earlier.plan || earlier.year.empty() || earlier.year == later.year;
  }

  /// How much two figures that are surely of one quantity are alike; 0 if they may not be.
  [[nodiscard]] int same_words(const Quantity& earlier, const Quantity& later) const {
    const Stems close = shared(earlier.near, later.near);
    const int near = rarity_.of(close);
    if (are_of_one_measure(earlier, later) || are_shares_of_one(earlier, later)) return 200 + near;
    const bool number =
        later.number_of && earlier.noun == later.noun && ratio(earlier, later) < much;
    const int least = std::min(rarity_.of(earlier.near), rarity_.of(later.near));
    const bool unit = is_time(earlier.noun) && earlier.noun != "time" && naming(close).empty();
    const bool alike = close.size() >= 2 && !unit;  // not only `within` and `day`
    if (number || (alike && 100 * near >= 60 * least)) return 100 + near;
    const bool same_year = !earlier.year.empty() && earlier.year == later.year;
    if (same_year && near >= 2) return 50 + near;
    return speaks_of_a_change(*later.passage) ? in_a_change(earlier, later, near) : 0;
  }

  [[nodiscard]] int in_a_change(const Quantity& earlier, const Quantity& later, int near) const {
    if (ratio(earlier, later) > much) return 0;
    Stems one_sided = shared(earlier.near, later.around);
    one_sided.merge(shared(later.near, earlier.around));
    if (one_sided.empty()) return 0;
    const bool vague = is_one_of_several(earlier) || is_time(earlier.noun);
    if (vague && !share_what(earlier, later)) return 0;
    const auto both = static_cast<int>(shared(earlier.around, later.around).size());
    const int score = near + rarity_.of(one_sided) + both;
    const bool enough = both >= 3 ? score >= 6 : both == 2 && score >= 7;
    return enough ? score : 0;
  }

  /// Whether its sentence gives several figures of its unit, as a list of prices does.
  [[nodiscard]] bool is_one_of_several(const Quantity& one) const {
    return !one.amount.unit.empty() && std::ranges::count_if(all_, [&](const Quantity& other) {
                                         return other.passage == one.passage &&
                                                other.amount.unit == one.amount.unit &&
                                                !other.former;
                                       }) > 1;
  }

  /// Whether the clause of one figure has a word that names something in common with the sentence
  /// of the other.
  [[nodiscard]] static bool share_what(const Quantity& earlier, const Quantity& later) {
    Stems words = shared(earlier.near, later.sentence);
    words.merge(shared(later.near, earlier.sentence));
    return !naming(std::move(words)).empty();
  }

  /// Each is the only figure of the measure in its source.
  [[nodiscard]] bool are_of_one_measure(const Quantity& earlier, const Quantity& later) const {
    const auto only = [&](const Quantity& one) {
      return values_.at({one.passage->source, one.measure}).size() == 1;
    };
    return !earlier.measure.empty() && earlier.measure == later.measure && only(earlier) &&
           only(later);
  }

  /// The shares that somebody has in something.
  [[nodiscard]] static bool are_shares_of_one(const Quantity& earlier, const Quantity& later) {
    return earlier.amount.unit == "%" && ratio(earlier, later) < much &&
           !shared(earlier.names, later.names).empty() && !shared(earlier.near, later.near).empty();
  }

  /// In the sentence or the one before.
  [[nodiscard]] bool speaks_of_a_change(const Passage& passage) const {
    const auto& all = corpus_.passages();
    const std::size_t first = passage.order == 0 ? 0 : passage.order - 1;
    for (std::size_t i = first; i <= passage.order; ++i) {
      const bool here = all[i].source == passage.source && all[i].heading == passage.heading;
      if (here && signs_of_a_change().in_text(corpus_.words(all[i]))) return true;
    }
    return false;
  }

  /// `Some had been counted twice: it was 203.`: what is counted is not named again.
  [[nodiscard]] bool leaves_out_what(const Quantity& earlier, const Quantity& later) const {
    constexpr double alike = 1.25;
    const bool bare =
        later.noun.empty() && later.amount.unit.empty() && earlier.amount.unit.empty();
    return bare && ratio(earlier, later) < alike &&
           signs_of_a_mistake().in_text(corpus_.words(*later.passage)) &&
           !shared(earlier.around, later.around).empty();
  }

  /// `20,000 by the end of 2024` and `the twenty thousand will take until 2026`.
  [[nodiscard]] static bool is_put_off(const Quantity& earlier, const Quantity& later) {
    constexpr std::size_t digits = 4;  // so many seldom stand in two papers by chance
    return earlier.plan && earlier.year < later.year && !earlier.year.empty() &&
           earlier.amount.unit == later.amount.unit && earlier.amount.value.size() >= digits;
  }

  /// `In 2021 we went from 6 to 12 for a while`, of a paper of 2024, or without a date, that
  /// says 6.
  [[nodiscard]] bool is_of_before(const Quantity& earlier, const Quantity& later) const {
    const auto year = [&](const Quantity& one) {
      return std::atoi(std::string{corpus_.date(one.passage->source)}.c_str());
    };
    const Stems years = years_in(later);
    const int written = year(earlier) != 0 ? year(earlier) : year(later) - 1;
    return !years.empty() && std::atoi(years.rbegin()->c_str()) < written &&
           shared(years, years_in(earlier)).empty();
  }

  /// The later sentence names the figure of the earlier one.
  void look_at_the_same(const Quantity& earlier, const Quantity& later) {
    if (is_put_off(earlier, later)) return add(earlier, earlier.year, later, later.year, false);
    if (!leaves_out_what(earlier, later) && !are_comparable(earlier, later)) return;
    if (earlier.amount.unit == "year" || is_of_before(earlier, later)) return;
    if (shared(earlier.around, later.around).empty()) return;
    const auto& words = corpus_.words(*later.passage);
    const bool near = !shared(earlier.near, later.around).empty();
    if (near && signs_of_an_end().in_text(words)) return add(earlier, written(earlier), later, {});
    const bool moved = earlier.plan && !earlier.year.empty() && !later.year.empty() &&
                       earlier.year != later.year && !earlier.amount.unit.empty();
    if (near && moved && speaks_of_a_change(*later.passage)) {
      return add(earlier, earlier.year, later, later.year);
    }
    const Quantity* now = in_place_of(later);
    if (now == nullptr) return;
    const bool former = later.former && earlier.year.empty();
    if (former || signs_of_a_mistake().in_text(words)) return add(earlier, *now, true);
    if (becomes(later, *now)) add(earlier, *now, false);
  }

  /// `1.3 million became 1.1 million`.
  [[nodiscard]] static bool becomes(const Quantity& then, const Quantity& now) {
    constexpr std::size_t close = 20;  // bytes
    if (then.passage != now.passage || now.amount.begin < then.amount.end) return false;
    const auto between = std::string_view{then.passage->text}.substr(
        then.amount.end, now.amount.begin - then.amount.end);
    return between.size() <= close && between.find_first_of(",;") == npos &&
           ratio(then, now) < much;
  }

  /// The other figure of the same kind in its sentence or, if it has none, in one beside it: of
  /// two the one that differs less.
  [[nodiscard]] const Quantity* in_place_of(const Quantity& then) const {
    const Quantity* best = nullptr;
    for (const auto& other : all_) {
      if (distance(other, then) > 1 || other.former || !are_comparable(other, then)) continue;
      if (other.amount.value == then.amount.value) continue;
      const bool better = best == nullptr || distance(other, then) < distance(*best, then) ||
                          (distance(other, then) == distance(*best, then) &&
                           ratio(other, then) < ratio(*best, then));
      if (better) best = &other;
    }
    return best;
  }

  /// 0 for one sentence, 1 for neighbours, else 2.
  [[nodiscard]] static int distance(const Quantity& one, const Quantity& other) {
    if (one.passage == other.passage) return 0;
    const bool here = one.passage->source == other.passage->source &&
                      one.passage->heading == other.passage->heading;
    const auto [first, last] = std::minmax(one.passage->order, other.passage->order);
    constexpr std::size_t with_pairs = 2;  // a sentence and it with the next are two passages
    return here && last - first <= with_pairs ? 1 : 2;
  }

  static std::string written(const Quantity& one) {
    return one.passage->text.substr(one.amount.begin, one.amount.end - one.amount.begin);
  }

  static std::string kind_of(const Quantity& one) {
    if (!one.measure.empty()) return one.measure;
    if (one.amount.unit == "%") return "share";
    if (one.amount.unit == "year") return "year";
    if (!one.amount.unit.empty()) return "amount";
    const auto words = lower_words(std::string_view{one.passage->text}.substr(one.amount.end));
    const bool named = !words.empty() && words[0].ends_with('s') && stem_of(words[0]) == one.noun;
    return named ? "number of " + words[0] : "number";
  }

  void add(const Quantity& earlier, const Quantity& later, bool is_sure) {
    add(earlier, written(earlier), later, written(later), is_sure);
  }

  /// A figure is corrected once, and corrects one figure of a source.
  void add(const Quantity& earlier, const std::string& then, const Quantity& later,
           const std::string& now, bool is_sure = true) {
    const std::string& source = earlier.passage->source;
    const bool known = std::ranges::any_of(found_, [&](const Correction& other) {
      const bool same = other.earlier_text == earlier.passage->text && other.earlier == then;
      const bool taken = other.later_text == later.passage->text && other.later == now &&
                         other.earlier_source == source && other.earlier != then && !now.empty();
      return same || taken;
    });
    if (known) return;
    const bool year = now == later.year && !now.empty();
    found_.push_back({year ? "year" : kind_of(earlier), then, source, earlier.passage->text, now,
                      later.passage->source, later.passage->text, is_sure});
  }

  const Corpus& corpus_;
  Rarity rarity_;
  Likeness likeness_;
  bool has_questions_;
  std::vector<Quantity> all_;
  std::vector<Quantity> cells_;
  std::map<std::pair<std::string, std::string>, std::set<std::string>> values_;
  std::vector<Pair> pairs_;
  std::vector<Correction> found_;
};

bool is_earlier(const Correction& one, const std::string& path, const std::string& text) {
  return one.earlier_source == path && text.find(one.earlier_text) != std::string::npos;
}

}  // namespace

std::vector<Correction> corrections(const Corpus& corpus, const std::vector<Measure>& measures,
                                    const std::vector<Topic>& topics) {
  auto found = Finder{corpus, measures, topics}.found();
  const auto gone = departures(corpus);
  found.insert(found.end(), gone.begin(), gone.end());
  for (auto& one : moved_events(corpus)) {
    const bool known = std::ranges::any_of(found, [&](const Correction& other) {
      return one.earlier_text == other.earlier_text && one.later_source == other.later_source;
    });
    if (!known) found.push_back(std::move(one));
  }
  return found;
}

bool is_corrected(const std::vector<Correction>& corrections, const std::string& path,
                  const std::string& text) {
  return std::ranges::any_of(
      corrections, [&](const Correction& one) { return one.sure && is_earlier(one, path, text); });
}

std::vector<const Correction*> later_than(const std::vector<Correction>& corrections,
                                          const std::string& path, const std::string& text) {
  std::vector<const Correction*> found;
  for (const auto& one : corrections) {
    if (one.later.empty() || !is_earlier(one, path, text)) continue;
    const auto further = later_than(corrections, one.later_source, one.later_text);
    const auto next = std::ranges::find(further, one.later, &Correction::earlier);
    found.push_back(next == further.end() ? &one : *next);
  }
  return found;
}

}  // namespace memo
