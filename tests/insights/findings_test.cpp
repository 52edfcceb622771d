// The tools that find something, each against figures that were worked out by hand.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "insights/bounds.hpp"
#include "insights/figures.hpp"
#include "insights/insights_run.hpp"
#include "insights/sentences.hpp"

namespace insights::testing {
namespace {

using resumable::test::write_file;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Findings : public ::testing::Test {
 protected:
  Readings table(const std::string& text, int days = 10'000) const {
    write_file(folder / "t.csv", text);
    return load_readings(folder.path(), "t", days);
  }
  /// A row a day from 2025-01-06, a Monday, on.
  Readings days(const std::vector<double>& values, int window = 10'000) const {
    std::string text = "day,x (kWh)\n";
    const Moment first = parse_moment("2025-01-06")->moment;
    for (std::size_t i = 0; i < values.size(); ++i) {
      text += moment_text(first + static_cast<Moment>(i) * day_length, false) + "," +
              Json(values[i]).dump() + "\n";
    }
    return table(text, window);
  }
  static Json use(const Readings& readings, const char* tool, const Json& arguments) {
    return Json::parse(use_tool(tool, arguments.dump(), readings));
  }
  static std::string said(const char* tool, const Json& result) {
    std::string all;
    for (const Finding& one : findings_of(tool, result)) all += one.text + "\n";
    return without_lines(all);
  }

  resumable::test::TempFolder folder;
};

TEST(Figures, RobustOnesAreThoseOfAPencil) {
  EXPECT_DOUBLE_EQ(median({4, 1, 3, 2}), 2.5);
  // The distances from 10 are 0 0 0 0 1 1 2 2 20: 1 in the middle.
  EXPECT_DOUBLE_EQ(robust_spread({10, 11, 9, 10, 12, 10, 8, 10, 30}), 1.4826);
  EXPECT_DOUBLE_EQ(robust_spread({5, 5, 5, 5, 9}), 1.2533 * 0.8) << "most are the same";
  EXPECT_THAT(ranks(std::vector<double>{3, 1, 3}), ElementsAre(2.5, 1, 2.5));
  const std::vector<double> up{1, 2, 3, 4};
  // 1 − 6 · (0 + 1 + 1 + 0) / (4 · 15)
  EXPECT_DOUBLE_EQ(rank_correlation(up, std::vector<double>{1, 3, 2, 4}), 0.8);
  EXPECT_DOUBLE_EQ(rank_correlation(up, std::vector<double>{9, 7, 5, 3}), -1);
  EXPECT_DOUBLE_EQ(rank_correlation(up, std::vector<double>{2, 2, 2, 2}), 0);
  const std::vector<int> groups{0, 0, 1, 1};
  EXPECT_DOUBLE_EQ(between_groups(std::vector<double>{1, 1, 3, 3}, groups), 1);
  EXPECT_DOUBLE_EQ(between_groups(std::vector<double>{1, 3, 1, 3}, groups), 0);
  const std::vector<int> weekdays{0, 1, 2, 3, 4, 5, 6, 0, 1, 2};
  EXPECT_EQ(between_groups(std::vector<double>(10, 1.4), weekdays), 0) << "only rounding differs";
  // Around 2.5: all 1.25 · 4, between the groups 2 · 0.25 + 2 · 0.25 … (2 − 2.5)² · 2 twice.
  EXPECT_DOUBLE_EQ(between_groups(std::vector<double>{1, 3, 2, 4}, groups), 1.0 / 5);
}

TEST(Figures, AJumpIsFoundBesideALineAndALineIsNoJump) {
  std::vector<double> step;
  std::vector<double> line;
  for (int i = 0; i < 40; ++i) {
    const double noise = i % 4 < 2 ? 0.25 : -0.25;
    step.push_back(0.1 * i + (i >= 24 ? 5 : 0) + noise);
    line.push_back(0.5 * i + noise);
  }
  const Jump jump = find_jump(step, 5);
  EXPECT_EQ(jump.at, 24U);
  EXPECT_NEAR(jump.height, 5, 0.3);
  EXPECT_GT(jump.t, 10);
  EXPECT_LT(find_jump(line, 5).t, 4);
  EXPECT_DOUBLE_EQ(find_jump(std::vector<double>(12, 3.0), 5).t, 0) << "nothing varies";
}

TEST_F(Findings, UnusualReadingsAreToldAgainstWhatIsUsual) {
  const Json found = use(days({10, 11, 9, 10, 12, 10, 8, 10, 30}), "find_unusual",
                         {{"variable", "x"}, {"method", "robust"}});
  ASSERT_EQ(found.at("found"), 1);
  const Json& one = found.at("unusual").at(0);
  EXPECT_EQ(one.at("date"), "2025-01-14");
  EXPECT_EQ(one.at("usual"), 10);
  EXPECT_THAT(one.at("z").get<double>(), DoubleNear(20 / 1.4826, 0.001));
  EXPECT_EQ(said("find_unusual", found),
            "x: 30 kWh on 2025-01-14 is unusually high, where 10 kWh is usual (13 times the "
            "usual deviation; the highest of 9 readings; t.csv:10).\n");
}

TEST_F(Findings, EventsHaveARateOverAllDays) {
  std::string text = "at,kind\n";
  for (int i = 0; i < 60; i += 1 + i % 3) {
    const Moment day = parse_moment("2025-01-06")->moment + i * day_length;
    for (int k = 0; k <= i % 4; ++k) {
      text += moment_text(day + (8 + 2 * k) * 3600, true) + (k % 2 == 0 ? ",a\n" : ",b\n");
    }
  }
  const Readings readings = table(text);
  ASSERT_TRUE(readings.table.has_events);
  const Json all = use(readings, "statistics", {{"variable", "t"}});
  ASSERT_TRUE(all.contains("rate")) << all;
  EXPECT_GT(all.at("all_days"), all.at("readings"));
  EXPECT_NEAR(all.at("rate").get<double>() * all.at("all_days").get<double>(),
              all.at("sum").get<double>(), 0.1);
  const Json some = use(readings, "statistics", {{"variable", "t"}, {"where", {{"kind", "b"}}}});
  EXPECT_EQ(some.at("all_days"), all.at("all_days")) << "a day without any is a day";
  EXPECT_THAT(said("statistics", some), HasSubstr(" a day; on the "));
}

TEST_F(Findings, AWeekdayIsComparedWithTheSameWeekday) {
  std::vector<double> values;
  for (int i = 0; i < 35; ++i) values.push_back(i % 7 == 5 ? 50 + i % 3 : 10 + i % 3);
  values[33] = 11;  // the last Saturday: as other days are
  values[31] = 50;  // the Thursday before: as Saturdays are
  const Json found =
      use(days(values, 7), "find_unusual", {{"variable", "x"}, {"method", "robust"}});
  EXPECT_EQ(found.at("cycle"), "weekday");
  EXPECT_EQ(found.at("history"), 28) << "the weeks before the window say what is usual";
  ASSERT_EQ(found.at("found"), 2);
  EXPECT_THAT(said("find_unusual", found), HasSubstr("11 kWh on 2025-02-08"));
  EXPECT_THAT(said("find_unusual", found), HasSubstr("also unusual on 2025-02-06 (50 kWh"));
}

TEST_F(Findings, NeighboursMakeOneEpisode) {
  std::vector<double> values;
  for (int i = 0; i < 14; ++i) values.push_back(10 + i % 3);
  for (const std::size_t i : {6U, 7U, 8U}) values[i] = 40 + static_cast<double>(i);
  const Json found = use(days(values), "find_unusual", {{"variable", "x"}, {"method", "robust"}});
  ASSERT_EQ(found.at("found"), 1);
  EXPECT_EQ(found.at("unusual").at(0).at("count"), 3);
  EXPECT_EQ(found.at("unusual").at(0).at("begin"), "2025-01-12");
  EXPECT_EQ(found.at("unusual").at(0).at("end"), "2025-01-14");
}

TEST_F(Findings, AChangeHasItsDayAndTheMediansOnBothSides) {
  std::vector<double> values;
  for (int i = 0; i < 30; ++i) values.push_back((i < 18 ? 100 : 80) + i % 3);
  const Json found = use(days(values), "find_change", {{"variable", "x"}});
  ASSERT_EQ(found.at("changes").size(), 1U) << found;
  EXPECT_EQ(said("find_change", found),
            "x fell on 2025-01-24 (t.csv:20): the median fell from 101 kWh before to 81 kWh from "
            "then on, "
            "−20 %.\n");
  for (double& value : values) value = 100 + static_cast<double>(&value - values.data()) * 2;
  EXPECT_TRUE(use(days(values), "find_change", {{"variable", "x"}}).at("changes").empty())
      << "a steady rise is no step";
  values.clear();
  for (int i = 0; i < 400; ++i) values.push_back(i * i / 100.0 + 60.0 * (i * 7 % 13) / 13);
  EXPECT_TRUE(use(days(values), "find_change", {{"variable", "x"}}).at("changes").empty())
      << "nor is a curve";
  values.clear();
  for (int i = 0; i < 60; ++i) values.push_back(10 * i + i * 7 % 5 + (i < 30 ? 0 : 60));
  EXPECT_TRUE(use(days(values), "find_change", {{"variable", "x"}}).at("changes").empty())
      << "the medians would differ by the rise more than by the step";
}

TEST_F(Findings, AChangeOfOneValueOfACategoryIsFound) {
  std::string text = "day,shop,sold\n";
  for (int i = 0; i < 28; ++i) {
    const std::string day = moment_text(parse_moment("2025-01-06")->moment + i * day_length, false);
    text += day + ",N," + std::to_string((i < 14 ? 10 : 30) + i % 2) + "\n";
    text += day + ",S," + std::to_string(20 + i % 3) + "\n";
  }
  const Json found =
      use(table(text), "find_change", {{"variable", "sold"}, {"by", "shop"}}).at("changes");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.at(0).at("value"), "N");
  EXPECT_EQ(found.at(0).at("date"), "2025-01-20");
  EXPECT_EQ(found.at(0).at("before"), 10.5);
  EXPECT_EQ(found.at(0).at("after"), 30.5);
}

TEST_F(Findings, WhatIsSetByACategoryHasItsValuesAndTheirFirstDays) {
  std::string text = "day,seat,price (€),weight (kg)\n";
  for (int i = 0; i < 60; ++i) {
    const int kind = i % 3;
    const int price = kind == 0 ? 7 : (kind == 1 ? 14 : 28) + (i < 30 ? 0 : 2);
    text += fmt::format(
        "{},{},{},{}\n", moment_text(parse_moment("2025-01-06")->moment + i * day_length, false),
        kind == 0 ? "child" : (kind == 1 ? "stalls" : "box"), i == 40 ? 99 : price, i * i % 17);
  }
  const Readings readings = table(text);
  const Json found = use(readings, "find_settings", {{"variable", "price"}});
  EXPECT_EQ(found.value("depends_on", ""), "seat");
  EXPECT_EQ(said("find_settings", found),
            "price (stalls): 14 € at first, 16 € from 2025-02-06.\n"
            "price (box): 28 € at first, 30 € from 2025-02-07.\n");
  EXPECT_EQ(said("find_settings", use(readings, "find_settings",
                                      {{"variable", "price"}, {"where", {{"seat", "box"}}}})),
            "price (box): 28 € at first, 30 € from 2025-02-07.\n");
  EXPECT_TRUE(use(readings, "find_settings", {{"variable", "weight"}}).at("settings").empty())
      << "a weight is measured, not set";
}

TEST_F(Findings, WeekdaysAndMonthsHaveTheirMeansAndSums) {
  std::vector<double> values;
  for (int i = 0; i < 56; ++i) values.push_back(i % 7 < 5 ? 10 : 2);
  const Readings readings = days(values);
  const Json week = use(readings, "pattern", {{"variable", "x"}, {"by", "weekday"}});
  EXPECT_EQ(week.at("explains"), 1);
  EXPECT_THAT(said("pattern", week), HasSubstr("weekends 2 kWh against 10 kWh on other days"));
  // 26 days of January: 20 of 10 and 6 of 2 (6 January is a Monday); February has 20 and 8.
  EXPECT_EQ(said("pattern", use(readings, "pattern", {{"variable", "x"}, {"by", "month"}})),
            "x by month: 2025-01 212 kWh (26 readings), 2025-02 216 kWh (28 readings), 2025-03 4 "
            "kWh (2 readings); of 3 months the highest is 2025-02 216 kWh (28 readings), the "
            "lowest 2025-01 212 kWh (26 readings), not counting 2025-03, of which there is less "
            "than half.\n");
  EXPECT_THAT(use(readings, "pattern", {{"variable", "x"}, {"by", "hour"}}).at("error"),
              "the times are dates: there are no hours");
}

TEST_F(Findings, CategoriesHaveTheirSharesOfAmountsAndMeansOfLevels) {
  const Readings readings = table("shop,sold,price\nN,30,2\nS,10,4\nN,20,2\nS,,5\n");
  EXPECT_EQ(
      said("shares", use(readings, "shares", {{"variable", "sold"}, {"by", "shop"}})),
      "sold by shop (60 in all): N 83.3 % (50), S 16.7 % (10; t.csv:3).\nsold by shop, on average "
      "of a reading: N 25 (2 readings, median 25), S 10 (1 reading, median 10; t.csv:3).\n");
  EXPECT_EQ(said("shares", use(readings, "shares", {{"variable", "price"}, {"by", "shop"}})),
            "price by shop, on average: S 4.5, N 2.\n");
  EXPECT_EQ(said("shares", use(readings, "shares", {{"by", "shop"}})),
            "the readings by shop (4 in all): N 50 % (2), S 50 % (2).\n");
}

TEST_F(Findings, ColumnsThatMoveTogetherAreNamed) {
  std::string text = "day,a,b,c\n";
  for (int i = 10; i < 22; ++i) {
    const int a = i * 5 % 12;
    text += "2025-01-" + std::to_string(i) + "," + std::to_string(a) + "," +
            std::to_string(100 - a * a) + "," + std::to_string(i * 7 % 5) + "\n";
  }
  EXPECT_EQ(said("related", use(table(text), "related", Json::object())),
            "The higher a, the lower b (rank correlation −1, 12 readings).\n");
}

TEST_F(Findings, OfColumnsThatRiseAllTheTimeTheChangesAreCompared) {
  std::string text = "day,people,homes,rain\n";
  for (int i = 10; i < 30; ++i) {
    const int people = 100 * i + i * 7 % 13;
    text += fmt::format("2025-01-{},{},{},{}\n", i, people, 2 * people, 50 * i + i * i % 17);
  }
  EXPECT_EQ(said("related", use(table(text), "related", Json::object())),
            "people and homes rise and fall together (rank correlation of their changes 1, 20 "
            "readings).\n");
}

TEST_F(Findings, FaultsOfTheDataHaveTheirLines) {
  std::string text = "day,sold,level\n";
  for (int i = 0; i < 40; ++i) {
    if (i == 5 || i == 6) continue;
    const std::string day = moment_text(parse_moment("2025-01-06")->moment + i * day_length, false);
    const std::string sold = i == 2 ? "" : i == 9 ? "-3" : std::to_string(20 + i % 11);
    const std::string level = std::to_string(i >= 20 && i < 30 ? 7 : i + 50);
    text += day + "," + sold + "," + level + "\n";
    if (i == 12) text += day + "," + sold + "," + level + "\n";
  }
  const std::string all = said("find_faults", use(table(text), "find_faults", Json::object()));
  EXPECT_THAT(
      all, HasSubstr("no reading between 2025-01-10 and 2025-01-13 (3 days): 2 days are missing"));
  EXPECT_THAT(all, HasSubstr("sold: below zero in 1 reading: t.csv:9 (2025-01-15): −3"));
  EXPECT_THAT(all, HasSubstr("sold: 1 missing value of 38: t.csv:4 (2025-01-08)"));
  EXPECT_THAT(all, HasSubstr("1 row is there twice: t.csv:13 (2025-01-18)"));
  EXPECT_THAT(all, HasSubstr("level: no change from 2025-01-26 to 2025-02-04, 7 for 10 readings"));
}

TEST_F(Findings, ClosedDaysAreNoGaps) {
  std::string text = "day,x\n";
  for (int i = 0; i < 42; ++i) {
    if (i % 7 == 6) continue;
    text += moment_text(parse_moment("2025-01-06")->moment + i * day_length, false) + "," +
            std::to_string(i % 4) + "\n";
  }
  const Json found = use(table(text), "find_faults", Json::object());
  EXPECT_TRUE(found.at("gaps").empty());
  EXPECT_EQ(found.at("closed"), Json{"Sunday"});
}

TEST_F(Findings, AWindowIsComparedWithAsManyDaysBefore) {
  const Json found = use(days({1, 2, 3, 10, 12, 20}, 3), "compare_before", {{"variable", "x"}});
  EXPECT_EQ(said("compare_before", found),
            "x: 14 kWh on average, against 2 kWh in the 3 days before (2025-01-06 to "
            "2025-01-08), +600 %.\n");
  EXPECT_THAT(use(days({1, 2, 3}), "compare_before", {{"variable", "x"}}).at("error"),
              "there are no readings before the window to compare with");
}

TEST_F(Findings, NumbersReadWell) {
  EXPECT_EQ(amount_text(1234567.891, "EUR"), "1,234,567.89 EUR");
  EXPECT_EQ(amount_text(1234.5, ""), "1234.5");
  EXPECT_EQ(amount_text(12345, ""), "12,345");
  EXPECT_EQ(amount_text(-0.5, "%"), "−0.5 %");
  EXPECT_EQ(amount_text(100, "kg"), "100 kg");
  EXPECT_EQ(amount_text(0, ""), "0");
  EXPECT_EQ(amount_text(0.012345, ""), "0.0123") << "a small figure is not nothing";
  EXPECT_EQ(amount_text(0.00001, ""), "1e-05");
  EXPECT_EQ(amount_text(-2e20, ""), "−2e+20");
  EXPECT_EQ(rounded(0.000123456), 0.0001235);
  EXPECT_EQ(rounded(-12.34567), -12.346);
  EXPECT_EQ(rounded(1e-17), 0);
}

TEST_F(Findings, WeekdaysThatUsuallyHaveReadingsAreMissedAndClosedOnesAreNot) {
  std::string text = "at,x\n";
  const Moment first = parse_moment("2025-01-06")->moment;  // a Monday
  for (int day = 0; day < 42; ++day) {
    if (day % 7 == 6 || (day >= 21 && day < 25)) continue;  // Sundays; a Monday to a Thursday
    for (int i = 0; i < 1 + day % 3; ++i) {
      text += fmt::format("{} {:02}:{:02},{}\n", moment_text(first + day * day_length, false),
                          9 + i, (7 * day + 13 * i) % 60, i);
    }
  }
  const Json faults = use(table(text), "find_faults", Json::object());
  EXPECT_EQ(faults.at("closed"), Json::array({"Sunday"}));
  ASSERT_EQ(faults.at("gaps").size(), 1U) << faults;
  EXPECT_EQ(faults.at("gaps").at(0).at("first"), "2025-01-27");
  EXPECT_EQ(faults.at("gaps").at(0).at("last"), "2025-01-30");
  EXPECT_THAT(
      said("find_faults", faults),
      HasSubstr("There is no reading from 2025-01-27 to 2025-01-30, on 4 days that usually"));
}

TEST_F(Findings, AKeyWithoutReadingsWhileOthersHaveSomeIsMissed) {
  std::string text = "at,gauge,x\n";
  const Moment first = parse_moment("2025-01-06")->moment;
  for (int i = 0; i < 80; ++i) {  // every six hours
    const std::string at = moment_text(first + i * day_length / 4, true);
    text += fmt::format("{},Upper,{}\n", at, i);
    const bool is_silent = (i >= 40 && i < 44) || i == 60;
    if (!is_silent) text += fmt::format("{},Lower,{}\n", at, 2 * i);
  }
  const Json faults = use(table(text), "find_faults", Json::object());
  ASSERT_EQ(faults.at("gaps").size(), 1U) << "a single reading is no gap: " << faults;
  EXPECT_THAT(said("find_faults", faults),
              HasSubstr("There is no reading of Lower between 2025-01-15 18:00 and "
                        "2025-01-17 00:00 (1.3 days): 4 readings are missing."));
}

TEST_F(Findings, AKeyThatHasReadingsOnlyNowAndThenHasNoGaps) {
  std::string text = "at,gauge,x\n";
  const Moment first = parse_moment("2025-01-06")->moment;
  for (int i = 0; i < 80; ++i) {  // every six hours
    const std::string at = moment_text(first + i * day_length / 4, true);
    text += fmt::format("{},Upper,{}\n", at, i);
    const bool is_read = i % 7 < 5 && (i < 21 || i >= 28);  // by hand
    if (is_read) text += fmt::format("{},Lower,{}\n", at, 2 * i);
  }
  EXPECT_EQ(use(table(text), "find_faults", Json::object()).at("gaps"), Json::array());
}

TEST_F(Findings, WhatIsReadInOneSeasonOnlyHasNoGapInTheOthers) {
  std::string text = "month,caught\n";
  for (int year = 2021; year < 2025; ++year) {
    for (int month = 4; month < 10; ++month) {
      if (year == 2023 && month == 6) continue;
      text += fmt::format("{}-{:02},{}\n", year, month, 10 * month + year % 3);
    }
  }
  const Json faults = use(table(text), "find_faults", Json::object());
  ASSERT_EQ(faults.at("gaps").size(), 1U) << faults;
  EXPECT_THAT(said("find_faults", faults),
              HasSubstr("no reading between 2023-05 and 2023-07 (61 days): 1 month is missing."));
}

TEST_F(Findings, RareValuesOneLetterFromACommonOneArePerhapsMisspelt) {
  std::string text = "day,kind,x\n";
  for (int i = 0; i < 60; ++i) {
    text += fmt::format("{},{},{}\n",
                        moment_text(parse_moment("2025-01-01")->moment + i * day_length, false),
                        i == 7    ? "Brocoli"
                        : i == 9  ? "broccoli"
                        : i == 11 ? "Cabbage"
                                  : "Broccoli",
                        i);
  }
  const Json faults = use(table(text), "find_faults", Json::object());
  EXPECT_THAT(said("find_faults", faults), HasSubstr("kind: 'Brocoli' (1 reading; t.csv:9) is "
                                                     "perhaps 'Broccoli'."));
  EXPECT_THAT(said("find_faults", faults), HasSubstr("'broccoli' (1 reading; t.csv:11)"));
  EXPECT_THAT(said("find_faults", faults), ::testing::Not(HasSubstr("Cabbage")));
}

TEST_F(Findings, ValuesMissingOnlyWhereACategorySaysSoAreNoFaultOfSingleRows) {
  std::string text = "day,state,wait\n";
  for (int i = 0; i < 60; ++i) {
    const bool came = i % 6 != 0;
    text += fmt::format("{},{},{}\n",
                        moment_text(parse_moment("2025-01-01")->moment + i * day_length, false),
                        came ? "came" : "stayed away", came ? "5" : "");
  }
  text += "";
  const Json faults = use(table(text + "2025-03-02,came,6\n"), "find_faults", Json::object());
  EXPECT_THAT(said("find_faults", faults),
              HasSubstr("wait: 10 missing values of 61, only where state is stayed away."));
}

TEST_F(Findings, HowOftenCountsReadingsOrDaysBeyondALimit) {
  const Readings readings = days({1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  const Json below = use(readings, "how_often", {{"variable", "x"}, {"below", 3}});
  EXPECT_EQ(below.at("count"), 2);
  EXPECT_EQ(below.at("share"), 20);
  EXPECT_EQ(below.at("places").at(0).at("value"), 1) << "the furthest first";
  EXPECT_EQ(use(readings, "how_often", {{"variable", "x"}, {"at_most", 3}}).at("count"), 3);
  EXPECT_EQ(use(readings, "how_often", {{"variable", "x"}, {"at_least", 10}}).at("count"), 1);
  const Json none = use(readings, "how_often", {{"variable", "x"}, {"above", 10}});
  EXPECT_EQ(none.at("count"), 0);
  EXPECT_EQ(none.at("nearest").at("value"), 10);
  EXPECT_THAT(use(readings, "how_often", {{"variable", "x"}}).at("error").get<std::string>(),
              HasSubstr("one of below, above, at_most and at_least"));
}

TEST_F(Findings, PeriodsAreComparedByTheirSumsAndMeans) {
  std::vector<double> values(25, 2);
  values.insert(values.end(), 20, 5);  // from 2025-01-31 on
  const Json result =
      use(days(values), "compare_periods",
          {{"variable", "x"}, {"first", "2025-01-06/2025-01-30"}, {"second", "2025-02"}});
  EXPECT_EQ(result.at("first").at("sum"), 50);
  EXPECT_EQ(result.at("first").at("days"), 25);
  EXPECT_EQ(result.at("second").at("mean"), 5);
  EXPECT_EQ(result.at("second").at("sum"), 95);
}

TEST_F(Findings, OfTwoColumnsThatAreNamedOneMayBeAPartOfTheOther) {
  std::string text = "day,sold,sold online,degrees\n";
  for (int i = 10; i < 25; ++i) text += fmt::format("2025-01-{},{},{},{}\n", i, i, i - 6, 30 - i);
  const Readings readings = table(text);
  const Json result = use(readings, "related", {{"variable", "sold online"}, {"with", "sold"}});
  EXPECT_EQ(result.at("part_of").at("part_sum"), 165);
  EXPECT_THAT(said("related", result), HasSubstr("sold online: 64.7 % of sold (165 of 255)."));
  EXPECT_FALSE(
      use(readings, "related", {{"variable", "sold"}, {"with", "degrees"}}).contains("part_of"))
      << "each is greater now and then";
}

TEST_F(Findings, HowOftenTellsTheFirstTheLastTheLongestRunAndEachValuesPart) {
  std::vector<double> values(20, 1);
  for (const std::size_t at : {2U, 5U, 6U, 7U, 15U}) values[at] = 9;
  const Json run = use(days(values), "how_often", {{"variable", "x"}, {"above", 5}});
  EXPECT_EQ(run.at("first").at("date"), "2025-01-08");
  EXPECT_EQ(run.at("last").at("date"), "2025-01-21");
  EXPECT_EQ(run.at("longest_run"),
            (Json{{"count", 3}, {"from", "2025-01-11"}, {"to", "2025-01-13"}}));
  std::string text = "day,pen,eggs\n";
  for (int day = 1; day < 10; ++day) {
    text += fmt::format("2025-01-0{},A,{}\n2025-01-0{},B,7\n", day, day, day);
  }
  const Json by =
      use(table(text), "how_often", {{"variable", "eggs"}, {"above", 6}, {"by", "pen"}});
  EXPECT_EQ(
      by.at("groups").at(0),
      (Json{{"name", "B"}, {"count", 9}, {"of", 9}, {"share", 100.0}, {"lines", "t.csv:3…19"}}));
  EXPECT_FALSE(by.contains("longest_run")) << "two pens are no row";
  EXPECT_THAT(said("how_often", by), HasSubstr("by pen: B 9 of 9 (100 %), A 3 of 9 (33.3 %)"));
}

TEST_F(Findings, TwoColumnsAreComparedOverWhatHasBoth) {
  const Readings readings = table(
      "day,site,used (kWh),made (kWh)\n2025-01-01,A,6,4\n2025-01-02,A,9,\n"
      "2025-01-03,B,8,16\n");
  const Json both =
      use(readings, "compare_columns", {{"variable", "used"}, {"with", "made"}, {"by", "site"}});
  EXPECT_EQ(both.at("a"), 14);
  EXPECT_EQ(both.at("difference"), -6);
  EXPECT_EQ(both.at("ratio"), 0.7);
  EXPECT_EQ(both.at("groups").at(0), (Json{{"name", "A"}, {"ratio", 1.5}, {"lines", "t.csv:2"}}));
  EXPECT_THAT(said("compare_columns", both),
              HasSubstr("used 14 kWh against made 20 kWh; 6 kWh less"));
}

TEST_F(Findings, WhatIsBelowZeroHasSumsAndNoShares) {
  const Readings readings = table(
      "day,kind,net\n2025-01-01,in,90\n2025-01-02,out,-60\n2025-01-03,in,10\n"
      "2025-01-04,out,-5\n");
  Readings amounts = readings;
  for (Column& one : amounts.table.columns) one.is_amount = true;
  const Json shares = use(amounts, "shares", {{"variable", "net"}, {"by", "kind"}});
  EXPECT_FALSE(shares.at("groups").at(0).contains("share"));
  EXPECT_THAT(said("shares", shares), HasSubstr("in 100, out −65"));
}

TEST_F(Findings, TwoValuesAreSetAgainstEachOther) {
  const Readings readings =
      table("day,shop,sales\n2025-01-01,A,60\n2025-01-01,B,30\n2025-01-02,C,10\n");
  const Json shares =
      use(readings, "shares",
          {{"variable", "sales"}, {"by", "shop"}, {"compared", {{"first", "A"}, {"second", "B"}}}});
  EXPECT_THAT(
      said("shares", shares),
      HasSubstr("sales: A 60 in all (t.csv:2), B 30 (t.csv:3); A has 30 more, twice as much."));
}

TEST_F(Findings, DaysWithAShorterTimetableCountAndHaveNoGaps) {
  std::string text = "time,riders\n";
  for (int day = 6; day < 27; ++day) {
    for (const int hour : {7, 8, 9, 16, 17, 18}) {
      if ((day - 6) % 7 > 4 && hour < 16) continue;  // not on the mornings of weekends
      text += fmt::format("2025-01-{:02} {:02}:00,10\n", day, hour);
    }
  }
  const Readings readings = table(text);
  const Json all = use(readings, "statistics", {{"variable", "riders"}});
  EXPECT_EQ(all.at("sum"), 1080);
  EXPECT_EQ(all.at("days"), 21);
  EXPECT_EQ(use(readings, "find_faults", Json::object()).at("gaps"), Json::array());
}

TEST_F(Findings, WeeksBeginOnMondays) {
  const Json result =
      use(days(std::vector<double>(21, 2)), "pattern", {{"variable", "x"}, {"by", "week"}});
  ASSERT_EQ(result.at("groups").size(), 3U);
  EXPECT_EQ(result.at("groups").at(1).at("name"), "2025-01-13");
  EXPECT_EQ(result.at("groups").at(1).at("sum"), 14);
}

TEST(Bounds, AreTheFirstNumberBehindAWordForALimit) {
  EXPECT_EQ(bound_in("How often was it below 0.3 mg/l?"), (Bound{"below", 0.3, false}));
  EXPECT_EQ(bound_in("On how many days did we take more than €1,200?"),
            (Bound{"above", 1200, true}));
  EXPECT_EQ(bound_in("no more than 7,5 please"), (Bound{"at_most", 7.5, false}));
  EXPECT_EQ(bound_in("was it ever below zero"), (Bound{"below", 0, false}));
  EXPECT_EQ(bound_in("What happened in 2024?"), std::nullopt);
}

TEST_F(Findings, AQuestionWithADateComparesWhatWasBeforeWithWhatIsSince) {
  const Json catalogue = insights::catalogue(days(std::vector<double>(60, 1)));
  const Interest about = interest_of("Is x higher since 1 February?", catalogue);
  ASSERT_TRUE(about.periods);
  EXPECT_EQ(about.periods->first, "2025-01-06/2025-01-31");
  EXPECT_EQ(about.periods->second, "2025-02-01/2025-03-06");
  EXPECT_FALSE(interest_of("What happened on 1 February?", catalogue).periods);
  const Interest since = interest_of("Is x higher since February?", catalogue);
  ASSERT_TRUE(since.periods);
  EXPECT_EQ(since.periods->second, "2025-02-01/2025-03-06");
  EXPECT_EQ(since.from, "") << "not February alone";
  EXPECT_EQ(interest_of("How did x go since January?", catalogue).from, "") << "all there is";
  EXPECT_EQ(interest_of("How did x go in January?", catalogue).from, "2025-01");
}

}  // namespace
}  // namespace insights::testing
