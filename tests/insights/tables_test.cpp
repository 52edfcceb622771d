// Any table: how files become columns, and what is said of those that are no table.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "insights/insights_run.hpp"
#include "insights/sentences.hpp"

namespace insights::testing {
namespace {

using resumable::test::write_file;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Optional;

class Tables : public ::testing::Test {
 protected:
  Readings load(const std::string& text, const std::string& name = "t.csv",
                int days = 10'000) const {
    write_file(folder / name, text);
    return load_readings(folder.path(), std::filesystem::path{name}.stem().string(), days);
  }
  std::string error(const std::string& text, const std::string& name = "t.csv") const {
    try {
      static_cast<void>(load(text, name));
    } catch (const ReadingsError& error) {
      return error.what();
    }
    return "none";
  }
  static const Column& column(const Readings& readings, const std::string& name) {
    const Column* found = readings.table.find(name);
    if (found == nullptr) throw std::runtime_error("there is no column " + name);
    return *found;
  }

  resumable::test::TempFolder folder;
};

TEST_F(Tables, DurationsAreMinutesAndTimesOfDayAreNot) {
  const Readings readings = load(
      "opened,reply (h:mm),lasted,closes\n"
      "2025-01-01 09:00,0:45,1 h 5 min,17:00\n"
      "2025-01-02 10:30,26:10,40 min,18:30\n"
      "2025-01-03 11:15,-0:05,2h,17:30\n");
  EXPECT_EQ(column(readings, "reply").unit, "min");
  EXPECT_THAT(column(readings, "reply").numbers,
              ElementsAre(Optional(45.0), Optional(1570.0), Optional(-5.0)));
  EXPECT_THAT(column(readings, "lasted").numbers,
              ElementsAre(Optional(65.0), Optional(40.0), Optional(120.0)));
  EXPECT_FALSE(readings.table.has_numbers("closes")) << "nothing is 1050 minutes long";
}

TEST_F(Tables, ACommaBeforeThreeDigitsPartsThousandsWhereOtherNumbersShowIt) {
  const auto first = [&](const std::string& text) { return *column(load(text), "x").numbers[0]; };
  EXPECT_EQ(first("day\tx\n2025-01-01\t1,500\n2025-01-02\t990\n"), 1500) << "990 is smaller";
  EXPECT_EQ(first("day\tx\ty\n2025-01-01\t1,500\t2.5\n2025-01-02\t2,100\t3\n"), 1500)
      << "2.5 has a point";
  EXPECT_EQ(first("day;x\n01.02.2025;1,500\n02.02.2025;2,125\n"), 1.5);
  EXPECT_EQ(first("day;x\n01.02.2025;1.500\n02.02.2025;990\n"), 1500) << "990 is smaller";
  EXPECT_EQ(first("day;x\n01.02.2025;1.500,50\n02.02.2025;990\n"), 1500.5);
  EXPECT_EQ(first("day;x\n01.02.2025;1.500\n02.02.2025;2.125\n"), 1.5);
  EXPECT_EQ(first("day;x\n01.02.2025;1.500\n02.02.2025;990\n03.02.2025;2.5\n"), 1.5);
  EXPECT_EQ(first("day;x\n01.02.2025;1,500\n02.02.2025;0,990\n"), 1.5);
}

TEST_F(Tables, MayHaveCellsAndHeadersOfAnyLength) {
  const std::string letters(400'000, 'x');
  const std::string digits(400'000, '1');
  const Readings readings =
      load("day;note;x\n01.02.2025;" + letters + ",1;1,500\n02.02.2025;" + digits + ".5;2,125\n");
  EXPECT_THAT(column(readings, "x").numbers, ElementsAre(Optional(1.5), Optional(2.125)));
  EXPECT_EQ(load("day," + letters + ",x\n2025-02-01,1,2\n2025-02-02,3,4\n").table.rows(), 2);
}

TEST_F(Tables, WithACategoryInCommonStandBesideEachOtherButNotWithAMeasure) {
  std::string runs = "day,furnace,heats\n";
  std::string stops = "day,furnace,hours\n";
  for (int i = 1; i < 29; ++i) {
    runs += fmt::format("2025-01-{:02},F{},{}\n", i, i % 2, i % 5);
    stops += fmt::format("2025-01-{:02},F{},{}\n", i, i % 2, i % 3);
  }
  write_file(folder / "runs.csv", runs);
  write_file(folder / "stops.csv", stops);
  write_file(folder / "others.csv", runs + "2025-01-29,F1,x\n");
  const Readings readings = load_readings(folder.path(), "runs", 100);
  ASSERT_EQ(readings.beside.size(), 1);
  EXPECT_EQ(readings.beside[0].name, "stops");
}

TEST_F(Tables, AHeaderMayBeAUnitOrEndInASign) {
  const Readings readings = load(
      "day,Kg,Parts £,children\n2025-01-01,180.3,14.50,2\n2025-01-02,8.8 kg,3,0\n"
      "2025-01-03,7,1.20,3\n");
  EXPECT_THAT(column(readings, "Kg").numbers,
              ElementsAre(Optional(180.3), Optional(8.8), Optional(7.0)));
  EXPECT_EQ(column(readings, "Kg").unit, "kg");
  EXPECT_EQ(column(readings, "Parts").unit, "£");
  for (const char* name : {"Kg", "Parts", "children"}) {
    EXPECT_TRUE(column(readings, name).is_amount) << name;
  }
  EXPECT_TRUE(readings.table.problems.empty());
}

TEST_F(Tables, WeightsOfEventsHaveAMeanAndASum) {
  std::string text = "day,weight (kg)\n";
  for (int i = 0; i < 40; ++i) {
    text +=
        fmt::format("2025-{:02}-{:02},{}\n", 1 + i / 20, 1 + i % 20 * (1 + i % 2) % 28, 5 + i % 7);
  }
  const Json figures = Json::parse(use_tool("statistics", R"({"variable":"weight"})", load(text)));
  ASSERT_TRUE(figures.value("events", false));
  EXPECT_THAT(findings_of("statistics", figures).at(0).text, HasSubstr("315 kg in all"));
}

TEST_F(Tables, WideTablesHaveARowForEachMonth) {
  const Readings readings = load(
      "Shop;Area;Staff;Jan 2024;Feb 2024;Mar 2024\n"
      "Mill;North;3;£ 1,200;n/a;£ 900\n"
      "Quay;South;5;£ 700;£ 800;£ 750\n",
      "sales.csv");
  EXPECT_EQ(readings.table.name, "sales by month");
  EXPECT_EQ(readings.table.time, "month");
  ASSERT_EQ(readings.table.rows(), 6U);
  EXPECT_EQ(readings.table.when(0), "2024-01");
  EXPECT_EQ(readings.table.place(1), "sales.csv:3");
  EXPECT_EQ(column(readings, "sales").unit, "£");
  EXPECT_TRUE(column(readings, "sales").is_amount);
  EXPECT_EQ(column(readings, "sales").numbers[2], std::nullopt);
  ASSERT_EQ(readings.beside.size(), 1U) << "three of staff are not nine";
  EXPECT_EQ(readings.beside[0].find("Staff")->numbers.size(), 2U);
}

TEST_F(Tables, AreWideByYearsAndByMonthsOfTheYearThatTheFileNames) {
  const Readings years = load("Land,2019,2020,2021\nA,1,2,3\nB,4,5,6\n", "people.csv");
  EXPECT_EQ(years.table.when(0), "2019");
  const Readings months = load("Land,Jan,Feb,Mar\nA,1,2,3\nB,4,5,6\n", "trips-2023.csv");
  EXPECT_EQ(months.table.when(2), "2023-02");
  const Readings bare = load("Land,Jan,Feb,Mar\nA,1,2,3\nB,4,5,6\n", "plans.csv");
  EXPECT_TRUE(bare.table.moments.empty()) << "of which year is not known";
  EXPECT_EQ(column(bare, "month").words[1], "Feb");
}

TEST_F(Tables, TimesAreAlsoWeeksAndQuarters) {
  EXPECT_EQ(load("week,x\n2025-W01,1\n2025-W02,2\n").table.when(0), "2024-12-30");
  EXPECT_EQ(load("quarter,x\n2025-Q1,1\n2025-Q3,2\n").table.when(1), "2025-07-01");
}

TEST_F(Tables, AColumnOfZeroAndOneSaysYesAndNo) {
  const Readings readings = load("day,late,calls\n2025-01-01,0,0\n2025-01-02,1,1\n2025-01-03,,1\n");
  EXPECT_THAT(column(readings, "late").words, ElementsAre("no", "yes", ""));
  EXPECT_TRUE(readings.table.has_numbers("calls")) << "they are counted";
}

TEST_F(Tables, WithoutTimesTheNamesOfRowsAreACategory) {
  std::string text = "School,Pupils\n";
  for (int i = 0; i < 30; ++i) text += fmt::format("School {},{}\n", i, 100 + i);
  const Readings readings = load(text);
  EXPECT_EQ(column(readings, "School").kind, Column::Kind::category);
  EXPECT_TRUE(column(readings, "Pupils").is_amount);
  const Json all = Json::parse(use_tool("statistics", R"({"variable":"Pupils"})", readings));
  EXPECT_EQ(all.at("max_of"), Json{"School 29"});
}

TEST_F(Tables, ColumnsAreFoundByTheirContent) {
  const Readings readings = load(
      "order_id,kind,when,power_kw,price [EUR],heat (°C),note\n"
      "1,a,2025-01-02,1.5,2,20,one\n"
      "2,b,2025-01-01,,3,NA,two\n"
      "3,a,2025-01-03,2.5,n/a,-3.5,three\n");
  EXPECT_EQ(readings.table.time, "when");
  EXPECT_EQ(readings.table.when(0), "2025-01-01") << "in order of time";
  EXPECT_EQ(readings.table.place(0), "t.csv:3");
  const Column& power = column(readings, "power_kw");
  EXPECT_EQ(power.unit, "kW");
  EXPECT_THAT(power.numbers, ElementsAre(std::nullopt, Optional(1.5), Optional(2.5)));
  EXPECT_EQ(column(readings, "price").unit, "EUR");
  EXPECT_FALSE(column(readings, "price").is_amount) << "prices are not summed";
  EXPECT_EQ(column(readings, "heat").unit, "°C");
  EXPECT_THAT(column(readings, "heat").numbers,
              ElementsAre(std::nullopt, Optional(20.0), Optional(-3.5)));
  EXPECT_EQ(column(readings, "kind").kind, Column::Kind::category);
  EXPECT_EQ(readings.table.find("order_id"), nullptr) << "a number of the row";
}

TEST_F(Tables, LettersThatTellColumnsApartAreNoUnits) {
  const Readings readings = load("day,phase_a,phase_b,current_a\n2025-01-01,1,2,3\n");
  EXPECT_EQ(column(readings, "phase_a").unit, "");
  EXPECT_EQ(column(readings, "current_a").unit, "A");
  const Readings others = load("price per kg,year (first half),x [m/s]\n1,2,3\n", "u.csv");
  EXPECT_EQ(column(others, "price per kg").unit, "");
  EXPECT_EQ(column(others, "year (first half)").unit, "");
  EXPECT_EQ(column(others, "x").unit, "m/s");
}

TEST_F(Tables, AreReadInOtherEncodings) {
  const Readings western = load(
      "day,air (\xB0"
      "C),caf\xE9 (\x80)\n2025-01-01,20,7\n2025-01-02,21,8\n");
  EXPECT_EQ(column(western, "air").unit, "\u00B0C");
  EXPECT_EQ(column(western, "caf\u00E9").unit, "\u20AC");
  std::string wide = "\xFF\xFE";
  for (const char c : std::string{"day\tkWh\n2025-01-01\t20\n2025-01-02\t21\n"}) {
    wide += c;
    wide += '\0';
  }
  EXPECT_EQ(load(wide, "wide.tsv").table.rows(), 2U);
}

TEST_F(Tables, AListSaysWhatTheCodesOfAnotherTableStandFor) {
  write_file(folder / "agencies.csv",
             "code,agency,kind\nJCP,Jobcentre,state\nCAB,Advice Bureau,charity\nHV,Nurses,state\n");
  const Readings readings = load(
      "date,sender,adults\n2025-01-01,JCP,2\n2025-01-02,CAB,1\n2025-01-03,JCP,3\n"
      "2025-01-04,HV,1\n",
      "parcels.csv");
  EXPECT_THAT(
      column(readings, "sender").words,
      ElementsAre("Jobcentre (JCP)", "Advice Bureau (CAB)", "Jobcentre (JCP)", "Nurses (HV)"));
  EXPECT_THAT(column(readings, "kind").words, ElementsAre("state", "charity", "state", "state"));
  EXPECT_THAT(readings.left_out, ::testing::IsEmpty());
}

TEST_F(Tables, AListGivesItsNumbersAndTellsWhatItLacks) {
  write_file(folder / "rooms.csv",
             "Room,Beds,Price (EUR),Since\n1,4,20,2020-01-01\n2,2,30,2021-06-01\n");
  std::string text = "Day,Room,Guest age\n";
  for (int i = 0; i < 27; ++i) {
    text += fmt::format("2025-01-{:02},{},{}\n", i + 1, i == 20 ? 3 : i % 2 + 1, 20 + i % 7);
  }
  const Readings readings = load(text, "stays.csv");
  EXPECT_EQ(column(readings, "Beds").numbers[0], 4);
  EXPECT_EQ(column(readings, "Price").numbers[1], 30);
  EXPECT_EQ(column(readings, "Price").numbers[20], std::nullopt);
  EXPECT_FALSE(column(readings, "Beds").is_amount) << "it has them once, however many stay there";
  EXPECT_THAT(readings.table.problems,
              ElementsAre("Room '3' is not in rooms.csv: 1 row (stays.csv:22)"));
}

TEST_F(Tables, AListOfSomethingElseIsLeftOut) {
  write_file(folder / "towns.csv", "town,county\nYork,North\nHull,East\n");
  const Readings readings =
      load("date,sender,adults\n2025-01-01,JCP,2\n2025-01-02,CAB,1\n", "parcels.csv");
  EXPECT_THAT(column(readings, "sender").words, ElementsAre("JCP", "CAB"));
  EXPECT_EQ(readings.left_out.size(), 1U);
}

TEST_F(Tables, SemicolonsTabsAndDecimalCommasAreRead) {
  const Readings comma = load("day;x\n01.02.2025;1,5\n02.02.2025;2\n");
  EXPECT_THAT(column(comma, "x").numbers, ElementsAre(Optional(1.5), Optional(2.0)));
  EXPECT_EQ(comma.table.when(0), "2025-02-01");
  const Readings tab = load("day\tx\n2025-02-01 06\t1.5\n2025-02-01T07:30:00Z\t2\n", "u.tsv");
  EXPECT_EQ(tab.table.when(0), "2025-02-01 06:00");
  EXPECT_EQ(tab.table.when(1), "2025-02-01 07:30");
}

TEST_F(Tables, UnitsOfCellsAreThoseOfTheColumn) {
  std::string text = "day,x\n";
  for (int i = 10; i < 22; ++i)
    text += "2025-01-" + std::to_string(i) + ",\"€1,0" + std::to_string(i) + "\"\n";
  const Readings readings = load(text + "2025-02-01,$5\n");
  EXPECT_EQ(column(readings, "x").unit, "€");
  EXPECT_EQ(column(readings, "x").numbers.front(), 1010);
  EXPECT_EQ(column(readings, "x").numbers.back(), std::nullopt);
  EXPECT_THAT(readings.table.problems, ElementsAre(HasSubstr("'$5' in x has another unit")));
}

TEST_F(Tables, DatesWithNamedMonthsAndYearsAreTimes) {
  const auto day = [](const char* text) {
    const auto moment = parse_moment(text);
    return moment ? moment_text(moment->moment, moment->has_clock) : "none";
  };
  EXPECT_EQ(day("Jan 31 2000"), "2000-01-31");
  EXPECT_EQ(day("3 September 2024"), "2024-09-03");
  EXPECT_EQ(day("Dec 2024"), "2024-12-01");
  EXPECT_EQ(day("01-Oct-24"), "2024-10-01");
  for (const char* no :
       {"Jan 32 2000", "May be so", "Mayday 2000", "2000", "31 31 2000", "3 May be"}) {
    EXPECT_EQ(day(no), "none") << no;
  }
  EXPECT_EQ(load("year,x\n2001,1\n2002,2\n").table.when(1), "2002-01-01");
  EXPECT_EQ(load("code,x\n2001,1\n2002,2\n", "u.csv").table.time, "");
}

TEST_F(Tables, AClockInAColumnOfItsOwnIsPartOfTheTime) {
  const Readings readings = load("day,at,x\n2025-02-01,18:00,1\n2025-02-01,06:00,2\n");
  EXPECT_EQ(readings.table.when(0), "2025-02-01 06:00");
  EXPECT_THAT(column(readings, "x").numbers, ElementsAre(Optional(2.0), Optional(1.0)));
}

TEST_F(Tables, DatesWithSlashesAreReadInTheOrderThatFitsTheWholeColumn) {
  EXPECT_EQ(load("day,x\n02/01/2025,1\n02/14/2025,2\n").table.when(0), "2025-02-01");
  EXPECT_EQ(load("day,x\n02/01/2025,1\n14/02/2025,2\n", "u.csv").table.when(0), "2025-01-02");
  EXPECT_EQ(load("day,x\n2025/02/01,1\n2025/02/14,2\n", "v.csv").table.when(0), "2025-02-01");
  const Readings sorted = load("day,x\n02/11/2025,1\n03/11/2025,1\n04/10/2025,2\n", "w.csv");
  EXPECT_EQ(sorted.table.when(2), "2025-04-10") << "both orders are dates; in one they go up";
}

TEST_F(Tables, ClocksMayBeOfTwelveHours) {
  const Readings readings =
      load("at,x\n02/14/2025 12:05 AM,1\n02/14/2025 9:30 AM,2\n02/14/2025 1:00 PM,3\n");
  EXPECT_EQ(readings.table.when(0), "2025-02-14 00:05");
  EXPECT_EQ(readings.table.when(1), "2025-02-14 09:30");
  EXPECT_EQ(readings.table.when(2), "2025-02-14 13:00");
}

TEST_F(Tables, ARowOfAnotherYearThanAllOthersIsLeftOutAndNamed) {
  std::string text = "day,x\n";
  for (int i = 1; i <= 28; ++i) text += fmt::format("2025-01-{:02},{}\n", i, i);
  for (int i = 1; i <= 28; ++i) text += fmt::format("2025-02-{:02},{}\n", i, i);
  const Readings readings = load(text + "2052-03-01,7\n");
  EXPECT_EQ(readings.table.rows(), 56U);
  EXPECT_THAT(readings.table.problems,
              ElementsAre("t.csv:58: 2052-03-01 is far from all other times; the row is left out"));
}

TEST_F(Tables, RowsThatHappenAtAnyTimeAreCounted) {
  std::string text = "at,kind,fee [EUR]\n";
  for (int day = 1; day <= 20; ++day) {
    for (int i = 0; i <= day % 4; ++i) {
      text += fmt::format("2025-01-{:02} {:02}:{:02},a,{}\n", day, 8 + i, day, 10 + i);
    }
  }
  const Readings readings = load(text, "calls-2025.csv");
  EXPECT_TRUE(readings.table.has_events);
  const Column& calls = column(readings, "calls");
  EXPECT_TRUE(calls.is_count);
  EXPECT_TRUE(column(readings, "fee").is_amount) << "what was paid can be summed";
  const Json all = Json::parse(use_tool("statistics", R"({"variable":"calls"})", readings));
  EXPECT_EQ(all.at("sum"), 50);
  EXPECT_EQ(all.at("mean"), 2.5) << "of each day";
  EXPECT_FALSE(load("day,x\n2025-01-01,1\n2025-01-02,2\n").table.has_events);
}

TEST_F(Tables, OfTheSameTimeStandBesideAndOthersAreLeftOut) {
  std::string pump = "day,power\n";
  std::string river = "day,flow\n";
  std::string early = "day,rain\n";
  for (int i = 10; i < 22; ++i) {
    pump += fmt::format("2025-01-{},{}\n", i, 10 + i * 5 % 12);
    river += fmt::format("2025-01-{},{}\n", i, 3 * (10 + i * 5 % 12));
    early += fmt::format("2024-01-{},{}\n", i, i);
  }
  write_file(folder / "river.csv", river);
  write_file(folder / "early.csv", early);
  const Readings readings = load(pump, "pump.csv");
  ASSERT_EQ(readings.beside.size(), 1U);
  EXPECT_EQ(readings.beside.front().name, "river");
  EXPECT_THAT(readings.left_out, ElementsAre("early.csv: it does not name the system"));
  const auto related =
      Json::parse(use_tool("related", R"({"variable":"power","with":"flow"})", readings));
  EXPECT_EQ(related.at("pairs").at(0).at("rho"), 1) << related;
  EXPECT_EQ(Json::parse(use_tool("statistics", R"({"table":"river","variable":"flow"})", readings))
                .at("min"),
            30);
}

TEST_F(Tables, RowsAlikeWithOtherNamesAreNotThereTwice) {
  std::string text = "id,day,x\n";
  for (int i = 10; i < 30; ++i) text += fmt::format("A{},2025-01-{},1\n", i, i);
  const auto repeated = [&](const std::string& more, const std::string& name) {
    return Json::parse(use_tool("find_faults", "{}", load(text + more, name))).at("repeated");
  };
  EXPECT_THAT(repeated("A30,2025-01-29,1\n", "t.csv"), ::testing::IsEmpty());
  EXPECT_EQ(repeated("A29,2025-01-29,1\n", "u.csv").size(), 1U);
}

TEST_F(Tables, QuotedCellsOverLinesKeepTheLineOfEachRow) {
  const Readings readings = load("day,x,why\n2025-01-01,1,\"a, \"\"b\"\"\nc\"\n\n2025-01-02,2,d\n");
  EXPECT_EQ(readings.table.place(0), "t.csv:2");
  EXPECT_EQ(readings.table.place(1), "t.csv:5");
}

TEST_F(Tables, CellsThatDoNotFitTheirColumnAreNamedAndMissing) {
  std::string text = "day,x\n";
  for (int i = 10; i < 30; ++i) text += "2025-01-" + std::to_string(i) + ",1\n";
  const Readings readings = load(text + "2025-02-01,many\nsoon,3\n");
  EXPECT_EQ(readings.table.rows(), 21U) << "a row without a time is left out";
  EXPECT_THAT(readings.table.problems,
              ElementsAre("t.csv:23: 'soon' in day is not a time; the row is left out",
                          "t.csv:22: 'many' in x is not a number; it counts as missing"));
}

TEST_F(Tables, TablesWithoutTimesHaveFiguresAndNoWindow) {
  const Readings readings = load("who,x\na,1\nb,2\na,4\n");
  EXPECT_EQ(Json::parse(use_tool("statistics", R"({"variable":"x"})", readings)).at("sum"), 7);
  EXPECT_THAT(use_tool("find_change", R"({"variable":"x"})", readings), HasSubstr("no times"));
  EXPECT_THAT(use_tool("statistics", R"({"variable":"x","from":"2025-01-01"})", readings),
              HasSubstr("leave out 'from'"));
}

TEST_F(Tables, SystemsAreValuesOfACategoryOrNamesOfFiles) {
  write_file(folder / "pump-2024.csv", "day,x\n2024-12-31,1\n");
  write_file(folder / "pump-2025.csv", "day,x\n2025-01-01,2\n");
  write_file(folder / "sites.csv", "site,day,y\nNorth,2025-01-01,3\nSouth,2025-01-01,4\n");
  const Readings pump = load_readings(folder.path(), "pump", 30);
  EXPECT_THAT(column(pump, "x").numbers, ElementsAre(Optional(1.0), Optional(2.0)));
  EXPECT_EQ(pump.table.place(0), "pump-2024.csv:2");
  EXPECT_THAT(pump.left_out, ElementsAre("sites.csv: it does not name the system"));
  EXPECT_EQ(load_readings(folder.path(), "pump-2025", 30).table.rows(), 1U);
  const Readings north = load_readings(folder.path(), "North", 30);
  EXPECT_THAT(column(north, "y").numbers, ElementsAre(Optional(3.0)));
  EXPECT_EQ(north.table.find("site"), nullptr) << "it says nothing any more";
  EXPECT_EQ(load_readings(folder.path(), "sites", 30).table.keys, std::vector<std::string>{"site"});
  EXPECT_EQ(load_readings(folder / "sites.csv", "South", 30).table.rows(), 1U) << "a file";
  try {
    static_cast<void>(load_readings(folder.path(), "East", 30));
    FAIL();
  } catch (const ReadingsError& error) {
    EXPECT_THAT(error.what(), HasSubstr("site: North, South; by file: pump-2024, pump-2025"));
  }
}

TEST_F(Tables, ThatAreNoneAreNamedWithLineAndCause) {
  EXPECT_THAT(error(""), HasSubstr("t.csv:1: is not a table: it is empty"));
  EXPECT_THAT(error("day,x\n"), HasSubstr("t.csv:1: the table has no row"));
  EXPECT_THAT(error("just words\nmore\n"), HasSubstr("t.csv:1: is not a table: one column"));
  EXPECT_THAT(error("a,a\n1,2\n"), HasSubstr("t.csv:1: two columns are called 'a'"));
  EXPECT_THAT(error("a,\n1,2\n"), HasSubstr("t.csv:1: a column has no name"));
  EXPECT_THAT(error("a,b\n1,2\n\n1,2,3\n"),
              HasSubstr("t.csv:4: is not a row of the table: it has 3"));
  EXPECT_THAT(error("a,b\n1,\"2\n"), HasSubstr("t.csv:2: is not a table: a quotation"));
  EXPECT_THAT(error("a,b\n1,2\"3\"4\n"), HasSubstr("t.csv:2: is not a table: a quotation"));
  EXPECT_THAT(error("a,b\n1,\"2\"x\n"), HasSubstr("t.csv:2: is not a table: a quotation"));
  EXPECT_THAT(error(std::string{"a,b\n1,2\n\0", 9}), HasSubstr("t.csv:3: is not a table"));
  EXPECT_THAT(error("day,x\n2025-01-01,\n"), HasSubstr("no column has numbers or a category"));
  std::filesystem::remove(folder / "t.csv");
  EXPECT_THAT(error("a,b\n1,2\n", "t.txt"), HasSubstr("no .csv and no .tsv file"));
}

TEST_F(Tables, TheCatalogueTellsAModelWhatThereIs) {
  const Json all =
      catalogue(load("day,shop,takings [EUR]\n2025-01-01,N,1\n2025-01-01,S,5\n"
                     "2025-01-02,N,\n2025-01-02,S,2\n",
                     "t.csv", 1));
  EXPECT_EQ(all.at("readings"), 2);
  EXPECT_EQ(all.at("history"), 2);
  EXPECT_EQ(all.at("keys"), Json{"shop"});
  EXPECT_EQ(all.at("from"), "2025-01-02");
  EXPECT_EQ(all.at("columns").at(0).at("values"), (Json{"N", "S"}));
  EXPECT_EQ(all.at("columns").at(1), (Json{{"name", "takings"},
                                           {"kind", "number"},
                                           {"amount", true},
                                           {"unit", "EUR"},
                                           {"range", {2.0, 2.0}},
                                           {"median", 2.0},
                                           {"missing", 1}}));
}

}  // namespace
}  // namespace insights::testing
