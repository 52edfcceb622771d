#include "memo/restated.hpp"

#include <algorithm>
#include <set>

#include "memo/prose.hpp"
#include "memo/quantities.hpp"
#include "memo/stemming.hpp"

namespace memo {
namespace {

const Signs& signs_of_a_change() {
  static const Signs signs{
      {"wrong",      "mistake",   "error",       "correct",     "correction",    "restat*",
       "revis*",     "instead",   "no longer",   "used to say", "counted twice", "had counted",
       "left out",   "again",     "audit*",      "quoting",     "take back",     "putting right",
       "put right",  "replace",   "therefore",   "in the end",  "now stand",     "now",
       "given up",   "gave up",   "new aim",     "new goal",    "we had said",   "we said",
       "had spoken", "as we",     "actual",      "comes to",    "at present",    "by now",
       "rais*",      "rises to",  "came out at", "come down",   "gone up",       "went up",
       "up from",    "down from", "fallen",      "risen"}};
  return signs;
}

/// Sentences that take back what they repeat.
const Signs& signs_of_an_end() {
  static const Signs signs{{"given up", "gave up", "abandon*", "dropped", "cancelled", "was wrong",
                            "were wrong", "no longer true", "no longer holds", "called off"}};
  return signs;
}

/// Sentences that speak of an earlier statement as of a mistake, or name the paper that made it.
const Signs& signs_of_a_mistake() {
  static const Signs signs{
      {"wrong",         "mistake",        "error",          "correct",          "correction",
       "we said",       "i said",         "i wrote",        "i told",           "we told",
       "we wrote",      "was given",      "stated",         "as reported",      "had been",
       "left out",      "take back",      "no longer",      "earlier figure",   "counted twice",
       "deck",          "slide",          "our overview",   "my overview",      "our letter",
       "my letter",     "our page",       "our website",    "our site",         "our brochure",
       "our leaflet",   "our report",     "my report",      "our presentation", "my presentation",
       "our last plan", "our notes",      "my notes",       "our mail",         "my mail",
       "our profile",   "our prospectus", "our fact sheet", "our announcement", "my memo"}};
  return signs;
}

class Finder {
 public:
  explicit Finder(const Corpus& corpus)
      : corpus_(corpus), rarity_(corpus), all_(quantities_in(corpus)) {}

  std::vector<Correction> found() {
    for (const auto& earlier : all_) {
      if (!earlier.former) look_for_a_later(earlier);
    }
    for (const auto& pair : pairs_) {
      if (is_best(pair)) add(*pair.earlier, *pair.later);
    }
    return std::move(found_);
  }

 private:
  struct Pair {
    const Quantity* earlier;
    const Quantity* later;
    int likeness;
  };

  /// A figure corrects one of a source: the one that is most like it.
  [[nodiscard]] bool is_best(const Pair& pair) const {
    return std::ranges::none_of(pairs_, [&](const Pair& other) {
      return other.later == pair.later &&
             other.earlier->passage->source == pair.earlier->passage->source &&
             other.earlier->amount.value != pair.earlier->amount.value &&
             other.likeness >= pair.likeness;
    });
  }

