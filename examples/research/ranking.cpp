#include "research/ranking.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "research/text.hpp"

namespace research {
namespace {

constexpr std::size_t shortest = 60;  ///< characters; what is shorter rarely stands alone
constexpr std::size_t longest = 320;

/// The best scores first, equals in their order.
template <class T>
std::vector<T> sorted(std::vector<std::pair<double, T>> scored, std::size_t limit) {
  std::ranges::stable_sort(scored, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<T> out;
  for (std::size_t i = 0; i < std::min(limit, scored.size()); ++i) {
    out.push_back(std::move(scored[i].second));
  }
  return out;
}

/// A sentence that leans on the one before, or speaks to its reader, says little by itself.
bool stands_alone(std::string_view sentence, const std::vector<std::string>& words) {
  static const std::set<std::string_view> leaning{
      "it",      "its",   "they",    "their",     "he",       "she",   "but",   "and",
      "so",      "or",    "also",    "however",   "then",     "here",  "both",  "again",
      "instead", "some",  "another", "similarly", "besides",  "now",   "come",  "let",
      "once",    "prior", "finally", "further",   "moreover", "while", "after", "when"};
  static const std::set<std::string_view> pointing{"this",  "that", "these",
                                                   "those", "such", "same"};
  constexpr std::size_t beginning = 6;
  if (words.size() < 8 || leaning.contains(words.front())) return false;
  const auto points = [](const std::string& word) { return pointing.contains(word); };
  if (std::any_of(words.begin(), words.begin() + beginning, points)) return false;
  const bool i_speak = std::ranges::find(words, "i") != words.end();
  return !i_speak && sentence.find('@') == sentence.npos;
}

/// Stems between spaces, so that a phrase is found as a part of it.
std::string padded(const std::vector<std::string>& words) {
  std::string out = " ";
  for (const std::string& word : words) out.append(stem(word)).append(" ");
  return out;
}
std::string padded(std::string_view text) { return padded(words(text)); }

}  // namespace

Seek kind_of(std::string_view sentence) {
  static constexpr std::array<std::string_view, 10> signs{
      " should ",   " must ",         " need to ", " recommend ", " make sure ",
      " consider ", " important to ", " try to ",  " avoid ",     " ensure "};
  std::string text = " ";
  for (const std::string& word : words(sentence)) text += word + " ";
  const bool advises = std::ranges::any_of(
      signs, [&](const auto& sign) { return text.find(sign) != std::string::npos; });
  return advises ? Seek::advice : Seek::reports;
}

Ranking::Ranking(const Scrape& scrape) {
  for (std::size_t page = 0; page < scrape.pages.size(); ++page) {
    auto& counts = counts_.emplace_back();
    auto& pairs = pairs_.emplace_back();
    std::string& text = texts_.emplace_back();
    std::size_t length = 0;
    for (const Passage& passage : scrape.pages[page].passages) {
      const std::vector<std::string> of_passage = words(passage.text);
      text += padded(of_passage);
      for (const std::string& one : sentences(passage.text)) {
        const std::vector<std::string> all = words(one);
        std::vector<std::string> of_one = terms(all);
        for (std::size_t i = 1; i < all.size(); ++i) {
          const bool telling = all[i - 1].size() > 2 && all[i].size() > 2 &&
                               !is_stop_word(all[i - 1]) && !is_stop_word(all[i]);
          if (telling) pairs.insert(all[i - 1] + " " + stem(all[i]));
        }
        if (one.size() < shortest || one.size() > longest || !stands_alone(one, all)) continue;
        sentences_.push_back({page, one, std::move(of_one)});
      }
      for (const std::string& term : terms(of_passage)) {
        ++counts[term];
        ++length;
      }
    }
    lengths_.push_back(length);
    for (const auto& [term, count] : counts) ++pages_with_[term];
    for (const std::string& pair : pairs) ++pages_with_pair_[pair];
  }
}

double Ranking::rarity(const std::string& term) const {
  const auto found = pages_with_.find(term);
  if (found == pages_with_.end()) return 0;
  const auto all = static_cast<double>(counts_.size());
  const auto with = static_cast<double>(found->second);
  return std::log(1 + (all - with + 0.5) / (with + 0.5));
}

std::vector<std::size_t> Ranking::relevance(std::string_view query) const {
  constexpr double k = 1.2;
  constexpr double b = 0.75;
  double total = 0;
  for (const std::size_t length : lengths_) total += static_cast<double>(length);
  const double mean =
      std::max(1.0, total / static_cast<double>(std::max<std::size_t>(1, lengths_.size())));
  const std::vector<std::string> asked = terms(query);
  const std::set<std::string> wanted(asked.begin(), asked.end());
  std::vector<std::size_t> scores;
  for (std::size_t page = 0; page < counts_.size(); ++page) {
    double score = 0;
    for (const std::string& term : wanted) {
      const auto found = counts_[page].find(term);
      if (found == counts_[page].end()) continue;
      const auto often = static_cast<double>(found->second);
      const double length = static_cast<double>(lengths_[page]) / mean;
      score += rarity(term) * often * (k + 1) / (often + k * (1 - b + b * length));
    }
    scores.push_back(static_cast<std::size_t>(std::lround(score * 1000)));
  }
  return scores;
}

bool Ranking::mentions(std::size_t page, std::string_view phrase) const {
  return texts_[page].find(padded(phrase)) != std::string::npos;
}

std::vector<std::string> Ranking::phrases(const std::vector<std::size_t>& pages,
                                          std::size_t limit) const {
  std::map<std::string, std::size_t> here;
  for (const std::size_t page : pages) {
    for (const std::string& pair : pairs_[page]) ++here[pair];
  }
  const auto all = static_cast<double>(counts_.size());
  const auto share = static_cast<double>(pages.size()) / std::max(1.0, all);
  std::vector<std::pair<double, std::string>> scored;
  for (const auto& [pair, count] : here) {
    if (count < 3) continue;
    const auto inside = static_cast<double>(count);
    const double expected = static_cast<double>(pages_with_pair_.at(pair)) * share;
    scored.emplace_back(inside * std::log(1 + inside / expected), pair);
  }
  return sorted(std::move(scored), limit);
}

std::vector<const Sentence*> Ranking::best(const std::vector<std::string>& phrases,
                                           const std::vector<std::size_t>& pages, std::size_t limit,
                                           Seek seek) const {
  std::string query;
  for (const std::string& phrase : phrases) query += phrase + " ";
  const std::vector<std::string> asked = terms(query);
  const std::set<std::string> wanted(asked.begin(), asked.end());
  const std::vector<std::size_t> weight = relevance(query);
  const std::set<std::size_t> within(pages.begin(), pages.end());
  std::vector<std::pair<double, const Sentence*>> scored;
  for (const Sentence& sentence : sentences_) {
    if (!within.contains(sentence.page) || kind_of(sentence.text) != seek) continue;
    const std::set<std::string> held(sentence.terms.begin(), sentence.terms.end());
    double score = 0;
    for (const std::string& term : held) score += wanted.contains(term) ? rarity(term) : 0;
    if (score <= 0) continue;
    const std::string text = padded(sentence.text);
    for (const std::string& phrase : phrases)
      score *= text.find(padded(phrase)) != text.npos ? 2 : 1;
    score /= std::sqrt(static_cast<double>(held.size() + 4));
    score *= 1 + static_cast<double>(weight[sentence.page]) / 10'000;
    scored.emplace_back(score, &sentence);
  }
  return sorted(std::move(scored), limit);
}

}  // namespace research
