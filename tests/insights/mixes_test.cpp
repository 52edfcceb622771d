// How shares change, how long nothing happens, zeros that are rare, ratios of columns, what is
// open, and when.
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
    return without_lines(said.json().at("insights").at("rawText"));
  }
};

TEST_F(Mixes, ThatHaveChangedAreTold) {
  const std::string stated =
      "The share of repairs by Movement has changed: manual fell from 79.8 % to 49.6 %; 2025-01-06 "
      "to 2025-02-19 against 2025-02-20 to 2025-04-05.";
  EXPECT_THAT(answer("What happened?"), HasSubstr(stated));
  EXPECT_THAT(answer("Has the mix of movements changed?"), HasSubstr(stated));
  EXPECT_THAT(answer("What happened?"), Not(HasSubstr("by Warranty has")))
      << "that has not, and nobody asked";
  EXPECT_THAT(answer("Has the share of the warranty changed?"),
              HasSubstr("by Warranty has not clearly changed"));
}

TEST_F(Mixes, EveryMonthIsToldOfOneColumnUnlessMonthsAreAskedFor) {
  EXPECT_THAT(answer("What happened?"), Not(HasSubstr("- Parts by month")));
  EXPECT_THAT(answer("Which months were the best?"), HasSubstr("by month: 2025-01"));
  EXPECT_THAT(answer("What did the parts cost in each month?"), HasSubstr("- Parts by month"));
}

TEST_F(Mixes, AreComparedBeforeAndAfterADayThatIsNamed) {
  EXPECT_THAT(answer("Are there more quartz movements since 20 February?"),
              HasSubstr("by Movement has changed: quartz rose from 20.2 % to 50.4 %; 2025-01-06 to "
                        "2025-02-19 against 2025-02-20 to 2025-04-05."));
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
      HasSubstr("The share of Takings by Shop has changed: Mill rose from 40.4 % to 57.3 %; "
                "2025-01-06 to 2025-02-04 against 2025-02-05 to 2025-03-06."));
  EXPECT_THAT(answer("What happened?"), Not(HasSubstr("share of the readings")));
}

TEST_F(Mixes, TheLongestTimeWithoutAnyIsTold) {
  EXPECT_THAT(answer("When was the longest time without a repair?"),
              HasSubstr("The longest time with no row is "));
  EXPECT_THAT(answer("When was the longest time without a repair?"),
              HasSubstr(", from 2025-02-09 "));
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
              HasSubstr("- Gas per kg of Clay by Kiln: Old 0.5 l, New 0.4 l.\n"));
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

TEST_F(Mixes, TheLongestGapsAreToldAndSingleReadingsThatAreOftenMissingAreNone) {
  std::string text = "Day,Depth (m)\n";
  for (int day = 0; day < 120; ++day) {
    if (day % 9 == 4 || (day >= 100 && day < 112)) continue;
    text += fmt::format("{},{}\n",
                        moment_text(parse_moment("2025-01-06")->moment + day * day_length, false),
                        10 + day % 5);
  }
  write_file(folder / "repairs.csv", text);
  const std::string said = answer("Is anything wrong?");
  EXPECT_THAT(said, HasSubstr("between 2025-04-15 and 2025-04-29 (14 days): 13 days are missing."));
  EXPECT_THAT(said, Not(HasSubstr("1 reading is missing")));
}

TEST_F(Mixes, TimesToTheSecondBelowSixHoursAreHowLongSomethingTook) {
  std::string text = "Day,Boat,Course (km),Time,Calm (1-5)\n";
  for (int day = 0; day < 40; ++day) {
    text += fmt::format("{},{},12,{}:{:02}:30,{}\n",
                        moment_text(parse_moment("2025-01-06")->moment + day * day_length, false),
                        day % 2 == 0 ? "Skiff" : "Punt", day % 2 == 0 ? 0 : 1, 59 - day % 3,
                        1 + day % 5);
  }
  write_file(folder / "repairs.csv", text);
  EXPECT_THAT(answer("How long does the Skiff take?"), HasSubstr("Time (Skiff): 1170 min in all"));
  EXPECT_THAT(answer("Which boat is the fastest?"),
              HasSubstr("- Course per 60 min of Time by Boat: Skiff 12.31 km, Punt 6.073 km.\n"));
  EXPECT_THAT(answer("How calm was it?"), HasSubstr("- Calm: 3 on average (median 3),"))
      << "(1-5) is no unit";
}

TEST_F(Mixes, MoneyOfWhatIsOpenIsToldAndHowOftenItWasLate) {
  std::string text = "Sent,Due,Paid,Client,Sum (EUR)\n";
  for (int day = 0; day < 60; ++day) {
    const Moment sent = parse_moment("2025-01-06")->moment + day * day_length;
    const std::string paid =
        day >= 50 ? "" : moment_text(sent + (day % 5 == 0 ? 40 : 20) * day_length, false);
    text += fmt::format("{},{},{},{},{}\n", moment_text(sent, false),
                        moment_text(sent + 30 * day_length, false), paid,
                        day % 3 == 0 ? "Ames" : "Boyd", 100 + day % 2);
  }
  write_file(folder / "repairs.csv", text);
  const std::string owed = answer("How much is still unpaid, and by whom?");
  EXPECT_THAT(owed, HasSubstr("Still open, without 'Paid': Sum 1005 EUR in all.\n"));
  EXPECT_THAT(owed, HasSubstr("Sum 1005 EUR in all, by Client: Boyd 703 EUR, Ames 302 EUR.\n"));
  const std::string late = answer("How many were paid late?");
  EXPECT_THAT(late,
              HasSubstr("time from Due to Paid: above 0 days (late) in 10 of 50 readings (20 %)"));
  EXPECT_THAT(late, Not(HasSubstr("rise and fall together")));
}

TEST_F(Mixes, HoursOfEachValueThatIsNamedAreTold) {
  std::string text = "Time,Hall,Guests\n";
  for (int hour = 0; hour < 24 * 12; ++hour) {
    const std::string time =
        moment_text(parse_moment("2025-01-06")->moment + hour * Moment{3600}, true);
    text += fmt::format("{0},East,{1}\n{0},West,{2}\n", time, hour % 24 == 9 ? 50 : 10 + hour % 3,
                        hour % 24 == 17 ? 40 : 12 + hour % 3);
  }
  write_file(folder / "repairs.csv", text);
  const std::string said = answer("At what hour is each hall fullest?");
  EXPECT_THAT(said, HasSubstr("Guests (East): in the course of a day highest at 09:00 (50"));
  EXPECT_THAT(said, HasSubstr("Guests (West): in the course of a day highest at 17:00 (40"));
}

TEST_F(Mixes, AreAskedForByHowItIsWhereNothingIsNamed) {
  const Json table = catalogue(load_readings(folder / "repairs.csv", "repairs", 100));
  EXPECT_TRUE(interest_of("How is business?", table).is_broad);
  EXPECT_FALSE(interest_of("How are the parts?", table).is_broad);
  EXPECT_FALSE(interest_of("How many were there?", table).is_broad);
}

}  // namespace
}  // namespace insights::testing
