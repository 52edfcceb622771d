// Tables with a row for each thing at each time: what is measured, what only describes the things,
// and rows that add up others.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "insights/insights_run.hpp"

namespace insights::testing {
namespace {

using resumable::test::write_file;
using ::testing::HasSubstr;
using ::testing::Not;

class Panels : public InsightsTest {
 protected:
  /// What three nets caught in the months from April to July of 2022 to 2024: net A 10 a month in
  /// 2022 and 10 more a month in each year after it, net B twice and net C three times as much; in
  /// July of 2024 ten times of that. A hangs at 300 m, B at 700 m and C at 900 m.
  Panels() {
    std::string text = "Year,Net,Apr,May,Jun,Jul\n";
    for (int year = 2022; year < 2025; ++year) {
      const int one = 10 * (year - 2021);
      const int last = year == 2024 ? 10 * one : one;
      for (int net = 1; net < 4; ++net) {
        text += fmt::format("{0},{1},{2},{2},{2},{3}\n", year, "-ABC"[net], net * one, net * last);
      }
      text += fmt::format("{0},Total,{1},{1},{1},{2}\n", year, 6 * one, 6 * last);
    }
    write_file(folder / "counts.csv", text);
    write_file(folder / "nets.csv", "Net,Height (m)\nA,300\nB,700\nC,900\n");
  }
  [[nodiscard]] std::string answer(const std::string& prompt) const {
    const Json request{
        {"systemId", "counts"}, {"contextWindowDays", 10'000}, {"customPrompt", prompt}};
    return without_lines(insights({"request", "--data", folder.path().string()}, request.dump())
                             .json()
                             .at("insights")
                             .at("rawText"));
  }
};

TEST_F(Panels, RowsThatAddUpOthersAreLeftOut) {
  const Table table = load_readings(folder.path(), "counts", 10'000).table;
  EXPECT_EQ(table.rows(), 36);
  EXPECT_THAT(table.problems,
              ::testing::Contains("counts.csv:5 adds up other rows; it is left out"));
  EXPECT_THAT(answer("Which net caught the most?"),
              HasSubstr("Findings\n- counts by Net (3060 in all): Net C 1530 (50.0 %"));
}

TEST_F(Panels, APartThatIsCalledTotalIsKeptWhereOnlyOneOtherIs) {
  write_file(folder / "loss.csv",
             "Day,Loss,Boats\n2024-01-01,total,3\n2024-01-02,part,4\n"
             "2024-01-03,total,2\n");
  EXPECT_EQ(load_readings(folder / "loss.csv", "loss", 10'000).table.rows(), 3);
}

TEST_F(Panels, WhatDescribesAThingIsToldOnlyIfItIsAskedFor) {
  EXPECT_THAT(answer("Which net caught the most?"), Not(HasSubstr("Height")));
  EXPECT_THAT(answer("How high does each net hang?"), HasSubstr("Findings\n- Height by Net"));
}

TEST_F(Panels, ALimitOnWhatDescribesThingsPartsWhatIsMeasuredOfThem) {
  EXPECT_THAT(answer("Do the nets above 500 metres catch less than the lower ones?"),
              HasSubstr("Findings\n- counts: with Height above 500 m 2550 (83.3 % of 3060)"));
}

TEST_F(Panels, WhichOneStandsForWhatTheQuestionBeforeAsks) {
  const std::string text = answer("Which month had the most fish in 2024, and which one in 2023?");
  EXPECT_THAT(text, HasSubstr("Findings\n- counts (January to July 2024) by month (2340 in all"));
  EXPECT_THAT(text, HasSubstr("\n- counts (2023) by month (480 in all"));
}

TEST_F(Panels, ATimeAloneBehindAQuestionIsTheTimeThatIsMeant) {
  EXPECT_THAT(answer("How much did each net catch? Only 2023."),
              HasSubstr("Findings\n- counts (2023) by Net (480 in all"));
}

TEST_F(Panels, ASuperlativeIsOfTheColumnThatItIsMadeOf) {
  write_file(folder / "counts.csv",
             "Day,Farm,Milk (l),Fat (%),Salt (g)\n2024-01-01,Lee,60,4.5,1\n"
             "2024-01-01,Ash,90,3.5,2\n2024-01-02,Lee,62,4.3,1\n2024-01-02,Ash,80,3.7,3\n");
  EXPECT_THAT(answer("Whose milk is the fattest?"),
              HasSubstr("\n- Fat by Farm (4 % on average altogether): Lee 4.4 %"));
  EXPECT_THAT(answer("Which farm is the saltiest?"), HasSubstr("Findings\n- Salt by Farm"));
}

TEST_F(Panels, AColumnInTheUnitOfAWordIsMeantBeforeOneThatHasOnlyItsName) {
  write_file(folder / "counts.csv",
             "Day,Bay,Air (°C),Heat (kWh)\n2024-01-01,North,12,60\n2024-01-01,South,15,90\n"
             "2024-01-02,North,10,70\n2024-01-02,South,13,95\n");
  EXPECT_THAT(answer("How warm is each bay on average?"), HasSubstr("Findings\n- Air by Bay"));
}

TEST_F(Panels, AnotherWordForTheOnlyKeyIsToldByItAndNamed) {
  const std::string text = answer("Which trawl has the highest counts?");
  EXPECT_THAT(text, HasSubstr("no column and no value is called \"trawl\""));
  EXPECT_THAT(text, HasSubstr("Findings\n- counts by Net"));
}

TEST_F(Panels, EnergyAddsUpWhateverItsColumnIsCalled) {
  write_file(folder / "counts.csv",
             "Day,Bay,Power (kWh)\n2024-01-01,North,12\n2024-01-01,South,15\n"
             "2024-01-02,North,10\n2024-01-02,South,13\n");
  EXPECT_THAT(answer("How much power did each bay use?"),
              HasSubstr("Findings\n- Power by Bay (50 kWh in all"));
}

/// What rescuers did on sixty days.
class Rescues : public InsightsTest {
 protected:
  Rescues() {
    std::string text = "Called,Left,Back,Injury,Persons,Crew,Driven (km)\n";
    for (int day = 0; day < 60; ++day) {
      const std::string date =
          moment_text(parse_moment("2024-03-01")->moment + day * day_length, false);
      text += fmt::format("{0} 08:00,{0} 08:{1:02},{0} {2}:30,{3},2,7,{4}\n", date, 10 + day % 20,
                          day % 6 == 0 ? 15 : 10, day % 4 == 0 ? "broken leg" : "none",
                          20 + day * 7 % 13);
    }
    write_file(folder / "rescues.csv", text);
  }
};

TEST_F(Rescues, TookFromTheFirstTimeToTheLast) {
  EXPECT_THAT(answer_to("rescues", "How long does a rescue last?"),
              HasSubstr("Findings\n- time from Called to Back: "));
  EXPECT_THAT(answer_to("rescues", "How many rescues took longer than 5 hours?"),
              HasSubstr("Findings\n- time from Called to Back: above 5 h in 10 of 60 readings"));
}

TEST_F(Rescues, AColumnThatIsCalledSoIsMeantBeforeOneThatHasAnotherWordForIt) {
  const std::string text = answer_to("rescues", "How many persons were there?");
  EXPECT_THAT(text, HasSubstr("Findings\n- Persons: 120 in all"));
  EXPECT_THAT(text, Not(HasSubstr("Crew")));
}

TEST_F(Rescues, NoneIsOneOfTheValuesOfACategory) {
  EXPECT_THAT(answer_to("rescues", "What share of the rescues was for a broken leg?"),
              HasSubstr("none 75 % (45), broken leg 25 % (15)"));
}

TEST_F(Rescues, AWordBesideATimeThatLedToNothingIsNamed) {
  EXPECT_THAT(answer_to("rescues", "How often did the chopper fly in each month?"),
              HasSubstr("Not used: \"chopper\", \"fly\"."));
}

}  // namespace
}  // namespace insights::testing
