/// @file
/// How well passages answer the questions of an outline.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "memo/stemming.hpp"
#include "memo/types.hpp"

namespace memo {

/// Below this a passage answers nothing.
inline constexpr std::int64_t least_fit = 90;

/// Below this it is no answer if the question has learned words: less than one in five of such
/// passages answers it (decision 193).
inline constexpr std::int64_t sure_fit = 180;

/// From here on a question may refer to a passage that stands under another one: of such
/// references two in three lead to an answer.
inline constexpr std::int64_t clear_fit = 300;

/// The kinds of answers that `text` holds: `money`, `percent`, `number`, `date`, `name`,
/// `person`.
std::set<std::string> kinds_in(std::string_view text);

/// Scores passages for all questions at once. A sign (Topic::signs) counts the more, the fewer
/// questions have it (inverse document frequency, Spärck Jones, 1972) and the longer it is; further
/// signs count ever less. The words that a passage shares with a question and its examples
/// (Topic::query) count by BM25, each question being a document. `@money`, `@percent`, `@number`,
/// `@name`, `@person` and `@date` among the signs are kinds of answers: a passage with none of
/// those that its question expects counts half. What answers a question that begins with the words
/// behind a `!` counts nothing. To that come the points of its commonest words (Vocabulary), half
/// of them if it shows no sign; a question that none was learned for gets what they mostly add,
/// with a sign. Immutable.
class Fit {
 public:
  explicit Fit(const std::vector<Topic>& topics);

  /// Points for each topic, in their order; only comparable among themselves.
  [[nodiscard]] std::vector<std::int64_t> of(std::string_view text, const WordIndex& words,
                                             const WordIndex& heading) const;

 private:
  struct Entry {
    std::size_t topic;
    Signs::Sign sign;
    std::int64_t points;
  };
  struct Share {
    std::size_t topic;
    std::int64_t points;
  };
  using Points = std::vector<std::vector<std::int64_t>>;  // by topic

  void add_signs(const std::vector<Topic>& topics);
  void add_examples(const std::vector<Topic>& topics);
  [[nodiscard]] Points shown_in(const WordIndex& text, bool as_heading) const;

  std::vector<std::string> ids_;                                 ///< of the topics
  std::vector<std::int64_t> usual_;                              ///< beside signs, by topic
  std::vector<std::vector<std::string>> kinds_;                  ///< of answers, by topic
  std::vector<std::vector<std::string>> others_asked_;           ///< heads of other questions
  std::unordered_map<std::string, std::vector<Entry>> by_stem_;  ///< the first of a sign
  std::vector<Entry> others_;                                    ///< signs that are no stems
  std::unordered_map<std::string, std::vector<Share>> examples_;
};

}  // namespace memo
