/// @file
/// Puts questions to a provider, and files its answers under the questions of a memo.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "memo/corrections.hpp"
#include "memo/fit.hpp"
#include "memo/ranking.hpp"
#include "memo/tasks.hpp"

namespace memo {

/// The passages of a corpus, ranked for each of some topics.
class Ranking {
 public:
  /// A passage that corrects another one answers what that one does.
  Ranking(const Corpus& corpus, const std::vector<Topic>& topics,
          const std::vector<Correction>& corrected = {});

  /// The best candidates for `topic`, best first. Those without a word that tells of an answer
  /// have one point: who can read may know better.
  [[nodiscard]] std::vector<Candidate> best(const Topic& topic, std::size_t limit) const;
  /// What research or a deck filed under `topic`, as candidates.
  [[nodiscard]] std::vector<Candidate> filed(const Topic& topic,
                                             const std::vector<Finding>& findings) const;

 private:
  void keep_apart(const Passage& passage, std::vector<std::int64_t>& points) const;
  void put_in_place(const Correction& correction);
  [[nodiscard]] std::size_t column_of(const Topic& topic) const;

  const Corpus& corpus_;
  std::vector<Topic> topics_;
  std::vector<std::vector<std::int64_t>> points_;  ///< by passage and topic
};

/// Notes in order of their questions. One sentence may be a note to several questions.
struct Gathered {
  std::vector<Finding> findings;
  std::vector<std::string> silent;  ///< topics for which nothing was picked
};

/// Asks all questions in one call; takes at most `each` answers to one.
Gathered gather(const model::Call& call, const std::string& purpose,
                const std::vector<Topic>& topics, const std::vector<Question>& questions,
                std::size_t each, const std::string& subject = {});

/// How much may be filed.
struct Room {
  std::size_t each = 3;                                         ///< answers to a question
  std::size_t words = std::numeric_limits<std::size_t>::max();  ///< in all; a first one may be more
};

/// Files notes, each sentence under one question; only the summary may repeat it. All are placed at
/// once, so that the sum of what they are worth is highest (assigning.hpp); to a question the first
/// answer is worth more than a second.
std::vector<Finding> filed(const std::vector<Topic>& topics, const Ranking& ranking,
                           const std::vector<Finding>& notes, const Room& room);

}  // namespace memo
