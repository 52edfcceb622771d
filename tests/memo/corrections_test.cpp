// What a later document corrects is stated as it says, and both are named.
#include "memo/corrections.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memo/extractive.hpp"
#include "memo_run.hpp"

namespace memo::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

const std::vector<Measure> headcount{{"number of employees", {"employees"}}};

std::vector<Correction> between(const std::string& before, const std::string& after,
                                const std::vector<Measure>& wanted = headcount) {
  return corrections(Corpus{{make_source("deck.md", "# D\n\n" + before + "\n"),
                             make_source("news/2025-05-01-note.md", "# N\n\n" + after + "\n")}},
                     wanted);
}

TEST(Corrections, TheDatedSourceCorrectsTheOneWithoutADate) {
  const auto found = between("The company now has 26 employees in two cities.",
                             "The company has 31 employees since its second office opened.");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].earlier, "26");
  EXPECT_EQ(found[0].later, "31");
  EXPECT_EQ(found[0].later_source, "news/2025-05-01-note.md");
}

TEST(Corrections, WithoutTwoDatesOnlyAChangeThatIsToldIsSure) {
  const std::string before = "The largest, Suppen Kramer, takes 38% of our volume.";
  const auto told = between(before, "Suppen Kramer now stands for 29% of the volume.");
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_TRUE(told[0].sure);
  const auto untold = between(before, "Suppen Kramer stands for 29% of the volume.");
  ASSERT_THAT(untold, SizeIs(1));
  EXPECT_FALSE(untold[0].sure) << "nobody can say which of them is the later";
}

TEST(Corrections, APlanMayBePutOffToAnotherYear) {
  const std::string plan = "By the end of 2024 we want to reach 20,000 lamps on the islands.";
  const auto later = between(plan, "The twenty thousand will take until the middle of 2026.");
  ASSERT_THAT(later, SizeIs(1));
  EXPECT_EQ(later[0].earlier, "2024");
  EXPECT_EQ(later[0].later, "2026");
  EXPECT_FALSE(later[0].sure);
  EXPECT_THAT(between(plan, "Three hundred will take until the middle of 2026."), SizeIs(0));
}

TEST(Corrections, AnswerToTheEarlierFigureAboveThem) {
  const auto asked = between("We deliver to all bakers of the town in nine days.",
                             "**Nine days? I waited longer.** Over the year the average was "
                             "eleven working days from order to dispatch.");
  ASSERT_THAT(asked, SizeIs(1));
  EXPECT_EQ(asked[0].later, "eleven");
  const auto doubted = between("The app saves some 5 hours a week for whoever does the paperwork.",
                               "“5 hours” was doubted. We asked again, and the honest figure is "
                               "3.5 hours a week.");
  ASSERT_THAT(doubted, SizeIs(1));
  EXPECT_TRUE(doubted[0].sure);
  EXPECT_THAT(between("The board has 5 members in all the towns.",
                      "The 5 members meet often. Each town sends 3 members to the fair."),
              SizeIs(0));
}

TEST(Corrections, AreFoundInAnyCurrency) {
  const auto found = between("For this we seek COP 2,400 million as a loan from friends.",
                             "The loan sought is therefore COP 2,750 million.");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].later, "COP 2,750 million");
}

TEST(Corrections, AreFoundInAValueOfADataSheet) {
  const auto found = corrections(
      Corpus{{make_source("2025-09-deck.md", "# D\n\nToday 1,140 choirs pay for it.\n"),
              make_source("sheet-2026-02.csv",
                          "item,value,unit,as_of\nPaying choirs,1386,choirs,2026-02-28\n")}},
      headcount);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].later, "1386");
}

TEST(Corrections, OfAShareAreNotManyTimesAsMuch) {
  EXPECT_THAT(between("The holders of our shares get ten per cent off from Suppen Kramer.",
                      "The company Suppen Kramer pays 38 % of all the rent of our shares."),
              SizeIs(0));
}

TEST(Corrections, AreFollowedFromOneFigureToItsOwnLaterOne) {
  const auto one = [](const char* then, const char* before, const char* now, const char* after) {
    return Correction{"number", then, before, before, now, after, after};
  };
  const std::vector<Correction> known{one("46", "a", "52", "b"), one("three", "b", "four", "c"),
                                      one("52", "b", "57", "d")};
  EXPECT_EQ(later_than(known, "a", "a").at(0)->later, "57");
  EXPECT_EQ(later_than({known[0], known[1]}, "a", "a").at(0)->later, "52");
}

