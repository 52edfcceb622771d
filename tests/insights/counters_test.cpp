// Meters that rise: what counts is their use between readings.
#include <fmt/format.h>

#include "insights/insights_run.hpp"

namespace insights::testing {
namespace {

using resumable::test::write_file;
using ::testing::HasSubstr;
using ::testing::Not;

class Counters : public ::testing::Test {
 protected:
  /// Readings of the days from 2025-01-01 on, 8 kWh a day from 4000; `values` has others.
  [[nodiscard]] static std::string days(const std::map<int, std::string>& values, int count = 70) {
    std::string text = "day,meter (kWh)\n";
    for (int i = 0; i < count; ++i) {
      const std::string value = values.contains(i) ? values.at(i) : std::to_string(4000 + 8 * i);
      if (!value.empty()) text += day(i) + "," + value + "\n";
    }
    return text;
  }
  [[nodiscard]] static std::string day(int i) {
    return moment_text(parse_moment("2025-01-01")->moment + i * day_length, false);
  }
  [[nodiscard]] Readings load(const std::string& text) const {
    write_file(folder / "t.csv", text);
    return load_readings(folder.path(), "t", 10'000);
  }
  static Json use(const Readings& readings, const char* tool, const Json& arguments) {
    return Json::parse(use_tool(tool, arguments.dump(), readings));
  }
  static std::string problems(const Readings& readings) {
    std::string all;
    for (const std::string& one : readings.table.problems) all += one + "\n";
    return all;
  }
  static Json by_month(const Readings& readings, const std::string& variable) {
    return use(readings, "compute", {{"measures", {variable}}, {"figure", "sum"}, {"by", "month"}})
        .at("groups");
  }

  resumable::test::TempFolder folder;
};

TEST_F(Counters, BecomeTheUseBetweenTheirReadings) {
  const Readings readings = load(days({}));
  ASSERT_NE(readings.table.find("use of meter"), nullptr);
  const Json figures = use(readings, "statistics", {{"variable", "use of meter"}});
  EXPECT_EQ(figures.at("sum"), 69 * 8);
  EXPECT_EQ(figures.at("mean"), 8);
  EXPECT_EQ(by_month(readings, "use of meter").at(1).at("value"), 28 * 8);
}

TEST_F(Counters, GiveALongUseToTheDaysBetween) {
  std::map<int, std::string> unread;
  for (int i = 25; i < 45; ++i) unread[i] = "";
  const Readings readings = load(days(unread));
  const Json months = by_month(readings, "use of meter");
  EXPECT_EQ(months.at(0).at("value"), 31 * 8);
  EXPECT_EQ(months.at(1).at("value"), 28 * 8);
  EXPECT_EQ(months.at(1).at("days"), 28);
  const Json days = use(readings, "statistics", {{"variable", "use of meter"}});
  EXPECT_EQ(days.at("max"), 8) << "no day has the use of twenty";
  const Json january = use(readings, "compute",
                           {{"measures", {"use of meter"}},
                            {"figure", "mean"},
                            {"from", "2025-01-01"},
                            {"to", "2025-01-31"}});
  EXPECT_EQ(january.at("all").at("value"), 31 * 8) << "of the reading in February a part";
}

TEST_F(Counters, StandAtTheEndOfAMonthWhereTheyAreReadThen) {
  std::string text = "day,meter (kWh)\n";
  for (int month = 0; month < 24; ++month) {
    const Moment next =
        parse_moment(fmt::format("{}-{:02}-01", 2023 + (month + 1) / 12, (month + 1) % 12 + 1))
            ->moment;
    text += fmt::format("{},{}\n", moment_text(next - day_length, false), 90000 + 100 * month);
  }
  const Json months = by_month(load(text), "use of meter");
  ASSERT_EQ(months.size(), 23U) << months;
  EXPECT_EQ(months.at(0).at("name"), "February 2023");
  EXPECT_EQ(months.at(0).at("value"), 100);
}

TEST_F(Counters, BeginAnewWhereTheyFall) {
  std::map<int, std::string> values;
  for (int i = 30; i < 70; ++i) values[i] = std::to_string(8 * (i - 29));
  const Readings near_zero = load(days(values));
  EXPECT_EQ(use(near_zero, "statistics", {{"variable", "use of meter"}}).at("sum"), 69 * 8);
  EXPECT_THAT(problems(near_zero),
              HasSubstr("t.csv:32: meter falls from 4232 kWh (2025-01-30) to 8 kWh (2025-01-31): "
                        "it was changed or set back, and counts from zero"));
  for (int i = 30; i < 70; ++i) values[i] = std::to_string(1000 + 8 * i);
  const Readings other = load(days(values));
  EXPECT_EQ(use(other, "statistics", {{"variable", "use of meter"}}).at("sum"), 68 * 8);
  EXPECT_THAT(problems(other), HasSubstr("what was used in between is not known"));
}

TEST_F(Counters, AreWithoutWhatWasMisread) {
  const Readings readings = load(days({{20, "4610"}, {40, "3420"}}));
  EXPECT_EQ(use(readings, "statistics", {{"variable", "use of meter"}}).at("sum"), 69 * 8);
  EXPECT_EQ(use(readings, "statistics", {{"variable", "use of meter"}}).at("max"), 8);
  EXPECT_THAT(problems(readings),
              HasSubstr("t.csv:22: meter 4610 kWh (2025-01-21) does not fit the readings before "
                        "and after it, and is left out"));
  EXPECT_THAT(problems(readings), HasSubstr("t.csv:42: meter 3420 kWh"));
  EXPECT_THAT(problems(readings), Not(HasSubstr("set back")));
}

TEST_F(Counters, RiseWithinTheirKey) {
  std::string text = "day,van,odometer\n";
  for (int i = 0; i < 30; ++i) {
    text +=
        fmt::format("{},A,{}\n{},B,{}\n", day(i), 52000 + 40 * i + i % 3, day(i), 9000 + 20 * i);
  }
  const Readings readings = load(text);
  const Json vans = use(readings, "compute",
                        {{"measures", {"use of odometer"}}, {"figure", "sum"}, {"by", "van"}});
  EXPECT_EQ(vans.at("groups").at(0).at("value"), 29 * 40 + 2);
  EXPECT_EQ(vans.at("groups").at(1).at("value"), 29 * 20);
}

TEST_F(Counters, AreNotPricesLevelsAndWhatGrows) {
  for (const char* header : {"price (EUR)", "height (cm)", "members", "water level (m)"}) {
    std::string text = fmt::format("day,{}\n", header);
    for (int i = 0; i < 70; ++i) text += fmt::format("{},{}\n", day(i), 4000 + 8.5 * i);
    for (const Column& column : load(text).table.columns)
      EXPECT_TRUE(column.spans.empty()) << header;
  }
  EXPECT_EQ(load(days({{10, "2000"}, {30, "100"}, {40, "4"}, {50, "7"}, {60, "9"}, {63, "8"}}))
                .table.find("use of meter"),
            nullptr)
      << "it falls too often";
}

}  // namespace
}  // namespace insights::testing
