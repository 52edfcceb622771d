// What is asked of the ends of a table, of seasons and years, of a row, and of what is left over.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "insights/insights_run.hpp"

namespace insights::testing {
namespace {

using resumable::test::write_file;
using ::testing::HasSubstr;
using ::testing::Not;

class OverTime : public InsightsTest {
 protected:
  /// Two stalls from January 2021 to August 2024; Quay stops in October 2023. Each month has 4
  /// markets. Bread sells for 100 £ in 2021 and 50 more each year, in summer for 20 less, jam for
  /// 10, and the rent costs 60 £ on the Quay and 200 £ on the Hill.
  OverTime() {
    std::string text = "Month,Stall,Markets,Bread (£),Jam (£),Rent cost (£)\n";
    for (int at = 0; at < 44; ++at) {
      const int year = 2021 + at / 12;
      const int month = at % 12 + 1;
      const int bread = 100 + 50 * (at / 12) - (month >= 6 && month <= 8 ? 20 : 0);
      for (const bool is_quay : {true, false}) {
        if (is_quay && at > 33) continue;
        text += fmt::format("{}-{:02},{},4,{},10,{}\n", year, month, is_quay ? "Quay" : "Hill",
                            bread, is_quay ? 60 : 200);
      }
    }
    write_file(folder / "stalls.csv", text);
  }
  [[nodiscard]] std::string answer(const std::string& prompt) const {
    const Json request{
        {"systemId", "stalls"}, {"contextWindowDays", 3000}, {"customPrompt", prompt}};
    return without_lines(
        insights({"request", "--data", (folder / "stalls.csv").string()}, request.dump())
            .json()
            .at("insights")
            .at("rawText"));
  }
};

TEST_F(OverTime, GrowthIsToldByTheFirstAndTheLastWholeYear) {
  EXPECT_THAT(
      answer("How much has the bread grown?"),
      HasSubstr("Findings\n- Bread: 2021 2280 £ (12 months, 190 £ a month), 2023 4280 £ (12 "
                "months, 356.67 £ a month), it rose by 2000 £ (88 %)."));
  EXPECT_THAT(answer("How much has the bread grown since 2022?"),
              HasSubstr("Findings\n- Bread: 2022 3480 £ (12 months, 290 £ a month), 2023 4280 £"));
}

TEST_F(OverTime, ASeasonIsItsMonthsOfAllYears) {
  // On the Hill 80, 130, 180 and 230 three times each, and 9, 9, 9 and 5 months more.
  EXPECT_THAT(
      answer("Does the Hill sell less bread in the summer?"),
      HasSubstr("- Bread (Hill) by summer (7160 £ in all): the other months 5300 £ (32 "
                "months, 165.62 £ a month), summer (June to August) 1860 £ (12 months, 155 £ "
                "a month)"));
  EXPECT_THAT(answer("How much bread did the Hill sell in the summer of 2022?"),
              Not(HasSubstr("by summer")));
}

TEST_F(OverTime, AMonthOfThisYearIsSetAgainstTheLast) {
  const std::string text = answer("Did the Hill sell more bread this May than last May?");
  EXPECT_THAT(text, HasSubstr("Findings\n- Bread (Hill): May 2023 200 £"));
  EXPECT_THAT(text, HasSubstr(", it rose by 50 £ (25 %)."));
}

TEST_F(OverTime, NowadaysIsTheLastTwelveMonthsBesideAYear) {
  // In 2021 2280 £ in 96 markets; from September 2023 4 times 200, 8 less 3 times 20, and Quay 200.
  EXPECT_THAT(answer("How much bread does a market bring nowadays compared to 2021?"),
              HasSubstr("- Bread per Markets: 2021 23.75 £ (2280 £, 96), September 2023 to August "
                        "2024 "));
}

TEST_F(OverTime, WhatHappenedToOneBeginsWithItsEnd) {
  EXPECT_THAT(
      answer("What happened to Quay, is it still there?"),
      HasSubstr("Findings\n- stalls (Quay): the last in October 2023 (stalls.csv:68), 305 "
                "days before the end of the table; the first in January 2021 (stalls.csv:2); "
                "1003 days from the first to the last; 34 rows."));
}

TEST_F(OverTime, WhatIsSpentIsTakenOffAllThatIsTakenIn) {
  EXPECT_THAT(answer("Which stall brings in the most once the rent is paid?"),
              HasSubstr("Findings\n- Bread + Jam less Rent cost by Stall ("));
  EXPECT_THAT(answer("Which stall makes a profit?"),
              HasSubstr("- Bread + Jam less Rent cost by Stall ("));
}

TEST_F(OverTime, ARowIsLookedUpWithWhatElseIsAskedOfIt) {
  std::string text = "Date,Driver,Depot,Distance (km)\n";
  for (int i = 0; i < 120; ++i) {
    text += fmt::format(
        "{},{},{},{}\n",
        moment_text(parse_moment("2025-01-01")->moment + (i * i / 7 + i) % 97 * day_length, false),
        i % 3 == 0 ? "Ola" : "Per", i % 2 == 0 ? "North" : "South", i == 40 ? 95 : 20 + i % 50);
  }
  write_file(folder / "trips.csv", text);
  EXPECT_THAT(answer_to("trips", "How long was the longest trip in km, and who drove?"),
              HasSubstr("Distance: the highest is 95 km"));
  EXPECT_THAT(
      answer_to("trips", "Which driver made the furthest trip?"),
      HasSubstr("Findings\n- Distance: the highest is 95 km on 2025-03-16 (Driver Per; North"));
}

}  // namespace
}  // namespace insights::testing
