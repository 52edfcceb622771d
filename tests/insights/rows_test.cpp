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
  /// 60 repairs of watches by two menders, of which every fifth has no second visit; each has one
  /// or two bills. Parts are numbered, with several tests each.
  RowsAsked() {
    const Moment first = parse_moment("2025-01-06")->moment;
    std::filesystem::create_directory(folder / "data");
    std::string repairs = "Repair No,Brought,Owner,Mender,Price (EUR),Fault\n";
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

}  // namespace
}  // namespace insights::testing
