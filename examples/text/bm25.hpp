/// @file
/// Okapi BM25 (Robertson and Zaragoza, 2009) in integers, so that every machine gives the same
/// order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace text {

/// Documents made searchable by their terms.
class Index {
 public:
  /// The next document; they are numbered from 0.
  void add(const std::vector<std::string>& terms);

  [[nodiscard]] std::size_t size() const noexcept { return counts_.size(); }
  /// How many documents hold a term.
  [[nodiscard]] std::int64_t holding(const std::string& term) const;
  /// How often a document holds it.
  [[nodiscard]] std::int64_t count(std::size_t document, const std::string& term) const;
  /// How much a term tells, in sixteenths: log2 of how few documents hold it; 0 if none does.
  [[nodiscard]] std::int64_t rarity(const std::string& term) const;

  /// The rarity of a term that one document holds.
  [[nodiscard]] std::int64_t rarest() const;

  /// BM25 with k1 = 1.2 and b = 0.75, scaled by 1000. Terms of the query count once each.
  [[nodiscard]] std::int64_t score(std::size_t document,
                                   const std::vector<std::string>& query) const;
  /// What score() nears as a document holds the whole query ever more often.
  [[nodiscard]] std::int64_t best_score(const std::vector<std::string>& query) const;

 private:
  struct Counts {
    std::map<std::string, std::int64_t> terms;
    std::int64_t length = 0;
  };

  std::vector<Counts> counts_;
  std::map<std::string, std::int64_t> holding_;
  std::int64_t length_ = 0;  ///< of all documents
};

}  // namespace text