TEST(Corrections, EqualFiguresAreNone) {
  const std::vector<Measure> valuation{{"valuation", {"valuation"}}};
  EXPECT_THAT(between("The valuation of the company is €2,000 million today.",
                      "The valuation of the company is €2000 million since May.", valuation),
              SizeIs(0));
}

TEST(Corrections, PlansFormerFiguresAndOtherYearsAreNone) {
  const std::string now = "The company has 31 employees since its second office opened.";
  EXPECT_THAT(between("The company plans to have 60 employees in two cities.", now), SizeIs(0));
  EXPECT_THAT(between("The number of employees grew from 12 within one short year.", now),
              SizeIs(0));
  EXPECT_THAT(between("In 2023 the company had 12 employees in one city.",
                      "In 2024 the company had 20 employees in one city."),
              SizeIs(0));
}

TEST(Corrections, ASourceThatGivesSeveralFiguresCorrectsNothing) {
  EXPECT_THAT(between("The company now has 26 employees in two cities.",
                      "The branch in Oslo has 4 employees today. The branch in "
                      "Bergen has 9 "
                      "employees today."),
              SizeIs(0));
}

TEST(Corrections, AFigureThatASourceTakesBackIsCorrected) {
  for (const std::string later :
       {"The round was closed with €4 million instead of €5 million in June.",
        "The round came to €4 million, not the €5 million of our slide."}) {
    const auto found = between("We are looking for €5 million in this round.", later, {});
    ASSERT_THAT(found, SizeIs(1)) << later;
    EXPECT_EQ(found[0].earlier, "€5 million");
    EXPECT_EQ(found[0].later, "€4 million");
  }
}

TEST(Corrections, WhatIsCountedInTheSameWordsIsOneQuantity) {
  const auto found = between("By now 83 workshops pay for it every month.",
                             "In June 104 workshops pay for it.", {});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].measure, "number of workshops");
  EXPECT_EQ(found[0].later, "104");
  EXPECT_THAT(between("A locker pays for itself after 26 months of use in a house.",
                      "The loan is paid back after 30 months of use in a house.", {}),
              SizeIs(0))
      << "months count nothing";
}

/// The figures of the second source that correct one of the first.
std::vector<std::string> later_of(const std::string& earlier, const std::string& later) {
  const std::string prices = later.ends_with(".csv")
                                 ? "product,price\nDelivery to hotels per crate,€14.80\n"
                                 : "# N\n\nDelivery to hotels now costs €14.80 per crate.\n";
  const Corpus corpus{{make_source(earlier, "# N\n\nDelivery to hotels costs €12.50 per crate.\n"),
                       make_source(later, prices)}};
  std::vector<std::string> found;
  for (const auto& one : corrections(corpus, {})) {
    if (one.later_source == later && one.sure) found.push_back(one.later);
  }
  return found;
}

TEST(Corrections, AYearInTheNameOfASourceDecidesBesideAnEarlierYear) {
  EXPECT_THAT(later_of("letter-2023-11.md", "prices-2025.csv"), ElementsAre("€14.80"));
  EXPECT_THAT(later_of("letter-2025-03.md", "prices-2025.csv"), IsEmpty()) << "of one year";
  EXPECT_THAT(later_of("letter-2023-11.md", "price-plan-2025.csv"), IsEmpty()) << "not in force";
  EXPECT_THAT(later_of("letter-2023-11.md", "prices-2023-2025.csv"), IsEmpty()) << "which year?";
  EXPECT_THAT(later_of("notes.md", "prices-2025.csv"), IsEmpty()) << "one has no date at all";
  EXPECT_THAT(later_of("notes-2023.md", "notes-2025.md"), ElementsAre("€14.80"));
}

TEST(Corrections, ALetterOfAnEarlierYearDoesNotCorrectAPriceList) {
  EXPECT_THAT(later_of("prices-2025.md", "letter-2023-11.md"), IsEmpty());
  const Corpus corpus{{make_source("prices-2025.md", ""), make_source("a-2023-11.md", "")}};
  const auto [before, after] = corpus.dates("prices-2025.md", "a-2023-11.md");
  EXPECT_GT(before, after);
}

TEST(Corrections, AShareIsThatOfTheSameName) {
  const std::string before = "The largest, Suppen Kramer, takes 38% of our volume.";
  EXPECT_THAT(between(before, "By now Suppen Kramer stands for 29% of the volume.", {}), SizeIs(1));
  EXPECT_THAT(between(before, "By now Kaffee Lind stands for 29% of the volume.", {}), SizeIs(0));
}

