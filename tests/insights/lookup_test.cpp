// Lists beside a table: numbers as keys, and prices that depend on the date.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "insights/insights_run.hpp"
#include "insights/interest.hpp"

namespace insights::testing {
namespace {

using resumable::test::write_file;
using ::testing::ElementsAre;
using ::testing::Optional;

class Lists : public ::testing::Test {
 protected:
  Readings load(const std::string& text, const std::string& name) const {
    write_file(folder / (name + ".csv"), text);
    return load_readings(folder.path(), name, 10'000);
  }
  static const Column& column(const Readings& readings, const std::string& name) {
    const Column* found = readings.table.find(name);
    if (found == nullptr) throw std::runtime_error("there is no column " + name);
    return *found;
  }

  resumable::test::TempFolder folder;
};

TEST_F(Lists, NumbersThatAListNamesAreACategory) {
  write_file(folder / "rooms.csv", "Room,Name,Places\n1,Lime,8\n2,Maple,6\n");
  std::string text = "Day,Room,Guests\n";
  for (int day = 1; day <= 20; ++day) text += fmt::format("2025-01-{:02},{},3\n", day, 1 + day % 2);
  const Readings readings = load(text, "stays");
  EXPECT_EQ(column(readings, "Room").kind, Column::Kind::category);
  EXPECT_EQ(column(readings, "Room").words[0], "Maple (2)");
  EXPECT_EQ(column(readings, "Places").numbers[0], 6);
}

TEST_F(Lists, APriceHoldsFromItsDateToTheNext) {
  write_file(folder / "fees.csv",
             "Code,Item,Fee (GBP ex VAT),Valid from\n"
             "CON,Consultation,42,2024-04-01\nVAC,Booster,54,2024-04-01\n"
             "CON,Consultation,46,2025-03-01\n");
  const Readings readings = load(
      "Date,Code,Qty\n2025-02-27,CON,1\n2025-02-28,VAC,2\n2025-03-01,CON,1\n2025-03-02,VAC,1\n"
      "2023-01-01,CON,1\n",
      "cases");
  EXPECT_EQ(column(readings, "Fee").unit, "GBP each") << "Qty says how many";
  EXPECT_FALSE(column(readings, "Fee").is_amount);
  EXPECT_THAT(
      column(readings, "Fee").numbers,
      ElementsAre(std::nullopt, Optional(42.0), Optional(54.0), Optional(46.0), Optional(54.0)));
  EXPECT_EQ(column(readings, "Code").words[1], "Consultation (CON)");
}

TEST_F(Lists, WhatIsCalledByANameKeepsIt) {
  write_file(folder / "halls.csv", "Hall,Roof\nParish Hall,flat\nOld School,slate\n");
  std::string text = "Date,Hall,Guests\n";
  for (int day = 1; day <= 20; ++day)
    text += fmt::format("2025-01-{:02},{},9\n", day, day % 2 == 0 ? "Parish Hall" : "Old School");
  const Readings readings = load(text, "hires");
  EXPECT_EQ(column(readings, "Hall").words[1], "Parish Hall");
  EXPECT_EQ(column(readings, "Roof").words[1], "flat");
}

TEST_F(Lists, ADateIsNoName) {
  write_file(
      folder / "drivers.csv",
      "Driver,Joined,Licence until\nAnn Lee,2019-05-01,30/11/2026\nBo Day,2020-01-07,03/02/2027\n");
  std::string text = "Date,Driver,Miles\n";
  for (int day = 1; day <= 20; ++day)
    text += fmt::format("2025-01-{:02},{},{}\n", day, day % 2 == 0 ? "Ann Lee" : "Bo Day", day);
  EXPECT_EQ(column(load(text, "trips"), "Driver").words[1], "Ann Lee");
}

TEST_F(Lists, AValueIsNamedByItsNameAndByItsKey) {
  std::filesystem::create_directory(folder / "data");
  write_file(folder / "data/boats.csv", "Boat,Name\nLK12,Morning Star\nK203,Girl Mina\n");
  std::string text = "Date,Boat,Fish (kg)\n";
  for (int day = 1; day <= 20; ++day)
    text += fmt::format("2025-01-{:02},{},{}\n", day, day % 2 == 0 ? "LK12" : "K203", day);
  write_file(folder / "data/landings.csv", text);
  for (const char* name : {"Morning Star", "LK12"}) {
    const Json table = catalogue(load_readings(folder / "data", "landings", 10'000));
    const Interest about = interest_of(fmt::format("How much fish did {} land?", name), table);
    EXPECT_EQ(about.where.at("Boat"), "Morning Star (LK12)") << name;
  }
}

}  // namespace
}  // namespace insights::testing
