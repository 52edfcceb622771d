// Times that a question says in words, or by another time.
#include "insights/said_times.hpp"

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

class SaidTimes : public InsightsTest {
 protected:
  /// A stall on every day from 10 March 2023 to 20 June 2025: 10 £ a day, 20 £ from 2025 on.
  SaidTimes() {
    std::string text = "Date,Takings (£)\n";
    const Moment first = parse_moment("2023-03-10")->moment;
    const Moment last = parse_moment("2025-06-20")->moment;
    for (Moment day = first; day <= last; day += day_length) {
      const std::string date = moment_text(day, false);
      text += fmt::format("{},{}\n", date, date < "2025" ? 10 : 20);
    }
    write_file(folder / "stall.csv", text);
    table_ = catalogue(load_readings(folder / "stall.csv", "stall", 10'000));
  }
  [[nodiscard]] std::string time(const std::string& prompt) const {
    const Interest about = interest_of(prompt, table_);
    if (about.periods) return about.periods->first + " | " + about.periods->second;
    return about.from == about.to ? about.from : about.from + " " + about.to;
  }
  [[nodiscard]] std::string answer(const std::string& prompt) const {
    const Json request{
        {"systemId", "stall"}, {"contextWindowDays", 10'000}, {"customPrompt", prompt}};
    return without_lines(
        insights({"request", "--data", (folder / "stall.csv").string()}, request.dump())
            .json()
            .at("insights")
            .at("rawText"));
  }
  Json table_;
};

TEST_F(SaidTimes, PartsOfAYearAreItsMonths) {
  EXPECT_EQ(time("Takings in the first three months of 2024?"), "2024-01-01 2024-03-31");
  EXPECT_EQ(time("Takings in the last 2 months of 2023?"), "2023-11-01 2023-12-31");
  EXPECT_EQ(time("Takings in the last quarter of 2024?"), "2024-10-01 2024-12-31");
  EXPECT_EQ(time("Takings in the latter half of 2024?"), "2024-07-01 2024-12-31");
}

TEST_F(SaidTimes, ThisAndLastAreToldByTheLastDate) {
  EXPECT_EQ(time("Takings last year?"), "2024");
  EXPECT_EQ(time("Takings this year?"), "2025");
  EXPECT_EQ(time("Takings last month?"), "2025-05");
  EXPECT_EQ(time("Takings last week?"), "2025-06-09 2025-06-15");
  EXPECT_EQ(time("Takings in the last week?"), "2025-06-14 2025-06-20") << "seven days";
  EXPECT_EQ(time("Were takings higher this year than last year?"), "2024 | 2025");
  EXPECT_EQ(time("Were takings better than last year?"), "2024 | 2025");
  EXPECT_EQ(time("Were takings in May better than last year?"), "2024-05 | 2025-05");
}

TEST_F(SaidTimes, ASeasonOfAYearIsThreeMonths) {
  EXPECT_EQ(time("Takings in summer 2024 (June to August)?"), "2024-06-01 2024-08-31");
  EXPECT_EQ(time("Takings in the winter of 2023?"), "2023-12-01 2024-02-29");
  EXPECT_EQ(time("Takings last summer?"), "2024-06-01 2024-08-31");
  EXPECT_EQ(time("How much were takings since the summer?"), "2025-06-01 2025-06-20");
  EXPECT_EQ(time("Takings by weekday in summer?"), "") << "of all years";
}

TEST_F(SaidTimes, FeastsAreDays) {
  EXPECT_EQ(time("Were takings better before Christmas 2024 or after New Year 2025?"),
            "2023-03-10/2024-12-24 | 2025-01-01/2025-06-20");
  EXPECT_EQ(time("How much were takings since Christmas?"), "2024-12-25 2025-06-20");
  EXPECT_EQ(time("How much were takings at Christmas 2023?"), "2023-12");
}

TEST_F(SaidTimes, ATimeIsToldByAnother) {
  EXPECT_EQ(time("Takings January to March 2025 and the same months a year before?"),
            "2024-01-01/2024-03-31 | 2025-01-01/2025-03-31");
  EXPECT_EQ(time("Were takings in the first three months of 2025 above those of 2024?"),
            "2024-01-01/2024-03-31 | 2025-01-01/2025-03-31");
  EXPECT_EQ(time("Takings in May 2025 against the month before?"), "2025-04 | 2025-05");
  EXPECT_EQ(time("Takings in January and February 2025 and in the two months before?"),
            "2024-11-01/2024-12-31 | 2025-01-01/2025-02-28");
  EXPECT_EQ(time("Takings from January to June 2025 and in the same months of 2024?"),
            "2024-01-01/2024-06-20 | 2025-01-01/2025-06-30")
      << "June 2025 has not ended";
}

TEST_F(SaidTimes, TwoMonthsInARowAreOneTimeUnlessTheyAreCompared) {
  EXPECT_EQ(time("Takings in July and August?"), "2024-07-01 2024-08-31");
  EXPECT_EQ(time("Takings in November and February 2024?"), "2023-11 | 2024-02");
  EXPECT_EQ(time("Takings in July and August compared?"), "2024-07 | 2024-08");
  EXPECT_EQ(time("Takings in March, April and May?"), "") << "each is told";
}

TEST_F(SaidTimes, AreNotUnused) {
  EXPECT_THAT(answer("How much were takings since Christmas?"), Not(HasSubstr("Not used")));
  EXPECT_THAT(answer("How much were takings last summer?"), Not(HasSubstr("Not used")));
}

TEST_F(SaidTimes, OfEqualLengthAreComparedByTheirTotals) {
  const std::string equal = answer("Takings in the first three months of 2025 and those of 2024?");
  EXPECT_THAT(equal, HasSubstr("January to March 2024 910 £"));
  EXPECT_THAT(equal, HasSubstr("January to March 2025 1800 £"));
  EXPECT_THAT(equal, HasSubstr("it rose by 890 £ (100 % a day)"));
  const std::string unequal = answer("Were takings higher in 2025 than in 2024?");
  EXPECT_THAT(unequal, HasSubstr("2024 3660 £"));
  EXPECT_THAT(unequal, HasSubstr("2025 3420 £"));
  EXPECT_THAT(unequal, HasSubstr("the times are not as long: 366 and 171 days"));
}

}  // namespace
}  // namespace insights::testing