TEST(Corrections, TheNumberOfSomethingCorrectsItsCount) {
  const auto found = between("Our inserts are in 1,150 buildings by now.",
                             "We take back the number of buildings: it is 1,020.", {});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].later, "1,020");
}

TEST(Corrections, AFigureBesideItsMeasureIsTakenBeforeOneBehindIt) {
  const std::vector<Measure> valuation{{"valuation", {"pre-money", "before the money"}}};
  const auto found = between(
      "We look for €4 million at €11 million pre-money.",
      "Shares cost €13 million before the money, of which one fund takes €2 million.", valuation);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].earlier, "€11 million");
  EXPECT_EQ(found[0].later, "€13 million");
}

TEST(Corrections, ASemicolonPartsAMeasureFromAFigure) {
  const std::vector<Measure> valuation{{"valuation", {"post-money", "after the money"}}};
  const auto found =
      between("We ask for a valuation of €20 million after the money.",
              "Two funds paid €15 million post-money; the 20 we once asked for was not to be had.",
              valuation);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].earlier, "€20 million");
  EXPECT_EQ(found[0].later, "€15 million");
}

TEST(Corrections, OfAPersonAreThatTheyHaveLeft) {
  const auto after = [](const std::string& later) {
    return corrections(
        Corpus{{make_source("2024-02-deck.md", "# D\n\n- Ada Byron, head of sales. Sold flour.\n"),
                make_source("2025-03-letter.md", "# L\n\n- **Team:** " + later + "\n")}},
        {});
  };
  const auto found = after("Ada Byron has left. Mary Fell takes over in May.");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].earlier, "Ada Byron");
  EXPECT_EQ(found[0].earlier_text, "Ada Byron, head of sales. Sold flour.");
  EXPECT_EQ(found[0].later_text, "Ada Byron has left.");
  EXPECT_FALSE(found[0].sure) << "both are stated";
  EXPECT_THAT(after("Ada Byron left a mill to her son. Mary Fell takes over."), IsEmpty());
  EXPECT_THAT(after("MB is leaving at the end of May."), IsEmpty()) << "initials of somebody else";
  for (const std::string said :
       {"Ada Byron will leave at the end of May.", "Ms Byron is leaving the company.",
        "Ada leaves next week.", "AB is leaving at the end of May.", "A. Byron will leave in May.",
        "Dr Ada Byron has resigned as head of sales.",
        "Ms Byron tells the board that she will leave at the end of July.",
        "Ada Byron has accepted a chair and will stop at the end of May."}) {
    ASSERT_THAT(after(said), SizeIs(1)) << said;
    EXPECT_EQ(after(said)[0].later_text, said);
  }
  EXPECT_THAT(after("Ada leaves nothing to chance."), IsEmpty());
  EXPECT_THAT(after("Mary Fell leaves in May."), IsEmpty());
}

TEST(Corrections, OfAPersonWithARoleAndAFigureAreThatTheyLeave) {
  const auto found = corrections(
      Corpus{{make_source("2024-02-deck.md", "# D\n\n- **Ada Byron**, COO: built 900 mills\n"),
              make_source("2025-03-letter.md", "# L\n\nAda Byron will leave in May.\n")}},
      {});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].earlier, "Ada Byron");
}

TEST(Corrections, TheMemoStatesTheLaterFigureAndNamesBothSources) {
  ExtractiveProvider provider;
  const Sources sources{
      make_source("deck.md",
                  "# Acme\n\nMarch 2025\n\nThe pre-money valuation of Acme is €22 million.\n"),
      make_source("news/2025-05-01-round.md",
                  "# Round\n\nThe pre-money valuation of Acme is €19 million "
                  "after talks.\n")};
  const auto run = run_memo({provider, {}, {}}, {"Acme"}, sources);
  EXPECT_THAT(run.draft.markdown, HasSubstr("is €19 million after talks.[^"));
  EXPECT_THAT(run.draft.markdown,
              Not(HasSubstr("The pre-money valuation of Acme is €22 million.")));
  EXPECT_THAT(run.draft.markdown,
              HasSubstr("Taken as outdated: “The pre-money valuation of Acme is €22 million” in "
                        "`deck.md` (2025-03); `news/2025-05-01-round.md` (2025-05-01) says €19 "
                        "million."));
  const auto& conflicts = run.validation.fact_check_results->conflicts;
  ASSERT_THAT(conflicts, SizeIs(1)) << "as the text says";
  EXPECT_EQ(conflicts[0].first, "€22 million");
  EXPECT_EQ(conflicts[0].second, "€19 million");
  EXPECT_TRUE(run.validation.citation_validation->uncited.empty());
}

}  // namespace
}  // namespace memo::testing
