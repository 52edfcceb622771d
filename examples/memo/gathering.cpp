#include "memo/gathering.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "memo/assigning.hpp"
#include "memo/prose.hpp"
#include "memo/vocabulary.hpp"

namespace memo {
namespace {

/// A finding that a topic would take.
struct Pick {
  Finding finding;
  std::int64_t worth = 0;
  std::size_t lead = 0;  ///< number of its first sentence
  bool weak = false;     ///< much weaker than the best: rather a reference to that
};

using Picks = std::vector<std::vector<Pick>>;  // a list for each topic, best first

bool may_repeat(const Finding& finding) { return finding.topic.starts_with("summary."); }

/// Between 0 and 1000: to answer a question at all is worth more than to answer another better.
/// What a provider ranks lower is worth a little less.
std::int64_t worth_of(std::int64_t score, std::size_t rank) {
  constexpr std::int64_t half = 300;
  const std::int64_t points = std::max(score, least_fit);
  const auto lower = std::min<std::int64_t>(20, 2 * static_cast<std::int64_t>(rank));
  return 1000 * points / (points + half) * (100 - lower) / 100;
}

/// What a further answer is worth at least: what has only a general word of its question hides the
/// answer beside it. Questions without learned words have too few points for that.
std::int64_t least_further(const std::string& topic) {
  return Vocabulary::own().knows(topic) ? 430 : 0;
}

/// Whether none of the sentences of `quote` is used; from then on all are.
bool are_new(const std::string& quote, std::set<std::string>& used) {
  const auto parts = sentences(quote);
  if (std::ranges::any_of(parts, [&](const auto& part) { return used.contains(part); })) {
    return false;
  }
  used.insert(parts.begin(), parts.end());
  return true;
}

/// Files findings under their topics.
class Filing {
 public:
  Filing(Picks picks, const Room& room) : picks_(std::move(picks)), room_(room) { number_leads(); }

  std::vector<Finding> filed() {
    taken_.resize(picks_.size());
    give_all();
    std::vector<Finding> all;
    for (const auto& part : taken_) all.insert(all.end(), part.begin(), part.end());
    return all;
  }

 private:
  void number_leads() {
    std::map<std::string, std::size_t> numbers;
    for (auto& picks : picks_) {
      for (auto& pick : picks) {
        const auto first = sentences(pick.finding.quote).front();
        pick.lead = numbers.emplace(first, numbers.size()).first->second;
      }
    }
    leads_ = numbers.size();
  }

  /// A passage and the answer that it would be to a topic, counted from 0.
  struct Place {
    const Pick* pick;
    std::size_t topic;
    std::size_t answer;
  };

  /// A row for each answer that a topic may have; a second or third is worth less.
  [[nodiscard]] std::vector<Place> best_places() const {
    static constexpr std::array<std::int64_t, 3> shares{100, 30, 10};  // per cent
    std::vector<std::vector<std::int64_t>> worth(picks_.size() * room_.each,
                                                 std::vector<std::int64_t>(leads_, 0));
    for (std::size_t row = 0; row < worth.size(); ++row) {
      const std::size_t answer = row % room_.each;
      const auto share = shares[std::min(answer, shares.size() - 1)];
      for (const auto& pick : picks_[row / room_.each]) {
        if (answer == 0 && (pick.weak || may_repeat(pick.finding))) continue;
        worth[row][pick.lead] = std::max(worth[row][pick.lead], pick.worth * share / 100);
      }
    }
    const auto given = assigned(worth);
    std::vector<Place> places;
    for (std::size_t row = 0; row < worth.size(); ++row) {
      const auto& picks = picks_[row / room_.each];
      const auto pick = std::ranges::find(picks, given[row], &Pick::lead);
      if (pick != picks.end()) places.push_back({&*pick, row / room_.each, row % room_.each});
    }
    return places;
  }

