// Two documents that may speak of one quantity: both are stated, the later first.
#include "memo/likeness.hpp"

#include <ostream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "answers.hpp"
#include "memo/corrections.hpp"
#include "memo/extractive.hpp"
#include "memo/outline.hpp"
#include "memo/restating.hpp"
#include "memo/statements.hpp"
#include "memo_run.hpp"

namespace memo::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

const Request acme{"Acme"};

std::vector<Correction> compared(const std::string& before, const std::string& after) {
  return corrections(Corpus{{make_source("2024-02-letter.md", "# L\n\n" + before + "\n"),
                             make_source("2025-03-notes.md", "# N\n\n" + after + "\n")}},
                     measures(acme), all_topics(acme));
}

struct Alike {
  std::string earlier;
  std::string later;
  std::string then;
  std::string now;
};

void PrintTo(const Alike& pair, std::ostream* out) { *out << pair.then << " and " << pair.now; }

class MayBeOne : public ::testing::TestWithParam<Alike> {};

TEST_P(MayBeOne, ButItIsNotSure) {
  const auto found = compared(GetParam().earlier, GetParam().later);
  ASSERT_THAT(found, SizeIs(1)) << GetParam().later;
  EXPECT_EQ(found[0].earlier, GetParam().then);
  EXPECT_EQ(found[0].later, GetParam().now);
  EXPECT_FALSE(found[0].sure);
}

INSTANTIATE_TEST_SUITE_P(
    Wordings, MayBeOne,
    ::testing::Values(
        Alike{"62 bakeries had one of our ovens in their kitchen this spring.",
              "In spring our ovens stood in the kitchens of 91 customers.", "62", "91"},
        Alike{"An oven saves a baker $40 a day, once the gas is taken off.",
              "With the rent of the oven, bread was $31 cheaper in a day.", "$40", "$31"},
        Alike{"Nine out of ten bakeries still pay after the first year in the scheme.",
              "Of the bakeries that began in 2023, 78 per cent were still customers a year later.",
              "Nine out of ten", "78 per cent"},
        Alike{"Eleven people work in our hall in Ghent.",
              "Since the winter there are seventeen of us in the hall.", "Eleven", "seventeen"},
        Alike{"We want to break even in the spring of 2026.",
              "To break even will take until the new hall is paid in 2028.", "2026", "2028"},
        Alike{"Our turnover was $1.28 million in 2022.",
              "Deposits are no turnover, and so 1.28 million became 1.09 million.", "$1.28 million",
              "1.09 million"},
        Alike{"The ovens earned $8.4 million in the year, more than ever.",
              "Some ovens had been billed in advance. The ovens' year is therefore 7.9 million.",
              "$8.4 million", "7.9 million"},
        Alike{"Bakers spend $2.3 billion a year on gas, wood and ovens.",
              "Without wood, the ovens of bakers take $1.4 billion.", "$2.3 billion",
              "$1.4 billion"},
        Alike{"Eight bakers and 34 millers rent from us, all of them near the coast.",
              "The list had counted every miller who signed. Flour goes to 29 millers today.", "34",
              "29"},
        Alike{"In the hall work 22 people, most of them bakers.", "We are 37 people.", "22", "37"},
        Alike{"With drivers and millers we are 34.", "There are 41 of us now.", "34", "41"},
        Alike{"Eleven people work for us, of whom six are bakers.", "We're 12 now.", "Eleven",
              "12"},
        Alike{"We are nineteen, five of them only in summer.",
              "Together we are now 27, helpers in summer included.", "nineteen", "27"},
        Alike{"64 employees, 41 of them women.",
              "**People.** 88 employees. Shifts begin with ten minutes at the board.", "64",
              "88"}));

class AreTwo : public ::testing::TestWithParam<std::pair<std::string, std::string>> {};

TEST_P(AreTwo, AndNothingIsSaidOfThem) {
  EXPECT_THAT(compared(GetParam().first, GetParam().second), IsEmpty()) << GetParam().second;
}

