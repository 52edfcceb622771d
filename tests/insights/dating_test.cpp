// Times that tables do not write as dates, and the dates that are made of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "insights/insights_run.hpp"
#include "insights/moments.hpp"

namespace insights::testing {
namespace {

using resumable::test::write_file;
using ::testing::ElementsAre;

class Dating : public ::testing::Test {
 protected:
  /// The times of the rows as text.
  std::vector<std::string> times(const std::string& text) const {
    write_file(folder / "t.csv", text);
    const Readings readings = load_readings(folder.path(), "t", 36'500);
    std::vector<std::string> all;
    for (std::size_t row = 0; row < readings.table.rows(); ++row) {
      all.push_back(readings.table.when(row));
    }
    return all;
  }

  resumable::test::TempFolder folder;
};

TEST_F(Dating, PartsOfADateInColumnsOfTheirOwnMakeOne) {
  EXPECT_THAT(times("site,year,month,day,level\nA,2024,12,31,7\nA,2025,1,2,8\n"),
              ElementsAre("2024-12-31", "2025-01-02"));
  EXPECT_THAT(times("Year,Month,Level\n2024,Nov,7\n2024,December,8\n"),
              ElementsAre("2024-11-01", "2024-12-01"));
  EXPECT_THAT(times("YEAR,Quarter,GDP\n1972,4,0.1\n1973,1,0.2\n"),
              ElementsAre("1972-10-01", "1973-01-01"));
  EXPECT_THAT(times("year,week no,cases\n2024,1,10\n2024,2,20\n"),
              ElementsAre("2024-01-01", "2024-01-08"));
  EXPECT_THAT(times("level,hour,day,month,year\n1.5,23,31,12,2024\n2.5,0,1,1,2025\n"),
              ElementsAre("2024-12-31 23:00", "2025-01-01 00:00"));
}

TEST_F(Dating, ATableWithDatesKeepsWhatElseIsCalledAMonth) {
  write_file(folder / "t.csv", "date,year,month,level\n2025-03-01,2019,4,1\n2025-03-02,2020,5,2\n");
  const Readings readings = load_readings(folder.path(), "t", 1000);
  EXPECT_EQ(readings.table.time, "date");
  EXPECT_NE(readings.table.find("month"), nullptr);
}

TEST_F(Dating, NumbersWithoutMarksAreDatesWhereTheyCanBe) {
  EXPECT_THAT(times("date,co2\n19580329,316.1\n19580405,317.3\n"),
              ElementsAre("1958-03-29", "1958-04-05"));
  EXPECT_THAT(times("t,v\n20250131T1345,1\n20250131T134600Z,2\n"),
              ElementsAre("2025-01-31 13:45", "2025-01-31 13:46"));
  EXPECT_THAT(times("month,v\n202411,1\n202412,2\n"), ElementsAre("2024-11-01", "2024-12-01"));
  write_file(folder / "t.csv", "part,v\n202411,1\n202412,2\n202513,3\n");
  EXPECT_TRUE(load_readings(folder.path(), "t", 1000).table.moments.empty());
}

TEST_F(Dating, SecondsSince1970AreTimesWhereTheHeaderSaysSo) {
  EXPECT_THAT(times("timestamp,v\n1735689600,1\n1735693200.5,2\n"),
              ElementsAre("2025-01-01 00:00", "2025-01-01 01:00"));
  EXPECT_THAT(times("created,v\n1735689600000,1\n1735693200000,2\n"),
              ElementsAre("2025-01-01 00:00", "2025-01-01 01:00"));
  write_file(folder / "t.csv", "account,v\n1735689600,1\n1735693200,2\n");
  EXPECT_TRUE(load_readings(folder.path(), "t", 1000).table.moments.empty());
}

TEST_F(Dating, MonthsAsColumnsBelongToTheYearOfTheirRow) {
  EXPECT_THAT(times("YEAR,JAN,FEB,MAR\n1950,23.1,24.2,25.3\n1951,24.1,25.2,25.6\n"),
              ElementsAre("1950-01", "1950-02", "1950-03", "1951-01", "1951-02", "1951-03"));
}

TEST_F(Dating, LatitudesAndLongitudesAreNoFigures) {
  write_file(folder / "t.csv", "date,lat,Longitude,depth\n2025-03-01,47.1,15.2,3\n");
  const Readings readings = load_readings(folder.path(), "t", 1000);
  EXPECT_EQ(readings.table.find("lat"), nullptr);
  EXPECT_EQ(readings.table.find("Longitude"), nullptr);
  EXPECT_NE(readings.table.find("depth"), nullptr);
}

TEST(Moments, AreReadAsSpreadsheetsWriteMonthsAndQuarters) {
  const auto day = [](const char* text) {
    const auto moment = parse_moment(text);
    return moment ? moment_text(moment->moment, false) : "none";
  };
  EXPECT_EQ(day("Jan-95"), "1995-01-01");
  EXPECT_EQ(day("Dec'24"), "2024-12-01");
  EXPECT_EQ(day("Jan 15"), "none") << "a day or a year";
  EXPECT_EQ(day("Q3 2025"), "2025-07-01");
  EXPECT_EQ(day("2025 Q3"), "2025-07-01");
  EXPECT_EQ(day("31-Jan-99"), "1999-01-31");
  EXPECT_EQ(day("31.12.68"), "2068-12-31");
}

}  // namespace
}  // namespace insights::testing
