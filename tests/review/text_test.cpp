// Sources as sentences, and which of them a section quotes.
#include "review/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace review::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::UnorderedElementsAre;

const Source source = source_of("mill.md",
                                "---\nauthor: x\n---\n# The *mill*\n\nThe wheel has forty "
                                "wooden buckets. It turns with the tide.\n\n- Flour is sold from "
                                "May to October.\n- Short.\n\n```\nnot a sentence of any kind\n"
                                "```\nThe stones are dressed twice a year.\n");

TEST(ReviewSources, AreTheSentencesOfParagraphsAndItems) {
  EXPECT_EQ(source.title, "The mill");
  const auto is = [](const char* body, int place) {
    return AllOf(Field(&text::Passage::body, body), Field(&text::Passage::line, place));
  };
  EXPECT_THAT(source.sentences, ElementsAre(is("The wheel has forty wooden buckets.", 1),
                                            is("It turns with the tide.", 2),
                                            is("Flour is sold from May to October.", 3),
                                            is("The stones are dressed twice a year.", 5)))
      << "one is too short";
}

std::vector<std::string> best(std::string_view heading, std::size_t count) {
  std::vector<std::string> texts;
  for (const auto& one : ranked(source, heading, count)) texts.push_back(one.body);
  return texts;
}

TEST(ReviewSentences, AreRankedByTheHeadingThenTheFirst) {
  EXPECT_THAT(best("Stones", 1), ElementsAre("The stones are dressed twice a year."));
  EXPECT_THAT(best("Flour and stones", 2),
              UnorderedElementsAre("Flour is sold from May to October.",
                                   "The stones are dressed twice a year."));
  EXPECT_THAT(best("Accounts", 2),
              ElementsAre("The wheel has forty wooden buckets.", "It turns with the tide."));
  EXPECT_EQ(best("Stones", 20).size(), 4U);
}

TEST(ReviewParagraphs, AreSentencesOnLinesOfTheirOwn) {
  EXPECT_EQ(as_paragraphs("One costs £6.\nTwo “cost more.”\nand go on\n"),
            "One costs £6.\n\nTwo “cost more.”\n\nand go on\n");
  for (const char* same : {"- One.\n- Two.\n", "| a. | b. |\n| c. | d. |\n",
                           "```\nOne.\nTwo.\n```\n", "1. One.\n2. Two.\n", "One\ntwo.\n"}) {
    EXPECT_EQ(as_paragraphs(same), same);
  }
}

}  // namespace
}  // namespace review::testing
