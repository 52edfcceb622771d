/// @file
/// What the commonest words of a passage tell about the questions that it answers.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "memo/stemming.hpp"

namespace memo {

/// What a passage holds that a table may have points for, as keys of it: the stems of its words,
/// those of a brief heading and the kinds of answers.
std::set<std::string> keys_in(const WordIndex& words, const WordIndex& heading,
                              const std::set<std::string>& kinds);

/// Points of words for each question, learned from answers by logistic regression
/// (tools/learn_words.py). A table: the first line names the questions (Topic::id), each further
/// one a word and its points, in tenths of a unit of log odds. `#` in front of a word: in a
/// heading; `@`: a kind of answer (see Fit); `0` stands for every word with a figure, and `*` for
/// any passage. Immutable.
class Vocabulary {
 public:
  /// @throws std::invalid_argument `table` is no such table
  explicit Vocabulary(std::string_view table);

  /// The one that comes with the program, words.csv.
  /// @throws std::runtime_error  it is not there
  [[nodiscard]] static const Vocabulary& own();

  /// Whether the table has points for `topic`.
  [[nodiscard]] bool knows(const std::string& topic) const { return columns_.contains(topic); }

  /// In hundredths, for each of `topics`, how much likelier a passage answers it than passages do
  /// on average; 0 if it does not, and for an unknown topic.
  [[nodiscard]] std::vector<std::int64_t> points_of(const std::vector<std::string>& topics,
                                                    const WordIndex& words,
                                                    const WordIndex& heading,
                                                    const std::set<std::string>& kinds) const;

 private:
  using Row = std::vector<std::int64_t>;

  std::map<std::string, std::size_t, std::less<>> columns_;
  Row any_;
  std::map<std::string, Row, std::less<>> rows_;  ///< by stem
};

}  // namespace memo
