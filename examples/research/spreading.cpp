#include "research/spreading.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "research/text.hpp"

namespace research {
namespace {

using Scores = std::vector<std::int64_t>;

constexpr int rounds = 8;                     ///< after which little changes
constexpr std::int64_t own_percent = 40;      ///< what a unit keeps of its own score
constexpr std::int64_t passage_weight = 10;   ///< of its paragraph
constexpr std::int64_t section_weight = 10;   ///< of what stands below its heading
constexpr std::int64_t page_weight = 5;       ///< of its page
constexpr std::int64_t likeness_weight = 3;   ///< of the units that are like it
constexpr double alike_enough = 0.2;          ///< the cosine of pages that speak of one thing
constexpr std::size_t most_alike = 5;         ///< so many of them
constexpr std::int64_t least_likeness = 100;  ///< in thousandths

/// The scores of a group of units, so that each can be told about the others.
struct Group {
  std::int64_t sum = 0;
  std::int64_t count = 0;
  std::int64_t best = 0;
  std::int64_t second = 0;

  void add(std::int64_t score) {
    sum += score;
    ++count;
    second = std::max(second, std::min(best, score));
    best = std::max(best, score);
  }
  [[nodiscard]] std::int64_t average_without(std::int64_t score) const {
    return (sum - score) / (count - 1);
  }
  [[nodiscard]] std::int64_t best_without(std::int64_t score) const {
    return score == best ? second : best;
  }
};

template <class Which>
std::map<std::size_t, Group> grouped(const std::vector<Unit>& units, const Scores& scores,
                                     Which which) {
  std::map<std::size_t, Group> groups;
  for (std::size_t i = 0; i < units.size(); ++i) groups[units[i].*which].add(scores[i]);
  return groups;
}

/// A unit of another page and how like it is, in thousandths.
using Alike = std::vector<std::pair<std::int64_t, std::size_t>>;

/// For each unit those of other pages that share most of its terms: Dice's coefficient, the rare
/// terms counting more. Numbers stand for too many things to count.
std::vector<Alike> alike(const std::vector<Unit>& units,
                         const std::vector<std::vector<std::string>>& terms,
                         const ::text::Index& index) {
  std::map<std::string, std::vector<std::size_t>> holding;
  Scores all(units.size());
  for (std::size_t i = 0; i < units.size(); ++i) {
    for (const std::string& term : std::set(terms[i].begin(), terms[i].end())) {
      if (is_number(term)) continue;
      holding[term].push_back(i);
      all[i] += index.rarity(term);
    }
  }
  std::vector<Alike> found;
  Scores common(units.size());  // with the unit at hand
  for (std::size_t i = 0; i < units.size(); ++i) {
    std::ranges::fill(common, 0);
    for (const std::string& term : std::set(terms[i].begin(), terms[i].end())) {
      if (is_number(term)) continue;
      const std::int64_t rarity = index.rarity(term);
      for (const std::size_t other : holding[term]) common[other] += rarity;
    }
    Alike& own = found.emplace_back();
    for (std::size_t other = 0; other < units.size(); ++other) {
      if (units[other].page == units[i].page) continue;
      const std::int64_t sum = std::max<std::int64_t>(1, all[i] + all[other]);
      const std::int64_t likeness = 2000 * common[other] / sum;
      if (likeness >= least_likeness) own.emplace_back(-likeness, other);
    }
    std::ranges::sort(own);
    if (own.size() > most_alike) own.resize(most_alike);
    for (auto& [likeness, other] : own) likeness = -likeness;
  }
  return found;
}

using Vector = std::map<std::string, double>;

void add_to(Vector& sum, const Vector& words, double times) {
  for (const auto& [term, weight] : words) sum[term] += weight * times;
}

/// What bears on the topic, and what does not.
struct Topic {
  Vector on;
  Vector off;
  double parts_on = 0;
  double parts_off = 0;

  void add(const Vector& words, double part) {
    add_to(on, words, part);
    add_to(off, words, 1 - part);
    parts_on += part;
    parts_off += 1 - part;
  }