INSTANTIATE_TEST_SUITE_P(
    Wordings, AreTwo,
    ::testing::Values(
        std::pair{"The bakery in Hill Street pays $400 of rent a month.",
                  "Our accountants were paid $520 for the whole year."},
        std::pair{"Bakeries pay $310 of rent a month for one of our ovens.",
                  "Bakeries paid $280 of rent each week for one of our ovens."},
        std::pair{"About a quarter of all ovens are cleaned at night.",
                  "In the country 24 percent of all ovens are cleaned at night."},
        std::pair{"The largest customer, Brot Kessler, takes 38% of our ovens.",
                  "The new customer Teig Lindner takes 29% of our ovens."},
        std::pair{"The sales of our ovens came to $3 million in 2021.",
                  "The sales of our ovens came to $5 million in 2023."},
        std::pair{"Our ovens were in 62 bakeries at the end of last year.",
                  "Our ovens were in 20 bakeries when we began in 2019."},
        std::pair{"The ovens of bakeries are tested on March 15th.",
                  "The ovens of bakeries are tested on March 21st."},
        std::pair{"The ovens stood still for 6 hours and 33 minutes.",
                  "The bakers met for 30 minutes, and we replaced two ovens."},
        std::pair{"Our list of ovens (last changed on May 14, 2023) holds each part.",
                  "The list of ovens holds 15 parts, each with its price."},
        std::pair{"Four weeks ago we began to sell our ovens to bakers.",
                  "Each oven is with the baker for six weeks at first."},
        std::pair{"Any bakery within 60 miles of us can bring bread to our ovens.",
                  "By now 51 bakeries bring bread to our ovens."},
        std::pair{"On 19 August the ovens of six bakeries stood still.",
                  "On 23 August the ovens of six bakeries stood still."},
        std::pair{"Bakeries pay $310 a month for one of our ovens.",
                  "Bakeries pay $310 a month for one of our ovens, or $290 if they pay at once."},
        std::pair{"We raised $8.5 million in 2023, all of it from friends.",
                  "$8.1 million is committed now."},
        std::pair{"We give a report on the ovens of each town for $1,450.",
                  "The insurance replaces one of two reports, which is $1,800."},
        std::pair{"A typical bakery has 42 ovens.", "The bakers in Hill Street use 38 ovens."},
        std::pair{"For a bakery with 42 ovens that is much.", "In Hill Street are 38 ovens."},
        std::pair{"We want half of all bakers to be members by 2027.",
                  "The lease of the hall runs to 2049."},
        std::pair{"With the mill late and the stones dear, the company will not earn its bread "
                  "before the spring of 2027.",
                  "Start with the mill in March 2026, and buy stones."},
        std::pair{"By 2029 we want 2,500 members at home in the four towns.",
                  "The ministry wants to have 15% of its members at home by 2030."},
        std::pair{"Teig stays at $3 million as the lead.",
                  "**The deck says that sales were $3.4 million and the accounts say something "
                  "else. Which is it?**\n\nThe auditors moved $0.3 million of grants out of sales "
                  "into other income."},
        std::pair{"Our competitor Brot Kessler has 140 ovens in bakeries.",
                  "We have 268 ovens in bakeries."},
        std::pair{"## The round\n\nTeig Capital leads with $3 million.",
                  "The round is now $6.5 million."},
        std::pair{"The owners bring $1.2 million of their own.",
                  "With new stones it was $1.34 million a mill and not the sum in the letter."},
        std::pair{"Most bakers of the north will have one by 2030.",
                  "The bakers of Ghent go by tram until 2032."}));

/// The memo on a deck that says `earlier` and a letter that says `later`.
MemoRun memo_on(const std::string& earlier, const std::string& later) {
  ExtractiveProvider provider;
  return run_memo(
      {provider, {}, {}}, acme,
      {make_source("2024-02-deck.md", "# Acme\n\nAcme rents ovens to bakeries. " + earlier + "\n"),
       make_source("2025-03-letter.md", "# Letter\n\n" + later + "\n")});
}

const std::string in_deck = "62 bakeries had one of our ovens in their kitchen this spring.";
const std::string in_letter = "In spring our ovens stood in the kitchens of 91 customers.";

