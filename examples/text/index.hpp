/// @file
/// Finds the passages that have most to do with some words: an in-memory table of SQLite's FTS5,
/// ranked by its bm25() over Porter's stems. It does not understand what it finds: an answer and a
/// near miss score alike, so a person or a model has to judge.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/passages.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace text {

struct Hit {
  std::size_t passage = 0;  ///< its place in the list that the index was made of
  double score = 0;         ///< 0 and above, larger is better
};

/// Below this, a passage has hardly anything to do with the words. It is low: of questions with one
/// known answer it keeps nearly all right first hits, and three quarters of the wrong ones.
inline constexpr double least_score = 2.0;

/// The words of a question that are looked for: of at least four letters, or with a digit, or with
/// a capital behind the first letter, as `AI`. Not those of `without`, such as a company's name,
/// which stands everywhere.
std::vector<std::string> search_words(std::string_view question, std::string_view without = {});

/// One thread at a time. Never recorded: it is made again from the files in milliseconds.
class PassageIndex {
 public:
  /// Of equal scores the earlier passage comes first: equal passages give equal results everywhere.
  explicit PassageIndex(const std::vector<Passage>& passages, double title_weight = 2.0);
  ~PassageIndex();
  PassageIndex(PassageIndex&&) noexcept;
  PassageIndex& operator=(PassageIndex&&) = delete;

  /// The best `most` passages for any of these words, best first, none below `least`.
  [[nodiscard]] std::vector<Hit> best(const std::vector<std::string>& words, std::size_t most,
                                      double least = least_score) const;

 private:
  struct Close {
    void operator()(sqlite3* database) const noexcept;
    void operator()(sqlite3_stmt* statement) const noexcept;
  };
  using Statement = std::unique_ptr<sqlite3_stmt, Close>;
  [[nodiscard]] Statement prepare(const std::string& sql) const;

  std::unique_ptr<sqlite3, Close> database_;
  double title_weight_;
};

}  // namespace text
