// What questions ask in words of their own: of one of several machines, when something stood still,
// what was taken, what was noted, and what is so since a day that another column tells.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "insights/insights_run.hpp"
#include "insights/interest.hpp"

namespace insights::testing {
namespace {

using resumable::test::write_file;
using ::testing::HasSubstr;
using ::testing::Not;

class Asked : public InsightsTest {
 protected:
  /// Two shops on 60 days from Wednesday 2025-01-01. The pump house has two pumps; the second one
  /// stands still from 20 to 23 January. Jam is dearer from 1 February on, and fewer jars are sold.
  /// The Quay shop has no rows from 10 to 15 January.
  Asked() {
    std::string log = "Day,Pump 1 (kWh),Pump 2 (kWh),Oil (°C),Note\n";
    std::string shop = "Day,Shop,Goods,Filled,Sold,Unsold,Price (EUR)\n";
    for (int i = 0; i < 60; ++i) {
      const std::string day =
          moment_text(parse_moment("2025-01-01")->moment + i * day_length, false);
      const bool is_off = i >= 19 && i < 23;
      const char* note = i == 5    ? "new filter in the tank"
                         : i == 19 ? "pump 2 has seized"
                         : i == 23 ? "pump 2 is back"
                         : i == 40 ? "visit of the council"
                                   : "";
      log += fmt::format("{},{},{},{},{}\n", day, (is_off ? 30 : 20) + i % 3,
                         is_off ? 0 : 15 + i % 4, 60 + i % 5, note);
      for (const char* place : {"Mill", "Quay"}) {
        if (place[0] == 'Q' && i >= 9 && i < 15) continue;
        for (const bool is_jam : {true, false}) {
          const int sold = (is_jam && i >= 31 ? 10 : 20) + i % 3;
          const int unsold = is_jam ? 5 : 1;
          shop += fmt::format("{},{},{},{},{},{},{}\n", day, place, is_jam ? "Jam" : "Honey",
                              sold + unsold, sold, unsold,
                              !is_jam  ? 8
                              : i < 31 ? 3
                                       : 4);
        }
      }
    }
    write_file(folder / "pumps.csv", log);
    write_file(folder / "shops.csv", shop);
  }
  [[nodiscard]] std::string answer(const char* table, const std::string& prompt) const {
    const Json request{{"systemId", table}, {"contextWindowDays", 60}, {"customPrompt", prompt}};
    const auto file = folder / (std::string{table} + ".csv");
    return without_lines(insights({"request", "--data", file.string()}, request.dump())
                             .json()
                             .at("insights")
                             .at("rawText"));
  }
};

TEST_F(Asked, OneOfSeveralMachinesIsMeantByItsNumber) {
  EXPECT_THAT(answer("pumps", "How much did pump 2 use in February?"),
              Not(HasSubstr("Pump 1 (February 2025):")));
  EXPECT_THAT(answer("pumps", "How much did the pumps use in February?"),
              HasSubstr("Pump 1 (February 2025):"));
}

TEST_F(Asked, WhatStoodStillWasAtZero) {
  const std::string text = answer("pumps", "When did pump 2 stand still?");
  EXPECT_THAT(text, HasSubstr("Findings\n- Pump 2: at most 0 kWh in 4 of 60"));
  EXPECT_THAT(text, HasSubstr("from 2025-01-20 to 2025-01-23"));
}

TEST_F(Asked, WhatIsNotedWithWordsOfTheQuestionIsTold) {
  EXPECT_THAT(answer("pumps", "When did pump 2 stand still?"),
              HasSubstr("Noted: \"pump 2 has seized\" (2025-01-20; pumps.csv:21), \"pump 2 is "
                        "back\" (2025-01-24; pumps.csv:25)."));
  EXPECT_THAT(answer("pumps", "How warm was the oil on average?"), Not(HasSubstr("Noted")));
  EXPECT_THAT(answer("pumps", "Why did we use more in January?"), HasSubstr("\"new filter"));
}

TEST_F(Asked, MachinesAlikeAreAddedUpInTwoTimes) {
  EXPECT_THAT(
      answer("pumps", "How many kWh a day have the pumps used since it went up on 1 February?"),
      HasSubstr("Findings\n- Pump 1 + Pump 2: January 2025 1134 kWh (31 days, 36.58 kWh a day), "
                "2025-02-01 to 2025-03-01 1090 kWh (29 days, 37.59 kWh a day)"));
}

TEST_F(Asked, WhatWentUpOrIsLeftOutAsksForNoOverview) {
  for (const char* prompt :
       {"On how many days was the oil above 63 degrees, without the wrong ones?",
        "How warm was the oil when the price went up?"})
    EXPECT_THAT(answer("pumps", prompt), HasSubstr("There is more: ask")) << prompt;
}

TEST_F(Asked, APartIsComparedWithItsWhole) {
  EXPECT_THAT(answer("shops", "Of which goods is most unsold, compared with what is filled?"),
              HasSubstr("Findings\n- Unsold as a share of Filled by Goods (1"));
}

TEST_F(Asked, TakingsAreWhatIsSoldAtItsPrice) {
  EXPECT_THAT(answer("shops", "What did each shop take in February?"),
              HasSubstr("Findings\n- Sold × Price (February 2025) by Shop (11,872 EUR in all): "
                        "Mill 5936 EUR (50.0 %), "
                        "Quay 5936 EUR (50.0 %)."));
  EXPECT_THAT(answer("shops", "What was the average price in each shop?"), Not(HasSubstr("×")));
}

TEST_F(Asked, ASentenceIsAboutOneTime) {
  EXPECT_THAT(answer("pumps", "How much did pump 1 use in February and how much did pump 2 use?"),
              HasSubstr("Pump 2 (February 2025): 462 kWh in all, "));
}

TEST_F(Asked, SinceAnotherColumnChangedIsATime) {
  EXPECT_THAT(
      answer("shops", "Is less jam sold since it got dearer?"),
      HasSubstr("Findings\n- Sold (Jam): January 2025 1174 (31 days, 37.87 a day), 2025-02-01 to "
                "2025-03-01 640 (29 days"));
}

TEST_F(Asked, OneColumnIsToldWhereAnotherIsBeyondALimit) {
  const std::string text =
      answer("pumps", "How much does pump 1 use when the oil is at 63 degrees and more?");
  EXPECT_THAT(text, HasSubstr("Findings\n- Pump 1: with Oil at least 63 °C 514 kWh (39.5 % of "));
  EXPECT_THAT(text, Not(HasSubstr("63 kWh"))) << "the limit is none of the pump's";
}

TEST_F(Asked, ADayIsNothingThatSomethingIsPer) {
  write_file(folder / "use.csv",
             "Day,Use day (kWh),Use night (kWh)\n2025-01-01,4,2\n2025-01-02,5,3\n");
  const Json table = catalogue(load_readings(folder / "use.csv", "use", 60));
  EXPECT_TRUE(interest_of("How much night current per day?", table).per.empty());
}

TEST_F(Asked, AColumnOfTheNightIsNoTimeOfTheDay) {
  std::string text = "Time,Day use (kWh),Night use (kWh)\n";
  for (int day = 1; day < 29; ++day)
    text += fmt::format("2025-01-{:02} 07:00,4,{}\n", day, day % 3);
  write_file(folder / "meter.csv", text);
  EXPECT_THAT(answer("meter", "How much did we use by day and by night?"),
              Not(HasSubstr("by night (")));
}

TEST_F(Asked, WhatIsDearestIsNotWhatIsSoldMost) {
  std::string text = "Day,Thing,Quantity,Price (EUR)\n";
  for (int day = 1; day < 29; ++day)
    text += fmt::format("2025-01-{:02},{},{},{}\n", day, day % 2 ? "pot" : "jug", day, 40 - day);
  write_file(folder / "stall.csv", text);
  EXPECT_THAT(answer("stall", "What was the dearest thing we sold?"),
              HasSubstr("Findings\n- Price by Thing"));
}

TEST_F(Asked, ThingsThatNoColumnIsCalledAreRows) {
  std::string text = "Day,Court,Hours (h),Way (km)\n";
  for (int day = 1; day < 29; ++day)
    text +=
        fmt::format("2025-01-{:02},{},{},{}\n", day, day % 4 ? "Ashford" : "Bexley", day % 5, 30);
  write_file(folder / "jobs.csv", text);
  EXPECT_THAT(answer("jobs", "How many hearings were there at Bexley?"),
              HasSubstr("Findings\n- jobs (Bexley): 7 in all."));
}

TEST_F(Asked, DatesWithSlashesAreReadAsInTheOtherFiles) {
  std::string sales = "Date,Code,Qty\n";
  for (int day = 10; day < 30; ++day)
    sales += fmt::format("{:02}/01/2025,{},2\n", day, day % 2 ? "A" : "B");
  write_file(folder / "sales.csv", sales);
  write_file(folder / "fees.csv",
             "Code,Fee (EUR),Valid "
             "from\nA,3,01/01/2025\nB,4,01/01/2025\nA,5,11/01/2025\nB,6,11/01/2025\n");
  const Readings readings = load_readings(folder.path(), "sales", 60);
  const Column* fee = readings.table.find("Fee");
  ASSERT_NE(fee, nullptr);
  EXPECT_EQ(fee->numbers.front(), 4) << "on 10 January";
  EXPECT_EQ(fee->numbers.at(1), 5) << "from 11 January on";
}

TEST_F(Asked, AGapOfAllGoodsIsOneOfTheShop) {
  EXPECT_THAT(
      answer("shops", "When was the Quay closed?"),
      HasSubstr("Findings\n- There is no reading between 2025-01-09 and 2025-01-16 (7 days): "
                "6 days are missing."));
  EXPECT_THAT(
      answer("shops", "Is anything wrong?"),
      HasSubstr("There is no reading of Quay between 2025-01-09 and 2025-01-16 (7 days): "));
}

}  // namespace
}  // namespace insights::testing
