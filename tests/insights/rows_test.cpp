// Which rows are meant: those with an identifier, single ones, those that lack something.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "insights/insights_run.hpp"

namespace insights::testing {
namespace {

using resumable::test::write_file;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

class RowsAsked : public InsightsTest {
 protected:
  /// 60 repairs of watches by two restorers, of which every fifth has no second visit; each has one
  /// or two bills. Parts are numbered, with several tests each.
  RowsAsked() {
    const Moment first = parse_moment("2025-01-06")->moment;
    std::filesystem::create_directory(folder / "data");
    std::string repairs = "Repair No,Brought,Owner,Restorer,Price (EUR),Fault\n";
    std::string bills = "Bill,Repair No,Billed on,Sum (EUR)\n";
    std::string tests = "Tested,Part No,Code,Load (kg)\n";
    for (int i = 0; i < 60; ++i) {
      const std::string day = moment_text(first + (2 * i + i % 3) * day_length, false);
      const char* owner = std::vector{"Ode", "Lund", "Pratt"}[static_cast<std::size_t>(i % 3)];
      repairs +=
          fmt::format("{},{},{},{},{},{}\n", 700 + 2 * i, day, owner, i % 2 == 0 ? "Ines" : "Karl",
                      20 + i * 7 % 50, i % 4 == 0 ? "crown" : "spring");
      for (int part = 0; part < 1 + i % 2; ++part)
        bills += fmt::format("B-{},{},{},{}\n", 100 + 2 * i + part, 700 + 2 * i, day, 10 + i);
      tests += fmt::format("{},{},K{},{}\n", day, 200 + i % 25, 310 + 2 * i / 3, 40 + i % 7);
    }
    write_file(folder / "data/repairs.csv", repairs);
    write_file(folder / "data/bills.csv", bills);
    write_file(folder / "tests.csv", tests);
    std::string visits = "Day,Shop,Helper,Paid (EUR),Rating\n";
    for (int i = 0; i < 40; ++i) {
      const char* shop = std::vector{"ALDI 062 LEEDS", "TESCO STORES 33", "TESCO EXPRESS YORK",
                                     "Bakery"}[static_cast<std::size_t>(i % 4)];
      visits += fmt::format(
          "{},{},{},{},{}\n", moment_text(first + (i + i % 3) * day_length, false), shop,
          i % 2 == 0 ? "Miss Dunn" : "Mr Reeve", i == 7 || i == 9 ? "0" : fmt::format("{}", 10 + i),
          i == 12 ? "" : fmt::format("{}", 1 + i % 5));
    }
    write_file(folder / "visits.csv", visits);
  }
  /// With the bills beside them.
  [[nodiscard]] std::string answer(const std::string& table, const std::string& prompt) const {
    const Json request{{"systemId", table}, {"contextWindowDays", 400}, {"customPrompt", prompt}};
    return insights({"request", "--data", (folder / "data").string()}, request.dump())
        .json()
        .at("insights")
        .at("rawText");
  }
};

TEST_F(RowsAsked, ANumberBehindTheWordForItNamesARow) {
  EXPECT_THAT(answer("repairs", "Who brought the watch of repair 704?"),
              HasSubstr("Findings\n- Repair No 704: "));
  EXPECT_THAT(
      answer("repairs", "What was wrong with repair no. 706, and what did it cost?"),
      AllOf(HasSubstr("Findings\n- Repair No 706: Price (EUR) 41"), HasSubstr("Fault spring"),
            HasSubstr("(repairs.csv:5)"), Not(HasSubstr("on average"))));
}

TEST_F(RowsAsked, AnotherTableWithTheNumberIsLookedUpToo) {
  EXPECT_THAT(answer("repairs", "What did I ask for repair 702, and what was billed in the end?"),
              AllOf(HasSubstr("- Repair No 702: "), HasSubstr("2 rows, all with "),
                    HasSubstr("Bill B-102 (bills.csv:3); Bill B-103 (bills.csv:4)")));
}

TEST_F(RowsAsked, ACodeNamesARowByItself) {
  EXPECT_THAT(answer("bills", "How much was b-102?"),
              HasSubstr("Findings\n- Bill B-102: Repair No 702, "));
}

TEST_F(RowsAsked, WhatIsNotThereIsTold) {
  EXPECT_THAT(answer("repairs", "Who brought repair 703?"),
              HasSubstr("Findings\n- Repair No 703: no row."));
}

TEST_F(RowsAsked, NumbersOfThingsWithSeveralRowsAreNotMeasured) {
  const Readings readings = load_readings(folder / "tests.csv", "tests", 10'000);
  EXPECT_THAT(readings.table.identifiers, Contains("Code"));
  EXPECT_EQ(readings.table.find("Code")->kind, Column::Kind::category);
  EXPECT_EQ(readings.table.find("Part No")->kind, Column::Kind::category);
  EXPECT_THAT(answer_to("tests", "What load did K315 take?"),
              HasSubstr("- Code K315: Load (kg) 41; also Tested "));
}

TEST_F(RowsAsked, TheFirstAndTheLastRowAreTold) {
  EXPECT_THAT(answer("repairs", "When was Lund last here, and who restored it?"),
              HasSubstr("Findings\n- Lund, the last of 20 rows: "));
  EXPECT_THAT(answer("repairs", "When was Lund last here, and who restored it?"),
              HasSubstr("Brought 2025-05-03"));
  EXPECT_THAT(answer("repairs", "What did the first repair for Pratt cost?"),
              AllOf(HasSubstr("- Pratt, the first of 20 rows: "), HasSubstr("Brought 2025-01-12")));
  EXPECT_THAT(
      answer("repairs", "What was the fault on Ode's first repair and on the last?"),
      AllOf(HasSubstr("- Ode, the first of 20 rows: "), HasSubstr("- Ode, the last of 20 rows: ")));
}

TEST_F(RowsAsked, FromTheFirstToTheLastIsTheirSpan) {
  EXPECT_THAT(answer("repairs", "How long did we work for Ode, from the first repair to the last?"),
              HasSubstr("114 days from the first to the last"));
}

TEST_F(RowsAsked, APartOfValuesMeansAllThatHaveIt) {
  EXPECT_THAT(answer_to("visits", "How much did we pay at Tesco?"),
              HasSubstr("- Paid (TESCO EXPRESS YORK or TESCO STORES 33): "));
  EXPECT_THAT(answer_to("visits", "How much did we pay at Aldi?"),
              HasSubstr("- Paid (ALDI 062 LEEDS): "));
}

TEST_F(RowsAsked, WhatIsEmptyOrZeroIsCountedAndListed) {
  EXPECT_THAT(answer_to("visits", "On which visits did we get it for nothing?"),
              AllOf(HasSubstr("Findings\n- Paid 0, of 40 rows: 2 rows"), HasSubstr("visits.csv:9"),
                    HasSubstr("visits.csv:11")));
  EXPECT_THAT(
      answer_to("visits", "Which visits have no rating?"),
      AllOf(HasSubstr("Findings\n- Rating empty, of 40 rows: "), HasSubstr("Day 2025-01-18")));
}

TEST_F(RowsAsked, AVerbNamesNoTitle) {
  EXPECT_THAT(answer_to("visits", "How many visits did we lose in January 2025?"),
              Not(HasSubstr("Miss Dunn)")));
}

}  // namespace
}  // namespace insights::testing
