// Times in questions about a table of years, and about years as times.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "insights/insights_run.hpp"
#include "insights/interest.hpp"
#include "insights/sentences.hpp"

namespace insights::testing {
namespace {

using resumable::test::write_file;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Years : public InsightsTest {
 protected:
  /// Two halls in the years from 2012 to 2023: repairs are 100 and 200 in the first year and 10
  /// more in each year after it; there are 30 and 50 seats.
  Years() {
    std::string text = "Year,Hall,Repairs (£),Seats sold\n";
    for (int year = 2012; year < 2024; ++year) {
      const int more = 10 * (year - 2012);
      text += fmt::format("{},Elm,{},{}\n{},Oak,{},{}\n", year, 100 + more, 30 + more, year,
                          200 + more, 50 + more);
    }
    write_file(folder / "halls.csv", text);
  }
  [[nodiscard]] Interest about(const std::string& prompt) const {
    return interest_of(prompt, catalogue(load_readings(folder / "halls.csv", "halls", 10'000)));
  }
  [[nodiscard]] std::string time(const std::string& prompt) const {
    const Interest interest = about(prompt);
    return interest.from + " " + interest.to;
  }
  [[nodiscard]] std::string periods(const std::string& prompt) const {
    const Interest interest = about(prompt);
    return interest.periods ? interest.periods->first + " " + interest.periods->second : "";
  }
  [[nodiscard]] std::string answer(const std::string& prompt) const {
    const Json request{
        {"systemId", "halls"}, {"contextWindowDays", 10'000}, {"customPrompt", prompt}};
    const auto file = folder / "halls.csv";
    return without_lines(insights({"request", "--data", file.string()}, request.dump())
                             .json()
                             .at("insights")
                             .at("rawText"));
  }
};

TEST_F(Years, AreTimesWithAndWithoutAWordBeforeThem) {
  EXPECT_EQ(time("Repairs in 2015"), "2015 2015");
  EXPECT_EQ(time("What did we spend in 2015 on repairs?"), "2015 2015");
  EXPECT_EQ(time("2015 repairs in all?"), "2015 2015");
  EXPECT_EQ(time("Total repairs from 2019 to 2022"), "2019-01-01 2022-12-31");
  EXPECT_EQ(time("Total repairs 2019-2022"), "2019-01-01 2022-12-31");
  EXPECT_EQ(time("How much were repairs in the first half of 2015?"), "2015-01-01 2015-06-30");
}

TEST_F(Years, OfTwoEachIsComparedHoweverTheyAreNamed) {
  for (const char* prompt :
       {"Compare 2023 repairs with 2013", "Repairs in 2023 against 2013", "Repairs 2013 vs 2023",
        "Were repairs higher in 2023 than in 2013?", "Were repairs higher in 2023 than 2013?"})
    EXPECT_EQ(periods(prompt), "2013 2023") << prompt;
  EXPECT_THAT(answer("Compare 2023 repairs with 2013"),
              HasSubstr("Findings\n- Repairs: 2013 320 £"));
}

TEST_F(Years, OfATableByTheYearAreWrittenAsYears) {
  const std::string one = answer("How much were repairs in 2015?");
  EXPECT_THAT(one, HasSubstr("halls, 2012 to 2023, 24 readings"));
  EXPECT_THAT(one, HasSubstr("Repairs (2015): 360 £ in all"));
  EXPECT_THAT(answer("Repairs from 2014 to 2016 against 2021 to 2023"),
              HasSubstr("2014 to 2016 1080 £ (3 years, 360 £ a year), "));
  const std::string all = answer("What happened?");
  EXPECT_THAT(all, HasSubstr("a year, in 2012, and the last"));
  for (const char* no : {"-01-01", "1 day", "Thursdays", "less than half"})
    EXPECT_THAT(all + one, Not(HasSubstr(no)));
}

TEST_F(Years, AMonthIsWrittenByItsName) {
  std::string text = "Month,Plant,Output (t)\n";
  for (int i = 0; i < 30; ++i) {
    text += fmt::format("{}-{:02},A,{}\n", 2021 + i / 12, i % 12 + 1, 100 + 7 * (i % 5));
    text += fmt::format("{}-{:02},B,{}\n", 2021 + i / 12, i % 12 + 1, i == 17 ? 140 : 50 + i % 3);
  }
  write_file(folder / "plants.csv", text);
  const Readings readings = load_readings(folder / "plants.csv", "plants", 10'000);
  EXPECT_EQ(readings.table.grain, Grain::month);
  EXPECT_EQ(readings.table.when(2), "2021-02");
  EXPECT_EQ(Json(readings).get<Readings>(), readings);
  const Json unusual = Json::parse(
      use_tool("find_unusual",
               R"({"variable": "Output", "method": "robust", "where": {"Plant": "B"}})", readings));
  EXPECT_THAT(findings_of("find_unusual", unusual).at(0).text,
              HasSubstr("140 t in June 2022 is unusually high"));
}

TEST_F(Years, OfWhatHardlyChangesFromYearToYearAreNotAddedUp) {
  std::string text = "Year,Hall,Shows,Stalls\n";
  for (int year = 2012; year < 2024; ++year)
    text += fmt::format("{},Elm,{},40\n{},Oak,{},60\n", year, 10 + 5 * (year % 3), year,
                        20 + 7 * (year % 2));
  write_file(folder / "stalls.csv", text);
  const Readings readings = load_readings(folder / "stalls.csv", "stalls", 10'000);
  EXPECT_FALSE(readings.table.find("Stalls")->is_amount);
  EXPECT_TRUE(readings.table.find("Shows")->is_amount);
}

TEST_F(Years, ThatAreAmountsAreNoTimes) {
  for (const char* prompt : {"How often were repairs more than 2015?", "Was £2015 spent?",
                             "How often were 2015 kg carried?", "Which hall has 2099 seats?"})
    EXPECT_EQ(time(prompt), " ") << prompt;
}

TEST_F(Years, HowMuchSinceOrBeforeATimeIsTheSumOfThatTime) {
  EXPECT_EQ(time("How much have we spent on repairs since 2020?"), "2020-01-01 2023-01-01");
  EXPECT_EQ(time("How much did we spend on repairs after 2020?"), "2021-01-01 2023-01-01");
  EXPECT_EQ(time("Total repairs before 2014"), "2012-01-01 2013-12-31");
  EXPECT_THAT(answer("How much have we spent on repairs since 2020?"), HasSubstr("1960 £ in all"));
  EXPECT_EQ(periods("How much more have we spent on repairs since 2020?"),
            "2012-01-01/2019-12-31 2020-01-01/2023-01-01");
}

TEST_F(Years, MayBeValuesOfACategory) {
  std::string text = "Day,Vintage,Bottles\n";
  for (int day = 10; day < 30; ++day)
    text += fmt::format("2015-06-{},{},{}\n", day, 2012 + day % 4, day);
  write_file(folder / "cellar.csv", text);
  const Json table = catalogue(load_readings(folder / "cellar.csv", "cellar", 100));
  const Interest interest = interest_of("How many bottles of the 2015 vintage?", table);
  EXPECT_THAT(interest.from, IsEmpty());
}

TEST(Grains, AreReadAndWritten) {
  for (const char* text : {"2015", "2015-Q4", "2015-12", "2015-W53", "2015-12-31", "2016-W01"}) {
    const auto time = parse_time(text);
    ASSERT_TRUE(time) << text;
    EXPECT_EQ(grain_text(time->grain, time->moment), text);
    EXPECT_EQ(start_of(time->grain, end_of(time->grain, time->moment)), time->moment) << text;
  }
  EXPECT_EQ(moment_text(end_of(Grain::quarter, parse_time("2015-Q4")->moment), true),
            "2015-12-31 23:59");
  EXPECT_FALSE(parse_moment("2015")) << "in a cell it may be any number";
}

}  // namespace
}  // namespace insights::testing
