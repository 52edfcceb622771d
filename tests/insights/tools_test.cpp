// Each tool against figures that were computed by other means (Python's statistics module).
#include "insights/tools.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "insights/figures.hpp"
#include "insights/insights_run.hpp"

namespace insights::testing {
namespace {

using ::testing::DoubleNear;
using ::testing::HasSubstr;

Json use(const char* tool, const Json& arguments, const Readings& readings = december()) {
  return Json::parse(use_tool(tool, arguments.dump(), readings));
}

void expect_numbers(const Json& result, const std::map<std::string, double>& numbers) {
  for (const auto& [name, value] : numbers) {
    ASSERT_TRUE(result.contains(name)) << name << " in " << result;
    EXPECT_THAT(result.at(name).get<double>(), DoubleNear(value, 0.0011)) << name;
  }
}

TEST(Figures, OfThreeNumbersAreThoseOfAPencil) {
  const std::vector<double> y{1, 2, 6};
  const std::vector<double> x{0, 1, 2};
  EXPECT_DOUBLE_EQ(mean(y), 3);
  EXPECT_DOUBLE_EQ(deviation(y), std::sqrt(7.0));
  EXPECT_DOUBLE_EQ(quantile(y, 0.5), 2);
  EXPECT_DOUBLE_EQ(quantile(y, 0.75), 4);
  EXPECT_DOUBLE_EQ(quantile(y, 1), 6);
  const Line line = fit(x, y);
  EXPECT_DOUBLE_EQ(line.slope, 2.5);
  EXPECT_DOUBLE_EQ(line.intercept, 0.5);
  EXPECT_DOUBLE_EQ(line.r2, 12.5 / 14.0);
  EXPECT_DOUBLE_EQ(deviation(std::vector<double>{4}), 0);
  EXPECT_DOUBLE_EQ(fit(x, std::vector<double>{2, 2, 2}).r2, 0) << "nothing to explain";
}

TEST(Readings, AreTheWindowBackFromTheLastOne) {
  const Readings readings = december();
  const auto first = static_cast<std::size_t>(readings.table.first);
  EXPECT_EQ(readings.table.rows() - first, 31U);
  EXPECT_EQ(readings.table.when(first), "2015-12-01");
  EXPECT_EQ(readings.table.when(readings.table.rows() - 1), "2015-12-31");
  EXPECT_EQ(readings.table.rows(), 1461U) << "the days before are history";
  ASSERT_EQ(readings.usual.size(), 2U);
  EXPECT_EQ(readings.usual.front().by_day.size(), 31U);
  EXPECT_EQ(load_readings(data_folder(), "Seattle", 100'000).table.first, 0);
  const Readings one = load_readings(data_folder(), "New York", 1);
  EXPECT_EQ(static_cast<std::int64_t>(one.table.rows()) - one.table.first, 1);
  EXPECT_TRUE(one.usual.empty());
}

TEST(Readings, OfAnUnknownStationNameThoseThatThereAre) {
  try {
    static_cast<void>(load_readings(data_folder(), "../Seattle", 7));
    FAIL();
  } catch (const ReadingsError& error) {
    EXPECT_THAT(error.what(), HasSubstr("New York, Seattle"));
  }
}

TEST(Tools, QueryWindowGivesTheReadings) {
  const Json result = use("query_window", {{"from", "2015-12-07"}, {"to", "2015-12-09"}});
  EXPECT_EQ(result.at("readings"), 3);
  EXPECT_EQ(result.at("rows").at(1).at("date"), "2015-12-08");
  EXPECT_EQ(result.at("rows").at(1).at("precipitation"), 54.1);
  EXPECT_FALSE(result.contains("not_shown"));
  const Json all = use("query_window", Json::object(), load_readings(data_folder(), "Seattle", 40));
  EXPECT_EQ(all.at("rows").size(), 31U);
  EXPECT_EQ(all.at("not_shown"), 9);
}

TEST(Tools, StatisticsAreThoseOfTheMonth) {
  const Json rain = use("statistics", {{"variable", "precipitation"}});
  expect_numbers(rain, {{"readings", 31},
                        {"mean", 9.177},
                        {"median", 4.6},
                        {"deviation", 11.639},
                        {"p10", 0},
                        {"p90", 21.8},
                        {"sum", 284.5},
                        {"min", 0},
                        {"max", 54.1}});
  EXPECT_EQ(rain.at("min_date"), "2015-12-14");
  EXPECT_EQ(rain.at("max_date"), "2015-12-08");
  expect_numbers(use("statistics", {{"variable", "temp_max"}}),
                 {{"mean", 8.381}, {"median", 7.8}, {"deviation", 3.077}, {"max", 15.6}});
}

TEST(Tools, TrendIsTheLeastSquaresLine) {
  expect_numbers(use("trend", {{"variable", "temp_max"}}),
                 {{"per_day", -0.277}, {"change", -8.303}, {"r2", 0.669}});
  expect_numbers(use("trend", {{"variable", "wind"}}),
                 {{"per_day", -0.070}, {"change", -2.112}, {"r2", 0.133}});
}

TEST(Tools, CompareNormalsTakesTheMeanOfTheHours) {
  const Json warm = use("compare_normals", {{"variable", "temp_mean"}});
  expect_numbers(warm, {{"mean_difference", 1.363}, {"days_above", 20}, {"without_normal", 0}});
  EXPECT_EQ(warm.at("highest").at("date"), "2015-12-08");
  expect_numbers(warm.at("highest"), {{"value", 12.8}, {"normal", 5.292}, {"difference", 7.508}});
  expect_numbers(warm.at("lowest"), {{"difference", -2.829}});
  const Json wind = use("compare_normals", {{"variable", "wind"}});
  expect_numbers(wind, {{"mean_difference", 0.461}, {"days_above", 18}});
  EXPECT_EQ(wind.at("lowest").at("date"), "2015-12-28");
}

TEST(Tools, CompareNormalsLeavesOutDaysThatHaveNone) {
  const Readings all = load_readings(data_folder(), "Seattle", 100'000);
  const Json result = use(
      "compare_normals", {{"variable", "wind"}, {"from", "2012-02-28"}, {"to", "2012-03-01"}}, all);
  EXPECT_EQ(result.at("readings"), 3);
  EXPECT_EQ(result.at("without_normal"), 1) << "there is no 29 February in the normals";
  EXPECT_THAT(use("compare_normals",
                  {{"variable", "wind"}, {"from", "2012-02-29"}, {"to", "2012-02-29"}}, all)
                  .at("error")
                  .get<std::string>(),
              HasSubstr("no normals of these days"));
}

TEST(Tools, FindUnusualByDeviationsAndByPercentile) {
  const Json warm = use("find_unusual", {{"variable", "temp_max"}});
  EXPECT_EQ(warm.at("found"), 2);
  EXPECT_EQ(warm.at("unusual").at(0).at("date"), "2015-12-03");
  EXPECT_EQ(warm.at("unusual").at(1).at("date"), "2015-12-08");
  expect_numbers(warm.at("unusual").at(0), {{"value", 15.6}, {"z", 2.347}});
  EXPECT_EQ(use("find_unusual", {{"variable", "wind"}}).at("found"), 0);
  const Json windy =
      use("find_unusual", {{"variable", "wind"}, {"method", "percentile"}, {"threshold", 95}});
  EXPECT_EQ(windy.at("found"), 2);
  EXPECT_EQ(windy.at("unusual").at(0).at("date"), "2015-12-23");
  const Json above =
      use("find_unusual", {{"variable", "wind"}, {"method", "percentile"}, {"threshold", 100}});
  EXPECT_EQ(above.at("found"), 0) << "nothing is above the most";
}

TEST(Tools, TellTheModelWhatTheyCannotDo) {
  const auto error = [](const char* tool, const std::string& arguments) {
    return Json::parse(use_tool(tool, arguments, december())).value("error", std::string{"none"});
  };
  EXPECT_THAT(error("delete", "{}"), HasSubstr("no tool 'delete'"));
  EXPECT_THAT(error("trend", "[1]"), HasSubstr("not a JSON object"));
  EXPECT_THAT(error("trend", "{\"variable\":"), HasSubstr("not JSON"));
  EXPECT_THAT(error("trend", "{}"), HasSubstr("'variable' is one of"));
  EXPECT_THAT(error("trend", R"({"variable":"snow"})"), HasSubstr("'variable' is one of"));
  EXPECT_THAT(error("trend", R"({"variable":7})"), HasSubstr("not a text"));
  EXPECT_THAT(error("trend", R"({"variable":"wind","form":"x"})"), HasSubstr("no argument 'form'"));
  EXPECT_THAT(error("trend", R"({"variable":"wind","from":"2015-02-30"})"),
              HasSubstr("not a date"));
  EXPECT_THAT(error("trend", R"({"variable":"wind","from":"2014-01-01","to":"2014-02-01"})"),
              HasSubstr("the window is 2015-12-01 to 2015-12-31"));
  EXPECT_THAT(error("trend", R"({"variable":"wind","from":"2015-12-30"})"), HasSubstr("3 days"));
  EXPECT_THAT(error("find_unusual", R"({"variable":"wind","threshold":-1})"),
              HasSubstr("not a number from 0.5 to 10"));
  EXPECT_THAT(error("find_unusual", R"({"variable":"wind","method":"magic"})"),
              HasSubstr("method"));
  EXPECT_THAT(error("compare_normals", R"({"variable":"precipitation"})"), HasSubstr("temp_mean"));
  const Readings york = load_readings(data_folder(), "New York", 31);
  EXPECT_EQ(Json::parse(use_tool("compare_normals", R"({"variable":"wind"})", york)).at("error"),
            "there are no normals of 'New York'");
}

TEST(Tools, GiveFiguresForAWindowOfOneDay) {
  const Readings one = load_readings(data_folder(), "Seattle", 1);
  expect_numbers(use("statistics", {{"variable", "wind"}}, one),
                 {{"readings", 1}, {"mean", 3.5}, {"deviation", 0}, {"p90", 3.5}});
  EXPECT_EQ(use("find_unusual", {{"variable", "wind"}}, one).at("found"), 0);
}

}  // namespace
}  // namespace insights::testing