  /// The words of the topic, less those that are everywhere.
  [[nodiscard]] Vector without(const Topic& some) const {
    constexpr double against = 1.0;
    const double of_on = std::max(1e-9, parts_on - some.parts_on);
    const double of_off = std::max(1e-9, parts_off - some.parts_off);
    Vector left;
    for (const auto& [term, weight] : on) {
      const auto get = [&](const Vector& words) {
        const auto found = words.find(term);
        return found == words.end() ? 0.0 : found->second;
      };
      const double worth =
          (weight - get(some.on)) / of_on - against * (get(off) - get(some.off)) / of_off;
      if (worth > 0) left[term] = worth;
    }
    return left;
  }
};

double cosine(const Vector& one, const Vector& other) {
  const auto square = [](const Vector& words) {
    double sum = 0;
    for (const auto& [term, weight] : words) sum += weight * weight;
    return sum;
  };
  double product = 0;
  for (const auto& [term, weight] : one) {
    const auto found = other.find(term);
    if (found != other.end()) product += weight * found->second;
  }
  const double length = std::sqrt(square(one) * square(other));
  return length > 0 ? product / length : 0;
}

/// An average of what is there.
class Average {
 public:
  void add(std::int64_t weight, std::int64_t score) {
    weights_ += weight;
    sum_ += weight * score;
  }
  [[nodiscard]] std::int64_t value_or(std::int64_t other) const {
    return weights_ == 0 ? other : sum_ / weights_;
  }

 private:
  std::int64_t weights_ = 0;
  std::int64_t sum_ = 0;
};

}  // namespace

std::vector<std::int64_t> spread(const std::vector<Unit>& units,
                                 const std::vector<std::vector<std::string>>& terms,
                                 const ::text::Index& index,
                                 const std::vector<std::int64_t>& direct) {
  const auto like = alike(units, terms, index);
  Scores scores = direct;
  for (int round = 0; round < rounds; ++round) {
    const auto passages = grouped(units, scores, &Unit::passage);
    const auto sections = grouped(units, scores, &Unit::section);
    const auto pages = grouped(units, scores, &Unit::page);
    Scores next;
    for (std::size_t i = 0; i < units.size(); ++i) {
      const Group& passage = passages.at(units[i].passage);
      const Group& section = sections.at(units[i].section);
      const Group& page = pages.at(units[i].page);
      Average around;
      if (passage.count > 1) around.add(passage_weight, passage.best_without(scores[i]));
      if (section.count > 1) {
        around.add(section_weight,
                   (section.best_without(scores[i]) + section.average_without(scores[i])) / 2);
      }
      if (page.count > 1) around.add(page_weight, page.average_without(scores[i]));
      Average others;
      for (const auto& [likeness, other] : like[i]) others.add(likeness, scores[other]);
      if (!like[i].empty()) around.add(likeness_weight, others.value_or(0));
      next.push_back((own_percent * direct[i] + (100 - own_percent) * around.value_or(direct[i])) /
                     100);
    }
    scores = std::move(next);
  }
  return scores;
}

std::vector<std::size_t> likeness(const std::vector<Unit>& units,
                                  const std::vector<std::vector<std::string>>& terms,
                                  const std::vector<std::size_t>& weights) {
  ::text::Index index;
  for (const auto& own : terms) index.add(own);
  const double best =
      weights.empty() ? 1
                      : static_cast<double>(std::max<std::size_t>(1, std::ranges::max(weights)));
  std::vector<Vector> pages(units.empty() ? 0 : units.back().page + 1);
  std::vector<Topic> topics(pages.size());  // what the page adds to it
  std::map<std::size_t, Vector> sections;
  Topic all;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const double part = static_cast<double>(weights[i]) / best;
    Vector words;
    for (const std::string& term : std::set(terms[i].begin(), terms[i].end())) {
      if (!is_number(term)) words[term] = static_cast<double>(index.rarity(term));
    }
    add_to(pages[units[i].page], words, 1);
    add_to(sections[units[i].section], words, 1);
    for (Topic* one : {&all, &topics[units[i].page]}) one->add(words, part * part);
  }
  std::vector<double> cosines;
  double most = alike_enough;
  std::map<std::size_t, double> of_section;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const std::size_t page = units[i].page;
    if (!of_section.contains(units[i].section)) {
      const Vector others = all.without(topics[page]);
      of_section[units[i].section] =
          0.5 * cosine(pages[page], others) + 0.5 * cosine(sections[units[i].section], others);
    }
    cosines.push_back(of_section[units[i].section]);
    most = std::max(most, cosines.back());
  }
  std::vector<std::size_t> found;
  for (const double one : cosines) {
    found.push_back(static_cast<std::size_t>(1000 * one / most));
  }
  return found;
}

}  // namespace research
