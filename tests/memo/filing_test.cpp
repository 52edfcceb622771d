// Notes are placed under the questions of a memo all at once, each under one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memo/gathering.hpp"

namespace memo {
namespace {

using ::testing::UnorderedElementsAre;

const std::vector<Topic> questions{{"mill", "Mill", "?", "", {"mill", "rye"}},
                                   {"oven", "Oven", "?", "", {"oven", "loaf"}}};

/// `question: passage` for what is filed, each passage being a note to both questions.
std::vector<std::string> filed_of(const Sources& sources, const Room& room = {}) {
  const Corpus corpus{sources};
  const Ranking ranking{corpus, questions};
  std::vector<Finding> notes;
  for (const auto& topic : questions) {
    for (const auto& one : ranking.best(topic, 9)) {
      if (one.score >= least_fit) notes.push_back({topic.id, one.text, one.source});
    }
  }
  std::vector<std::string> found;
  for (const auto& one : filed(questions, ranking, notes, room)) {
    found.push_back(one.topic + ": " + one.quote);
  }
  return found;
}

const std::string rye = "The rye of the mill is ground slowly by two old stones.";
const std::string hill = "A mill for rye stands on the hill above the town of Hull.";
const std::string loaf = "Each loaf comes out of an oven that burns wood alone.";
const std::string both = "The mill has rye for an oven that bakes one loaf a minute.";

TEST(Filing, ASecondAnswerGoesToTheQuestionThatHasFewer) {
  EXPECT_THAT(
      filed_of({make_source("a.md", rye + ' ' + hill + ' ' + loaf + ' ' + both)}),
      UnorderedElementsAre("mill: " + rye, "mill: " + hill, "oven: " + loaf, "oven: " + both));
}

TEST(Filing, OnlyFirstAnswersMayTakeMoreThanTheRoom) {
  EXPECT_THAT(filed_of({make_source("a.md", rye + ' ' + hill + ' ' + loaf)}, {3, 5}),
              UnorderedElementsAre("mill: " + rye, "oven: " + loaf));
}

/// How many of two passages that hardly fit a question are filed under it.
std::size_t filed_weakly(const std::string& id) {
  const std::vector<Topic> topics{{id, "Risk", "?", "", {"risk"}}};
  const Corpus corpus{{make_source("a.md", "Acme bakes bread.")}};
  return filed(topics, Ranking{corpus, topics}, {{id, rye, "a.md"}, {id, loaf, "a.md"}}, {}).size();
}

TEST(Filing, AFurtherAnswerHasToFitWellWhereWordsWereLearned) {
  EXPECT_EQ(filed_weakly("risks.dependence"), 1U);
  EXPECT_EQ(filed_weakly("mill"), 2U) << "a sign is enough for questions of one's own";
}

}  // namespace
}  // namespace memo