TEST(Likeness, AMemoStatesBothFiguresWithTheirDatesTheLaterFirst) {
  const auto run = memo_on(in_deck, in_letter);
  EXPECT_THAT(run.draft.markdown, HasSubstr("Later (2025-03): “" + in_letter + "”[^"));
  const auto later = run.draft.markdown.find("Later (2025-03): ");
  const auto earlier = run.draft.markdown.find("Earlier (2024-02): “" + in_deck + "”[^");
  ASSERT_NE(earlier, std::string::npos);
  EXPECT_LT(later, earlier);
  EXPECT_EQ(run.draft.markdown.find('\n', later), run.draft.markdown.find('\n', earlier))
      << "in one paragraph";
  EXPECT_THAT(run.draft.markdown, Not(HasSubstr("Taken as outdated"))) << "that is not sure";
}

TEST(Likeness, WithoutTwoDatesNoneIsCalledTheLater) {
  ExtractiveProvider provider;
  const auto run =
      run_memo({provider, {}, {}}, acme,
               {make_source("deck.md", "# Acme\n\nAcme rents ovens to bakeries. " + in_deck + "\n"),
                make_source("2025-03-letter.md", "# Letter\n\n" + in_letter + "\n")});
  EXPECT_THAT(run.draft.markdown, HasSubstr("As of 2025-03: “" + in_letter + "”[^"));
  EXPECT_THAT(run.draft.markdown, HasSubstr(" Of unclear date: “" + in_deck + "”[^"));
  EXPECT_THAT(run.draft.markdown, Not(HasSubstr("Later")));
  EXPECT_THAT(run.draft.markdown, Not(HasSubstr("Earlier")));
  EXPECT_THAT(run.validation.citation_validation->uncited, IsEmpty());
}

TEST(Likeness, AreOnlyToldToDifferWhereTheMemoStatesBoth) {
  const std::string before = "62 bakeries had one of our ovens in their kitchen this spring.";
  const std::string after = "In spring our ovens stood in the kitchens of 91 customers.";
  const Sources papers{make_source("2024-02-letter.md", "# L\n\n" + before + "\n"),
                       make_source("2025-03-notes.md", "# N\n\n" + after + "\n")};
  EXPECT_THAT(differing(acme, {{"traction", "T", after, {}, {}}}, papers), IsEmpty());
  EXPECT_THAT(differing(acme, {{"traction", "T", after + ' ' + before, {}, {}}}, papers),
              SizeIs(1));
}

TEST(Likeness, MarkedStatementsAreCheckedAsAnyOther) {
  const auto run = memo_on(in_deck, in_letter);
  EXPECT_THAT(run.validation.citation_validation->invalid, IsEmpty());
  EXPECT_THAT(run.validation.citation_validation->uncited, IsEmpty());
  EXPECT_EQ(run.validation.fact_check_results->supported,
            run.validation.fact_check_results->checked);
}

TEST(Likeness, ATableDoesNotStateTheEarlierFigure) {
  ExtractiveProvider provider;
  const auto run = run_memo(
      {provider, {}, {}}, acme,
      {make_source(
           "profile.md",
           "# Market size\n\n| Measure | Value |\n|---|---|\n"
           "| Customers with ovens in their kitchens | 62 |\n| Growth of the market | 4 % |\n"),
       make_source("2025-03-letter.md", "# Letter\n\n" + in_letter + "\n")});
  EXPECT_THAT(run.draft.markdown, HasSubstr("| Growth of the market | 4 %"));
  EXPECT_THAT(run.draft.markdown, Not(HasSubstr("| 62")));
  EXPECT_THAT(
      run.draft.markdown,
      HasSubstr("Left out of this table: “Customers with ovens in their kitchens”, 62, since "
                "`2025-03-letter.md` (2025-03) says: “In spring our ovens stood in the "
                "kitchens of 91 customers”."));
  EXPECT_THAT(run.validation.citation_validation->uncited, IsEmpty());
}

TEST(Restating, WhatPutsAnotherYearRightGoesAlong) {
  const std::string text = "Sales of 2024 came to $9.6 million, not yet audited.";
  const std::string behind =
      "For 2023 we had spoken of $7.4 million; some ovens were sent back. The audit shows $6.9 "
      "million.";
  const auto after = [&](const std::string& next) {
    const Corpus corpus{{make_source("a.md", "# A\n\n" + text + " " + next + "\n")}};
    return correction_behind({"sales", text, "a.md"}, corpus);
  };
  EXPECT_EQ(after(behind), behind);
  EXPECT_EQ(after("In 2023 it was $6.9 million."), "In 2023 it was $6.9 million.");
  EXPECT_EQ(after("Rent comes to $2 million."), "");
  EXPECT_EQ(after("In 2024 we paid $2 million of rent."), "") << "of the same year";
}

