// What a memo may quote of a paragraph: sentences that are understood without what is around them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memo/corrections.hpp"
#include "memo/persons.hpp"
#include "memo/ranking.hpp"

namespace memo {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// The passages of a source, each of which is found in it again.
std::vector<std::string> passages_of(const std::string& text, const char* file = "a.md") {
  const Corpus corpus{{make_source(file, text)}};
  std::vector<std::string> found;
  for (const auto& passage : corpus.passages()) {
    EXPECT_TRUE(corpus.holds(file, passage.text)) << passage.text;
    found.push_back(passage.text);
  }
  return found;
}

TEST(Passages, OfAPersonBeginWithTheNameAndTheRole) {
  const std::string ada = "Ada Byron, managing director. Nine years at a maker of looms in Hull.";
  const std::string lea = "Dr. Lea de Wit – mills. Built mills in Ghent before. She has two sons.";
  EXPECT_THAT(passages_of("# Team\n\n**Ada Byron**, managing director. Nine years at a maker of "
                          "looms in Hull.\n**Dr. Lea de Wit** – mills. Built mills in Ghent "
                          "before. She has two sons.\n"),
              ElementsAre(ada, lea));
  EXPECT_THAT(
      passages_of("- Ada Byron, managing director. Nine years at a maker of looms in Hull.\n"
                  "- Tom Reed, works.\n"),
      ElementsAre(ada, "Tom Reed, works."));
  EXPECT_THAT(passages_of("**Ada Byron** - sales. Nine years at a maker of looms in Hull.\n"),
              ElementsAre("Ada Byron: sales. Nine years at a maker of looms in Hull."));
}

TEST(Passages, DoNotTellHowAMeetingWent) {
  EXPECT_THAT(passages_of("The accounts were adopted by show of hands, 51 to 3. The mill ground "
                          "231 tonnes of wheat.\n\nThe chair thanked all who had subscribed to "
                          "the offer.\n"),
              ElementsAre("The mill ground 231 tonnes of wheat."));
}

TEST(Passages, MayBeANameAndAnAmountOfMoney) {
  EXPECT_THAT(passages_of("The accounts of the year are closed. Sales £347,500. 231 tonnes. The "
                          "oven holds max. 40 loaves of bread.\n"),
              ElementsAre("The accounts of the year are closed.", "Sales £347,500.",
                          "The oven holds max. 40 loaves of bread."));
}

TEST(Passages, KnowANameWithARoleFromOtherPhrases) {
  EXPECT_TRUE(names_person("Élise van den Berg, head of sales."));
  EXPECT_FALSE(names_person("Small boxes, sold by the dozen."));
  EXPECT_FALSE(names_person("Byron, managing director."));
  EXPECT_FALSE(names_person("Mill Street, 40 tonnes a day."));
  EXPECT_FALSE(names_person("Mill Street and what else we did there, managing director."));
}

TEST(Passages, YearsOfWorkOfTwoPeopleAreNoCorrection) {
  const std::string head = "# Team\n\n";
  EXPECT_THAT(
      corrections(
          Corpus{{make_source("2024-02-deck.md",
                              head + "Tom Reed, engineer. Built looms in Hull for six years.\n"),
                  make_source("2024-11-letter.md",
                              head + "The engineer built looms in Hull for seven years.\n")}},
          {}),
      IsEmpty());
}

TEST(Passages, OfAnswersHaveTheQuestionThatTheyLeanOn) {
  const std::string faq =
      "How many mills are there?\n12 (the one in Hull opened on 6 May).\n\nSales of 2024?\n"
      "EUR 2.1 million, not audited yet.\n\nDo you mill oats?\nNo. It would spoil the stones of "
      "all the mills.\n\nWho owns it?\nThe company is owned by its forty members. They meet twice "
      "a year in Hull.\n\nDo you mill rye?\nYes. Rye is milled on two days of each week.\n";
  EXPECT_THAT(
      passages_of(faq, "faq.txt"),
      ElementsAre("How many mills are there? — 12 (the one in Hull opened on 6 May).",
                  "Sales of 2024? — EUR 2.1 million, not audited yet.",
                  "Do you mill oats? — No. It would spoil the stones of all the mills.",
                  "The company is owned by its forty members.",
                  "The company is owned by its forty members. They meet twice a year in Hull.",
                  "Rye is milled on two days of each week."));
  EXPECT_THAT(passages_of("**How many?** Twelve of them, all in Hull.\n"),
              ElementsAre("How many? — Twelve of them, all in Hull."));
}

TEST(Passages, MayBeShortIfTheyHaveAFigureAndAVerb) {
  EXPECT_THAT(passages_of("We are 37 people. We are many people. After 5.1 the year before.\n"),
              ElementsAre("We are 37 people."));
  EXPECT_THAT(passages_of("Turnover is $3,410. Not before 2029.\n"),
              ElementsAre("Turnover is $3,410."));
}

TEST(Passages, HaveTheNumberBehindNo) {
  EXPECT_THAT(passages_of("The board of the mill held its meeting no. 19 in the old hall.\n"),
              ElementsAre("The board of the mill held its meeting no. 19 in the old hall."));
}

TEST(Passages, EndWhereTheNextSentenceCanBegin) {
  EXPECT_THAT(passages_of("The board of the mill meets in the old hall at 2 p.m.\n"), IsEmpty());
}

TEST(Passages, BeginWithAWord) {
  EXPECT_THAT(passages_of("- 380 mills will be replaced\n- = £2.6 billion of orders\n"),
              ElementsAre("380 mills will be replaced."));
}

TEST(Passages, LeanOnALabelBehindAColon) {
  EXPECT_THAT(passages_of("**Turnover.** It will be near to EUR 800,000 this year.\n"),
              Contains("Turnover: It will be near to EUR 800,000 this year."));
}

TEST(Passages, OfAnItemThatGoesOnFromItsLabelHaveIt) {
  EXPECT_THAT(passages_of("- **Roll-call**: bakers say when they come to the mill\n"
                          "- **Ovens**: Ten of them are heated with wood\n"),
              ElementsAre("Roll-call: bakers say when they come to the mill.",
                          "Ovens: Ten of them are heated with wood."));
}

TEST(Passages, HaveTheLabelThatIsTheirSubject) {
  EXPECT_THAT(
      passages_of("- **Mills:** we are at 44 mills. The old ones stood still in August.\n"
                  "- **Rent:** £64,000 a month; the bank holds £335,000.\n"
                  "- **Price:** €5 a month\n"
                  "- **Lead buyer:** Brot Kessler\n\n"
                  "**Flour:** $12 is paid for a bag in the spring.\n"),
      ElementsAre("Mills: we are at 44 mills.", "The old ones stood still in August.",
                  "Rent: £64,000 a month; the bank holds £335,000.", "Price: €5 a month.",
                  "Lead buyer: Brot Kessler.", "Flour: $12 is paid for a bag in the spring."));
  EXPECT_THAT(passages_of("- **Ovens:** The hall has two of them, heated with wood.\n"),
              ElementsAre("The hall has two of them, heated with wood."));
}

TEST(Passages, OfAnAnswerHaveTheQuestionWithoutItsNumber) {
  for (const std::string number : {"Q10. ", "Q3: ", "4. "}) {
    EXPECT_THAT(passages_of("**" + number + "How many mills work now?**\n\n12 so far.\n"),
                Contains("How many mills work now? — 12 so far."));
  }
}

TEST(Passages, OfAFigureAloneHaveItsQuestionOrLabel) {
  EXPECT_THAT(
      passages_of("**What were the sales of 2024?**\n\n£1.64m.\n\n**Flour.** Nine months.\n"),
      ElementsAre("What were the sales of 2024? — £1.64m.", "Flour: Nine months."));
}

TEST(Passages, OfACountHaveTheLabelInFrontOfIt) {
  EXPECT_THAT(passages_of("**People.** 88 millers. Shifts begin with ten minutes at the board.\n"),
              ElementsAre("People: 88 millers.", "Shifts begin with ten minutes at the board."));
}

TEST(Passages, OfASecondThoughtHaveTheFirst) {
  EXPECT_THAT(passages_of("We said five tonnes of flour a month. In truth we come to four tonnes "
                          "of flour.\n"),
              ElementsAre("We said five tonnes of flour a month.",
                          "We said five tonnes of flour a month. In truth we come to four tonnes "
                          "of flour."));
}

TEST(Passages, OfItemsEndWithAFullStopAlone) {
  EXPECT_THAT(passages_of("- the fee is 2 per cent of sales;\n- the term is ten years,\n"),
              ElementsAre("the fee is 2 per cent of sales.", "the term is ten years."));
}

TEST(Passages, OfAnAnswerMayBeginWithANumberInWords) {
  EXPECT_THAT(passages_of("**Who buys?** Five at present.\n"),
              ElementsAre("Who buys? — Five at present."));
  EXPECT_THAT(passages_of("## Who buys?\n\nFive at present. All of them are bakers of the town.\n"),
              ElementsAre("Who buys? — Five at present.", "All of them are bakers of the town."));
}

TEST(Passages, AreNotAboutThePaperOrTheCourseOfAMeeting) {
  EXPECT_THAT(passages_of("Put together by Ada Byron, the head of the mill, in February 2026.\n\n"
                          "Present: Ada Byron (chair), Mary Fell and four owners of the mill.\n\n"
                          "9. **Any other business.** Mary Fell would like to meet on a Monday.\n"),
              IsEmpty());
}

}  // namespace
}  // namespace memo
