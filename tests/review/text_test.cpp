// What review reads of a file: its sentences, its date, and which of them a report states.
#include "review/text.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "review/later.hpp"

namespace review::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(ReviewSentences, AreThoseOfParagraphsWithoutCodeTablesFrontMatterAndAddresses) {
  const auto sentences = sentences_of(
      "---\nauthor: somebody who wrote the words that follow below\n---\n# Title\n\n"
      "This is all that a team of the U.S. Treasury has to say.\n\n"
      "```\nthis is some code, and it is long enough for a sentence\n```\n\n"
      "  - this is a list in a list, long enough for a sentence\n\n"
      "Plan | Price of it until May | Price of it from June on\n--- | --- | ---\n\n"
      "https://one.example/a/long/address/of/a/page https://two.example/another/one\n");
  EXPECT_THAT(sentences, ElementsAre("This is all that a team of the U.S. Treasury has to say."));
}

TEST(ReviewSentences, AreItemsOfListsToo) {
  EXPECT_THAT(sentences_of("- The first item is a sentence that goes on\n  in the next line.\n"
                           "2. **Decided:** the second one is a sentence as well.\n\n"
                           "---\n\n- apples and pears and plums and all other fruit\n"),
              ElementsAre("The first item is a sentence that goes on in the next line.",
                          "Decided: the second one is a sentence as well."));
}

TEST(ReviewSentences, WithFiguresNamesAndDecisionsAreStatedFirst) {
  const std::vector<std::string> sentences{
      "The hall is a hall that everybody in the hall likes to call a hall.",
      "The weather was fine and nobody had anything against a walk.",
      "The roof of it costs 71,350 pounds, and the walls cost 2,400 pounds.",
      "Afterwards somebody had the idea of asking Margaret about it.",
      "In the end the trustees decided that nothing else can be done."};
  EXPECT_THAT(summary_of(sentences, 3), ElementsAre(0U, 2U, 4U));
  EXPECT_THAT(summary_of(sentences, 9), SizeIs(5));
}

TEST(ReviewDates, AreThoseOfNamesAndOfShortLinesAtTheTop) {
  EXPECT_EQ(date_of("minutes/2025-03-04.md", "# Minutes of 5 May 2025\n"), "2025-03-04");
  EXPECT_EQ(date_of("a.md", "---\ntitle: A\ndate: 2025-04-02\n---\n"), "2025-04-02");
  EXPECT_EQ(date_of("a.md", "\n# Minutes, 4 March 2025\n"), "2025-03-04");
  EXPECT_EQ(date_of("a.md",
                    "Long ago, which is to say on the 4th of March 2021, we began to "
                    "think about a new roof for the hall.\n"),
            "");
}

const Source plan{"plan.md", "", {"The pre-money valuation of the company is €22 million."}};
const Source news{"news.md",
                  "2025-09-12",
                  {"The weather in September was better than anybody had hoped.",
                   "The pre-money valuation of the company is now €19 million."}};

TEST(ReviewLater, IsASentenceOfALaterFileWithAnotherFigureForTheSameThing) {
  EXPECT_THAT(
      later_than(plan, {plan, news}),
      ElementsAre(ElementsAre(
          "Later, in news.md: The pre-money valuation of the company is now €19 million.")));
  EXPECT_THAT(later_than(news, {plan, news}), ElementsAre(IsEmpty(), IsEmpty()));
}

TEST(ReviewLater, IsNothingWhereTheFilesAreOfOneDayOrTheFiguresAreTheSame) {
  Source same = plan;
  same.date = news.date;
  EXPECT_THAT(later_than(same, {same, news}), ElementsAre(IsEmpty()));
  Source again = news;
  again.sentences = plan.sentences;
  EXPECT_THAT(later_than(plan, {plan, again}), ElementsAre(IsEmpty()));
}

}  // namespace
}  // namespace review::testing