TEST(Likeness, OfThreeDocumentsTheLastIsStatedFirst) {
  const Corpus corpus{
      {make_source("2023-02-deck.md", "# D\n\n" + in_deck + "\n"),
       make_source("2024-02-mail.md",
                   "# M\n\n75 bakeries had an oven in their kitchen this spring.\n"),
       make_source("2025-03-letter.md", "# N\n\n" + in_letter + "\n")}};
  const auto found = corrections(corpus, measures(acme), all_topics(acme));
  const auto later = later_than(found, "2023-02-deck.md", in_deck);
  ASSERT_THAT(later, SizeIs(1));
  EXPECT_EQ(later[0]->later, "91");
}

TEST(Likeness, AllThatIsEarlierThanOneFigureStandsBehindItTogether) {
  const Corpus corpus{{make_source("2024-02-deck.md", "# D\n\n" + in_deck + "\n"),
                       make_source("2024-05-mail.md", "# M\n\n75 bakeries bake with us.\n"),
                       make_source("2025-03-letter.md", "# N\n\n" + in_letter + "\n")}};
  const auto correction = [](const std::string& source, const std::string& text) {
    return Correction{"", "62", source, text, "91", "2025-03-letter.md", in_letter, false};
  };
  std::vector<Finding> findings{{"customers", in_deck, "2024-02-deck.md"},
                                {"customers", "Ovens are hot.", "2024-02-deck.md"},
                                {"customers", "75 bakeries bake with us.", "2024-05-mail.md"}};
  put_later_first(findings,
                  {correction("2024-02-deck.md", in_deck),
                   correction("2024-05-mail.md", "75 bakeries bake with us.")},
                  corpus);
  std::vector<std::string> marks;
  for (const auto& finding : findings) marks.push_back(finding.mark.value_or("none"));
  EXPECT_THAT(marks,
              ElementsAre("Later (2025-03)", "Earlier (2024-02)", "Earlier (2024-05)", "none"));
}

TEST(Marks, TellAnEarlierFigureApartOnlyBehindTheLaterOne) {
  const auto told_apart = [](const std::string& text, const std::vector<std::string>& current) {
    const auto said = statements(text);
    return is_told_apart(said, said.size() - 1, current);
  };
  const std::string now = "Later (2025-03): “There are 91.”[^1] ";
  const std::string then = "Earlier (2024-02): “There were 62.”[^2]";
  EXPECT_TRUE(told_apart(now + then, {"are 91"}));
  EXPECT_TRUE(told_apart(now + then, {})) << "the later figure is not listed";
  EXPECT_FALSE(told_apart(now + then, {"are 92"})) << "another figure is stated";
  EXPECT_TRUE(
      told_apart("As of 2025-03: “There are 91.”[^1] Of unclear date: “There were 62.”[^2]", {}));
  EXPECT_FALSE(told_apart(then, {"are 91"})) << "it is stated alone";
  EXPECT_FALSE(told_apart(now + "“There were 62.”[^2]", {"are 91"})) << "without a mark";
  EXPECT_FALSE(told_apart(now + "It rained.[^1] " + then, {"are 91"})) << "not next to it";
  EXPECT_FALSE(told_apart("Later (2025-03): “There are 91.”[^2] " + then, {"are 91"}))
      << "from one source";
}

TEST(Marks, AreReadBackWithoutTheStatement) {
  const auto said = statements(
      "Later (2025-03): “There are 91.[^1] They pay.”[^1] Of unclear date: “There were 62.”[^2] "
      "They came early (2019): it is unknown why.[^3]");
  ASSERT_THAT(said, SizeIs(4));
  EXPECT_EQ(said[0].mark, "Later (2025-03)");
  EXPECT_EQ(said[0].text, "“There are 91.");
  EXPECT_EQ(said[1].mark, "Later (2025-03)") << "up to the end of the quotation";
  EXPECT_EQ(said[2].mark, "Of unclear date");
  EXPECT_EQ(said[3].mark, "");
}

}  // namespace
}  // namespace memo::testing