  [[nodiscard]] bool is_later(const Quantity& one, const Quantity& other) const {
    const auto before = corpus_.date(one.passage->source);
    const auto after = corpus_.date(other.passage->source);
    return before < after && one.passage->source != other.passage->source;
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

  /// How much they are alike; 0 for two quantities.
  [[nodiscard]] int likeness(const Quantity& earlier, const Quantity& later) const {
    const Stems close = shared(earlier.near, later.near);
    const int near = rarity_.of(close);
    const int least = std::min(rarity_.of(earlier.near), rarity_.of(later.near));
    if (close.size() >= 2 && 100 * near >= 60 * least) return 100 + near;
    const bool same_year = !earlier.year.empty() && earlier.year == later.year;
    if (same_year && near >= 2) return 50 + near;
    if (!speaks_of_a_change(*later.passage)) return 0;
    Stems one_sided = shared(earlier.near, later.around);
    one_sided.merge(shared(later.near, earlier.around));
    if (one_sided.empty()) return 0;
    const auto both = static_cast<int>(shared(earlier.around, later.around).size());
    const int score = near + rarity_.of(one_sided) + both;
    const bool enough = both >= 3 ? score >= 6 : both == 2 && score >= 7;
    return enough ? score : 0;
  }

  [[nodiscard]] static bool are_of_one_time(const Quantity& earlier, const Quantity& later) {
    if (earlier.plan != later.plan) return false;
    return earlier.plan || earlier.year.empty() || earlier.year == later.year;
  }

  void look_for_a_later(const Quantity& earlier) {
    const Quantity* best = nullptr;
    int most = 0;
    for (const auto& later : all_) {
      if (!is_later(earlier, later)) continue;
      const bool unnamed = leaves_out_what(earlier, later);
      if (!unnamed && !are_comparable(earlier, later)) continue;
      if (earlier.amount.value == later.amount.value) {
        look_at_the_same(earlier, later);
        continue;
      }
      if (later.former || !are_of_one_time(earlier, later)) continue;
      const int score = std::max(likeness(earlier, later), unnamed ? 1 : 0);
      if (score > most) {
        best = &later;
        most = score;
      }
    }
    if (best != nullptr) pairs_.push_back({&earlier, best, most});
  }

  /// The later sentence names the figure of the earlier one.
  void look_at_the_same(const Quantity& earlier, const Quantity& later) {
    if (shared(earlier.around, later.around).empty()) return;
    const auto& words = corpus_.words(*later.passage);
    const bool near = !shared(earlier.near, later.around).empty();
    if (near && signs_of_an_end().in_text(words)) return add(earlier, written(earlier), later, {});
    const bool moved = earlier.plan && !earlier.year.empty() && !later.year.empty() &&
                       earlier.year != later.year && !earlier.amount.unit.empty();
    if (near && moved && speaks_of_a_change(*later.passage)) {
      return add(earlier, earlier.year, later, later.year);
    }
    const bool former = later.former && earlier.year.empty();
    if (!former && !signs_of_a_mistake().in_text(words)) return;
    const Quantity* now = in_place_of(later);
    if (now != nullptr) add(earlier, *now);
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
  [[nodiscard]] int distance(const Quantity& one, const Quantity& other) const {
    if (one.passage == other.passage) return 0;
    const bool here = one.passage->source == other.passage->source &&
                      one.passage->heading == other.passage->heading;
    const auto [first, last] = std::minmax(one.passage->order, other.passage->order);
    constexpr std::size_t with_pairs = 2;  // a sentence and it with the next are two passages
    return here && last - first <= with_pairs ? 1 : 2;
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

  static std::string written(const Quantity& one) {
    return one.passage->text.substr(one.amount.begin, one.amount.end - one.amount.begin);
  }

  static std::string kind_of(const Quantity& one) {
    if (one.amount.unit == "%") return "share";
    if (!one.amount.unit.empty()) return "amount";
    const auto words = lower_words(std::string_view{one.passage->text}.substr(one.amount.end));
    const bool named = !words.empty() && !one.noun.empty() && stem_of(words[0]) == one.noun;
    return named ? "number of " + words[0] : "number";
  }

  void add(const Quantity& earlier, const Quantity& later) {
    add(earlier, written(earlier), later, written(later));
  }

  void add(const Quantity& earlier, const std::string& then, const Quantity& later,
           const std::string& now) {
    const bool year = now == later.year && !now.empty();
    found_.push_back({year ? "year" : kind_of(earlier), then, earlier.passage->source,
                      earlier.passage->text, now, later.passage->source, later.passage->text});
  }

  const Corpus& corpus_;
  Rarity rarity_;
  std::vector<Quantity> all_;
  std::vector<Pair> pairs_;
  std::vector<Correction> found_;
};

}  // namespace

std::vector<Correction> restated(const Corpus& corpus) { return Finder{corpus}.found(); }

}  // namespace memo
