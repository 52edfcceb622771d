// How shares change, how long nothing happens, zeros that are rare, and ratios of columns.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "insights/insights_run.hpp"
#include "insights/interest.hpp"

namespace insights::testing {
namespace {

using resumable::test::write_file;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class Mixes : public InsightsTest {
 protected:
  /// Repairs of clocks from 2025-01-06 to 2025-04-05, two or three a day, none from 2025-02-10 to
  /// 2025-02-16. From 2025-02-20 on half of them are quartz, before a fifth; the shop Quay has none
  /// in March until the 25th. Two have no parts.
  Mixes() {
    std::string text = "Brought,Shop,Movement,Warranty,Parts (EUR),Work (EUR),Work (min)\n";
    const Moment first = parse_moment("2025-01-06")->moment;
    int row = 0;
    for (int day = 0; day < 90; ++day) {
      if (day >= 35 && day < 42) continue;
      for (int i = 0; i < 2 + day % 2; ++i, ++row) {
        const bool quartz = day >= 45 ? row % 2 == 0 : row % 5 == 0;
        const bool quay = row % 3 == 0 && (day < 54 || day > 77);
        text += fmt::format(
            "{},{},{},{},{},{},{}\n",
            moment_text(first + day * day_length + (9 + 2 * i) * 3600 + row * 13 % 60 * 60, true),
            quay           ? "Quay"
            : row % 3 == 1 ? "Mill"
                           : "Station",
            quartz ? "quartz" : "manual", row % 4 == 0 ? "yes" : "no",
            row == 40 || row == 90 ? 0 : 20 + row % 9, 30 + 15 * (row % 3), 25 + row % 11);
      }
    }
    write_file(folder / "repairs.csv", text);
  }

  [[nodiscard]] std::string answer(const std::string& prompt) const {
    const Json request{
        {"systemId", "repairs"}, {"contextWindowDays", 100}, {"customPrompt", prompt}};
    const Said said = insights({"request", "--data", folder.path().string()}, request.dump());
    return said.json().at("insights").at("rawText");
  }
};

TEST_F(Mixes, ThatHaveChangedAreTold) {
  const std::string stated =
      "The share of repairs by Movement has changed (2025-01-06 to 2025-02-19 against 2025-02-20 "
      "to "
      "2025-04-05): ";
  EXPECT_THAT(answer("What happened?"), HasSubstr(stated));
  EXPECT_THAT(answer("Has the mix of movements changed?"), HasSubstr(stated));
  EXPECT_THAT(answer("What happened?"), Not(HasSubstr("by Warranty has")))
      << "that has not, and nobody asked";
  EXPECT_THAT(answer("Has the share of the warranty changed?"),
              HasSubstr("by Warranty has not clearly changed"));
}

TEST_F(Mixes, AreComparedBeforeAndAfterADayThatIsNamed) {
  EXPECT_THAT(answer("Are there more quartz movements since 20 February?"),
              HasSubstr("by Movement has changed (2025-01-06 to 2025-02-19 against 2025-02-20 to "
                        "2025-04-05): quartz rose from "));
}

TEST_F(Mixes, AreToldByMonthWhenMonthsAreAskedFor) {
  EXPECT_THAT(answer("What share of the movements was quartz in each month?"),
              HasSubstr("- quartz, share of repairs by month: 2025-01 20"));
}

TEST_F(Mixes, OfAmountsCountWhatFallsToEachKey) {
  std::string text = "Day,Shop,Takings (EUR)\n";
  for (int day = 0; day < 60; ++day) {
    const std::string date =
        moment_text(parse_moment("2025-01-06")->moment + day * day_length, false);
    text += fmt::format("{},Quay,{}\n{},Mill,{}\n", date, (day < 30 ? 60 : 30) + day % 3, date,
                        40 + day % 4);
  }
  write_file(folder / "repairs.csv", text);
  EXPECT_THAT(
      answer("What happened?"),
      HasSubstr("The share of Takings by Shop has changed (2025-01-06 to 2025-02-04 against "
                "2025-02-05 to 2025-03-06): Mill rose from 40.4 % to 57.3 %."));
  EXPECT_THAT(answer("What happened?"), Not(HasSubstr("share of the readings")));
}

TEST_F(Mixes, TheLongestTimeWithoutAnyIsTold) {
  EXPECT_THAT(answer("When was the longest time without a repair?"),
              HasSubstr("The longest time without any is from 2025-02-09 "));
}

TEST_F(Mixes, AValueThatIsMissingForLongWhileOthersAreThereIsTold) {
  const std::string text = answer("What happened?");
  EXPECT_THAT(text, HasSubstr("- Shop Quay: none from 2025-02-2"));
  EXPECT_THAT(text, Not(HasSubstr("- Shop Mill: none"))) << "nobody came at all in that week";
}

TEST_F(Mixes, RareZerosBesidePositiveFiguresAreTold) {
  EXPECT_THAT(answer("Is anything wrong?"),
              HasSubstr("- Parts: 0 in 2 of 207 readings, where all others are 20 EUR or more: "
                        "repairs.csv:42"));
  EXPECT_THAT(answer("Is anything wrong?"), Not(HasSubstr("- Work: 0 in")));
}

TEST_F(Mixes, TwoLettersThatAreSwappedArePerhapsAMistake) {
  std::string text = "Day,Shop\n";
  for (int day = 0; day < 60; ++day) {
    text += fmt::format("2025-01-{:02},{}\n", day % 28 + 1,
                        day == 9       ? "Harbuor"
                        : day % 2 == 0 ? "Harbour"
                                       : "Mill");
  }
  write_file(folder / "repairs.csv", text);
  EXPECT_THAT(answer("Is anything wrong?"), HasSubstr("'Harbuor' (1 reading; repairs.csv:11) is "
                                                      "perhaps 'Harbour'"));
}

TEST_F(Mixes, AColumnPerUnitOfAnotherIsTheirRatio) {
  std::string text = "Day,Kiln,Clay (kg),Gas (l)\n";
  for (int day = 0; day < 40; ++day) {
    text += fmt::format("{},{},{},{}\n",
                        moment_text(parse_moment("2025-01-06")->moment + day * day_length, false),
                        day % 2 == 0 ? "Old" : "New", 100, day % 2 == 0 ? 50 : 40);
  }
  write_file(folder / "repairs.csv", text);
  EXPECT_THAT(answer("How many litres does each kiln burn per kilogram?"),
              HasSubstr("- Gas per Clay by Kiln: Old 0.5 l, New 0.4 l.\n"));
  EXPECT_THAT(answer("How many kilograms per 10 litres does each kiln burn?"),
              HasSubstr("- Clay per 10 l of Gas by Kiln: New 25 kg, Old 20 kg.\n"));
}

TEST_F(Mixes, WhatOfATotalOfOneTableIsInAnotherIsItsShare) {
  std::string bought = "Day,Grain (kg)\n";
  std::string ground = "Day,Mill,Grain used (kg),Flour (kg)\n";
  for (int day = 0; day < 28; ++day) {
    const std::string date = fmt::format("2025-02-{:02}", day + 1);
    bought += date + ",100\n";
    if (day % 2 == 1 || day == 0) ground += fmt::format("{},Old,{},90\n", date, 120);
  }
  write_file(folder / "repairs.csv", bought);
  write_file(folder / "ground.csv", ground);
  EXPECT_THAT(answer("How much of the grain was used?"),
              HasSubstr("Grain used is 64.3 % of Grain"));
}

}  // namespace
}  // namespace insights::testing
