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

TEST(ReviewLater, IsNotTheDateOfAnotherLetter) {
  const Source proposal{
      "a.md", "2025-02-03", {"To the committee of the hospital in the town, 3 February 2025."}};
  const Source report{
      "b.md", "2025-02-10", {"To the committee of the hospital in the town, 10 February 2025."}};
  EXPECT_THAT(later_than(proposal, {proposal, report}), ElementsAre(IsEmpty()));
  Source meeting = proposal;
  meeting.sentences = {"The committee of the hospital in the town meets on 3 March 2025."};
  Source change = report;
  change.sentences = {"The committee of the hospital in the town meets on 10 March 2025."};
  EXPECT_THAT(later_than(meeting, {meeting, change}), ElementsAre(SizeIs(1)));
}

TEST(ReviewLater, OfAYearThatWasOverNamesThatYear) {
  const Source report{"a.md", "2025-02-03", {"In 2024 the ward had 8.4 falls per 1,000 bed days."}};
  Source later{"b.md", "2025-10-21", {"The ward now has 5.6 falls per 1,000 bed days."}};
  EXPECT_THAT(later_than(report, {report, later}), ElementsAre(IsEmpty()));
  later.sentences = {"The ward had 7.5 falls per 1,000 bed days in 2024."};
  EXPECT_THAT(later_than(report, {report, later}), ElementsAre(SizeIs(1)));
  Source running = report;
  running.date = "2024-12-01";
  later.sentences = {"The ward now has 5.6 falls per 1,000 bed days."};
  EXPECT_THAT(later_than(running, {running, later}), ElementsAre(SizeIs(1)));
}

TEST(ReviewReport, HasAParagraphForEachSentenceOnALineOfItsOwn) {
  EXPECT_EQ(as_paragraphs("The roof costs £64,000.\nLater, in b.md: It costs £75,830.\n"),
            "The roof costs £64,000.\n\nLater, in b.md: It costs £75,830.\n");
  const std::string own =
      "One sentence goes\non in a second line.\n\n- an item.\n- another.\n"
      "```\na.\nb.\n```\n| a. | b. |\n";
  EXPECT_EQ(as_paragraphs(own), own);
}

}  // namespace
}  // namespace review::testing
