// Sources as sentences, and which of them a section quotes.
#include "review/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace review::testing {
namespace {

using ::testing::ElementsAre;

const Source source = source_of("mill.md",
                                "---\nauthor: x\n---\n# The *mill*\n\nThe wheel has forty "
                                "wooden buckets. It turns with the tide.\n\n- Flour is sold from "
                                "May to October.\n- Short.\n\n```\nnot a sentence of any kind\n"
                                "```\nThe stones are dressed twice a year.\n");

TEST(ReviewSources, AreTheSentencesOfParagraphsAndItems) {
  EXPECT_EQ(source.title, "The mill");
  EXPECT_THAT(
      source.sentences,
      ElementsAre("The wheel has forty wooden buckets.", "It turns with the tide.",
                  "Flour is sold from May to October.", "The stones are dressed twice a year."));
}

TEST(ReviewQuotes, AreThoseOfTheHeadingInTheirOrderThenTheFirst) {
  EXPECT_THAT(quotes(source, "Stones", 1), ElementsAre("The stones are dressed twice a year."));
  EXPECT_THAT(
      quotes(source, "Flour and stones", 2),
      ElementsAre("Flour is sold from May to October.", "The stones are dressed twice a year."));
  EXPECT_THAT(quotes(source, "Accounts", 2),
              ElementsAre("The wheel has forty wooden buckets.", "It turns with the tide."));
  EXPECT_EQ(quotes(source, "Stones", 20).size(), 4U);
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