  /// First answers may take more than the room; of the others the best go first.
  void give_all() {
    for (std::size_t topic = 0; topic < picks_.size(); ++topic) {
      for (const auto& pick : picks_[topic]) {
        if (may_repeat(pick.finding) && taken_[topic].empty()) take(pick, topic);
      }
    }
    auto places = best_places();
    std::ranges::stable_sort(places, {}, [](const Place& one) {
      return std::pair{one.answer > 0, -one.pick->worth};
    });
    for (const auto& one : places) {
      const bool fits = words_ + words_in(one.pick->finding.quote) <= room_.words;
      const bool clear = one.pick->worth >= least_further(one.pick->finding.topic);
      const bool further = fits && clear && !taken_[one.topic].empty();
      if (one.answer == 0 || further) take(*one.pick, one.topic);
    }
  }

  void take(const Pick& pick, std::size_t topic) {
    auto& taken = taken_[topic];
    const Finding& finding = pick.finding;
    if (std::ranges::find(taken, finding) != taken.end()) return;
    const bool repeats = may_repeat(finding) && taken.empty();
    if (!repeats && !are_new(finding.quote, used_)) return;
    taken.push_back(finding);
    words_ += words_in(finding.quote);
  }

  Picks picks_;
  Room room_;
  std::size_t words_ = 0;
  std::size_t leads_ = 0;
  std::vector<std::vector<Finding>> taken_;
  std::set<std::string> used_;
};

/// Per cent: what stands first under its heading, or has a figure, tells more; two sentences take
/// more room.
std::int64_t salience_of(const Passage& passage, bool first) {
  const bool figure = passage.text.find_first_of("0123456789") != std::string::npos;
  return (first ? 125 : 100) * (figure ? 125 : 100) / 100 * (passage.lead == 0 ? 100 : 85) / 100;
}

/// The points of a passage, less where another topic has more of them; a topic that has little more
/// than half as many, or few at all, does not get it.
std::vector<std::int64_t> ranked(std::vector<std::int64_t> points,
                                 const std::vector<std::int64_t>& least, std::int64_t weight) {
  constexpr std::int64_t enough = 60;  // per cent
  const auto best = std::max<std::int64_t>(1, std::ranges::max(points));
  for (std::size_t i = 0; i < points.size(); ++i) {
    auto& one = points[i];
    const std::int64_t share = 100 * one / best;
    const bool few = one < least[i];
    one = one * weight / 100 * share / 100;
    if (share < enough || few) one = std::min(one / 2, least_fit - 1);
  }
  return points;
}

}  // namespace

Ranking::Ranking(const Corpus& corpus, const std::vector<Topic>& topics,
                 const std::vector<Correction>& corrected)
    : corpus_(corpus), topics_(topics) {
  const Fit fit{topics};
  std::vector<std::int64_t> least;
  for (const auto& topic : topics) {
    least.push_back(Vocabulary::own().knows(topic.id) ? sure_fit : 0);
  }
  std::string above;
  for (const auto& passage : corpus.passages()) {
    const std::string here = passage.source + '\n' + passage.heading;
    const std::int64_t weight = corpus.weight(passage) * salience_of(passage, here != above) / 100;
    auto points = fit.of(passage.text, corpus.words(passage), corpus.heading_words(passage));
    keep_apart(passage, points);
    points_.push_back(ranked(std::move(points), least, weight));
    above = here;
  }
  for (const auto& correction : corrected) {
    if (correction.sure) put_in_place(correction);
  }
}

/// What was proposed in vain tells little. Of a competitor only what asks about competitors is
/// answered, and who is met at a customer's is nobody of the company.
void Ranking::keep_apart(const Passage& passage, std::vector<std::int64_t>& points) const {
  if (passage.refused) {
    for (auto& one : points) one /= 2;
  }
  if (!passage.of_rival && !passage.outside) return;
  for (std::size_t i = 0; i < topics_.size(); ++i) {
    const auto has = [&](const char* sign) {
      return std::ranges::find(topics_[i].signs, sign) != topics_[i].signs.end();
    };
    const bool kept =
        (passage.of_rival && !has("competitor")) || (passage.outside && has("@person"));
    if (kept) points[i] = 0;
  }
}

void Ranking::put_in_place(const Correction& correction) {
  const auto find = [&](const std::string& source, const std::string& text) {
    return std::ranges::find_if(corpus_.passages(), [&](const Passage& one) {
      return one.source == source && one.text == text;
    });
  };
  const auto earlier = find(correction.earlier_source, correction.earlier_text);
  const auto later = find(correction.later_source, correction.later_text);
  if (correction.later.empty() || earlier == corpus_.passages().end() ||
      later == corpus_.passages().end()) {
    return;
  }
  constexpr std::int64_t in_place = 80;  // per cent, of the question that the earlier answers best
  auto& points = points_[later->order];
  const auto& before = points_[earlier->order];
  const auto best = std::ranges::max_element(before);
  auto& one = points[static_cast<std::size_t>(best - before.begin())];
  one = std::max(one, *best * in_place / 100);
}

std::size_t Ranking::column_of(const Topic& topic) const {
  return static_cast<std::size_t>(std::ranges::find(topics_, topic.id, &Topic::id) -
                                  topics_.begin());
}

std::vector<Candidate> Ranking::best(const Topic& topic, std::size_t limit) const {
  const std::size_t column = column_of(topic);
  std::vector<Candidate> found;
  for (const auto& passage : corpus_.passages()) {
    const auto score = std::max<std::int64_t>(points_[passage.order][column], 1);
    found.push_back({passage.text, passage.source, passage.heading, score});
  }
  std::ranges::stable_sort(found, std::greater<>{}, &Candidate::score);
  if (found.size() > limit) found.resize(limit);
  return found;
}

std::vector<Candidate> Ranking::filed(const Topic& topic,
                                      const std::vector<Finding>& findings) const {
  const std::size_t column = column_of(topic);
  std::vector<Candidate> out;
  for (const auto& finding : findings) {
    if (finding.topic != topic.id) continue;
    const auto passage = std::ranges::find_if(corpus_.passages(), [&](const Passage& one) {
      return one.source == finding.source && one.text == finding.quote;
    });
    if (passage == corpus_.passages().end()) {
      out.push_back({finding.quote, finding.source, {}, least_fit});
      continue;
    }
    const auto score = std::max(points_[passage->order][column], least_fit);
    out.push_back({finding.quote, finding.source, passage->heading, score});
  }
  return out;
}

Gathered gather(const model::Call& call, const std::string& purpose,
                const std::vector<Topic>& topics, const std::vector<Question>& questions,
                std::size_t each, const std::string& subject) {
  const auto chosen = pick(call, purpose, questions, subject);
  Gathered gathered;
  for (std::size_t i = 0; i < topics.size(); ++i) {
    std::set<std::string> used;
    std::size_t taken = 0;
    for (const auto index : chosen[i]) {
      const Candidate& one = questions[i].candidates[index];
      if (taken == each || !are_new(one.text, used)) continue;
      gathered.findings.push_back({topics[i].id, one.text, one.source});
      ++taken;
    }
    if (chosen[i].empty()) gathered.silent.push_back(topics[i].id);
  }
  return gathered;
}

std::vector<Finding> filed(const std::vector<Topic>& topics, const Ranking& ranking,
                           const std::vector<Finding>& notes, const Room& room) {
  Picks picks(topics.size());
  for (std::size_t i = 0; i < topics.size(); ++i) {
    auto candidates = ranking.filed(topics[i], notes);
    std::ranges::stable_sort(candidates, std::greater<>{}, &Candidate::score);
    for (const auto& one : candidates) {
      if (one.score * 100 < candidates[0].score * 40) break;
      const Finding finding{topics[i].id, one.text, one.source};
      const bool weak = one.score * 100 < candidates[0].score * 60;
      picks[i].push_back({finding, worth_of(one.score, picks[i].size()), 0, weak});
    }
  }
  return Filing{std::move(picks), room}.filed();
}

}  // namespace memo
