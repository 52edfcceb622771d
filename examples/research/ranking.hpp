/// @file
/// Which sentences, phrases and pages matter: term statistics over the pages of a scrape. The same
/// pages give the same order on every machine; equals keep the order of the pages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "research/types.hpp"

namespace research {

/// Two kinds of sentences.
enum class Seek {
  reports,  ///< says how things are or went
  advice,   ///< tells its reader what to do
};

/// A sentence of a page.
struct Sentence {
  std::size_t page = 0;  ///< index in Scrape::pages
  std::string text;
  std::vector<std::string> terms;
};

class Ranking {
 public:
  /// @param scrape  outlives this
  explicit Ranking(const Scrape& scrape);

  /// For each page how much it speaks of `query`: 0 not at all. After Okapi BM25 (Robertson and
  /// Zaragoza, 2009), in thousandths.
  [[nodiscard]] std::vector<std::size_t> relevance(std::string_view query) const;

  /// Whether the page has the words of `phrase` one after the other.
  [[nodiscard]] bool mentions(std::size_t page, std::string_view phrase) const;

  /// Pairs of words that these pages use more than others, the most telling first.
  [[nodiscard]] std::vector<std::string> phrases(const std::vector<std::size_t>& pages,
                                                 std::size_t limit) const;

  /// Sentences of these pages by how much of `phrases` they hold, the best first; a whole phrase
  /// counts more than its words. None that holds nothing of them.
  [[nodiscard]] std::vector<const Sentence*> best(const std::vector<std::string>& phrases,
                                                  const std::vector<std::size_t>& pages,
                                                  std::size_t limit, Seek seek) const;

 private:
  [[nodiscard]] double rarity(const std::string& term) const;

  std::vector<std::unordered_map<std::string, std::size_t>> counts_;  ///< per page: term, how often
  std::vector<std::size_t> lengths_;                                  ///< per page: terms
  std::vector<std::unordered_set<std::string>> pairs_;                ///< per page: `word word`
  std::vector<std::string> texts_;                           ///< per page: its words, for phrases
  std::unordered_map<std::string, std::size_t> pages_with_;  ///< per term
  std::unordered_map<std::string, std::size_t> pages_with_pair_;
  std::vector<Sentence> sentences_;
};

/// Told by words such as `should` and `make sure`.
Seek kind_of(std::string_view sentence);

}  // namespace research
