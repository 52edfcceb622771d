// Readings that cannot be right: which they are, and that no figure has them.
#include <fmt/format.h>

#include "insights/insights_run.hpp"
#include "insights/sentences.hpp"

namespace insights::testing {
namespace {

using resumable::test::write_file;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Optional;

class Mistakes : public ::testing::Test {
 protected:
  Readings load(const std::string& text) const {
    write_file(folder / "t.csv", text);
    return load_readings(folder.path(), "t", 10'000);
  }
  /// A row a day; 20 + i % 5 unless `values` has another for that day.
  Readings days(const std::string& column, const std::map<int, std::string>& values) const {
    std::string text = "day," + column + "\n";
    const Moment first = parse_moment("2025-01-06")->moment;
    for (int i = 0; i < 60; ++i) {
      text += fmt::format("{},{}\n", moment_text(first + i * day_length, false),
                          values.contains(i) ? values.at(i) : std::to_string(20 + i % 5));
    }
    return load(text);
  }
  static Json use(const Readings& readings, const char* tool, const Json& arguments) {
    return Json::parse(use_tool(tool, arguments.dump(), readings));
  }
  static std::string said(const Readings& readings, const char* tool, const Json& arguments) {
    std::string all;
    for (const Finding& one : findings_of(tool, use(readings, tool, arguments)))
      all += one.text + "\n";
    return all;
  }
  static std::vector<double> aside(const Readings& readings) {
    std::vector<double> all;
    for (const Column& column : readings.table.columns) {
      for (const auto& one : column.set_aside) {
        if (one) all.push_back(*one);
      }
    }
    return all;
  }

  resumable::test::TempFolder folder;
};

TEST_F(Mistakes, AreInNoFigureAndAreTold) {
  const Readings readings = days("sold (kg)", {{7, "2200"}});
  const Json figures = use(readings, "statistics", {{"variable", "sold"}});
  EXPECT_EQ(figures.at("max"), 24);
  EXPECT_EQ(figures.at("sum"), 12 * (20 + 21 + 22 + 23 + 24) - 22);
  EXPECT_THAT(said(readings, "statistics", {{"variable", "sold"}}),
              HasSubstr("59 readings without 1 mistake (with it: 3498 kg)"));
  const std::string faults = said(readings, "find_faults", Json::object());
  EXPECT_THAT(faults, HasSubstr("sold: 2200 kg at t.csv:9 (2025-01-13) is taken for a mistake and "
                                "left out of the figures; all others are from 20 kg to 24 kg, half "
                                "of them 22 kg or more."));
  EXPECT_THAT(faults, Not(HasSubstr("missing"))) << "the cell is filled";
}

TEST_F(Mistakes, AreMarksOfMissingValues) {
  const Readings readings =
      days("depth (m)", {{20, "-99.9"}, {21, "-99.9"}, {22, "-99.9"}, {40, "999"}});
  EXPECT_THAT(aside(readings), ElementsAre(-99.9, -99.9, -99.9, 999));
  EXPECT_DOUBLE_EQ(use(readings, "statistics", {{"variable", "depth"}}).at("min").get<double>(),
                   20);
  EXPECT_THAT(aside(days("items sold", {{20, "99"}})), IsEmpty()) << "so many may be sold";
}

TEST_F(Mistakes, AreNotWhatReallyHappened) {
  EXPECT_THAT(aside(days("sold", {{7, "140"}})), IsEmpty()) << "a day with a large sale";
  EXPECT_THAT(aside(days("level", {{7, "2200"}, {8, "2300"}, {9, "2100"}})), IsEmpty())
      << "it stays so";
  std::map<int, std::string> rain;
  for (int i = 0; i < 60; ++i) rain[i] = i % 6 == 0 ? std::to_string(i % 7 + 1) : "0";
  rain[30] = "310";
  EXPECT_THAT(aside(days("rain", rain)), IsEmpty()) << "a storm";
}

TEST_F(Mistakes, OfOneThingAreFarFromItsOwnReadings) {
  std::string text = "day,shop,sold\n";
  const Moment first = parse_moment("2025-01-06")->moment;
  for (int i = 0; i < 40; ++i) {
    const std::string day = moment_text(first + i * day_length, false);
    text += fmt::format("{0},N,{1}\n{0},S,{2}\n", day, 500 + i % 5, i == 9 ? 520 : 50 + i % 5);
  }
  EXPECT_THAT(aside(load(text)), ElementsAre(520));
}

TEST_F(Mistakes, RowsThatAreThereTwiceCountOnce) {
  std::string text = "day,shop,sold\n";
  const Moment first = parse_moment("2025-01-06")->moment;
  for (int i = 0; i < 40; ++i) {
    const std::string row = fmt::format("{},N,{}\n", moment_text(first + i * day_length, false), i);
    text += row;
    if (i == 9) text += row;
  }
  const Readings readings = load(text + "2025-03-01,S,5\n");
  EXPECT_EQ(readings.table.rows(), 41U);
  EXPECT_EQ(use(readings, "statistics", {{"variable", "sold"}}).at("sum"), 39 * 40 / 2 + 5);
  EXPECT_THAT(said(readings, "find_faults", Json::object()),
              HasSubstr("1 row is there twice: t.csv:12 (2025-01-15); it counts once."));
  EXPECT_EQ(Json(readings).get<Readings>(), readings);
}

TEST_F(Mistakes, RowsThatDifferInACodeAreNotThereTwice) {
  std::string text = "day,invoice,paid\n";
  const Moment first = parse_moment("2025-01-06")->moment;
  for (int i = 0; i < 60; ++i) {
    const std::string day = moment_text(first + i * day_length, false);
    text += fmt::format("{},V{},{} €\n", day, 300 + i % 50, 5 * i % 13);
    if (i == 9) text += fmt::format("{},V200,{} €\n", day, 5 * i % 13);
  }
  const Readings readings = load(text);
  EXPECT_EQ(readings.table.rows(), 61U);
  EXPECT_THAT(readings.table.again, IsEmpty());
}

TEST_F(Mistakes, OfARowsDatesLeaveOutAllOfItsTimes) {
  const Readings readings = load(
      "Called,Came,Left,n\n"
      "2025-01-01 08:00,2025-01-01 09:00,2025-01-01 10:00,1\n"
      "2025-01-02 08:00,2025-01-01 20:00,2025-01-02 10:00,2\n"
      "2025-01-03 08:00,2025-01-03 08:30,2025-01-03 09:30,3\n");
  EXPECT_THAT(readings.table.find("time from Came to Left")->numbers,
              ElementsAre(Optional(60.0), std::nullopt, Optional(60.0)));
  EXPECT_THAT(readings.table.problems,
              ElementsAre("t.csv:3: Came (2025-01-01 20:00) is before Called (2025-01-02 08:00); "
                          "all times of such a row are left out"));
}

}  // namespace
}  // namespace insights::testing
