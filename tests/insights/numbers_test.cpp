// How numbers and their units are read from cells and headers.
#include "insights/numbers.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "insights/headers.hpp"
#include "insights/insights_run.hpp"
#include "insights/planning.hpp"
#include "insights/tools.hpp"

namespace insights::testing {
namespace {

TEST(Numbers, AreReadAsPeopleWriteThem) {
  const auto value = [](const char* cell, bool comma = false) {
    const auto number = parse_number(cell, comma);
    return number ? std::optional{number->value} : std::nullopt;
  };
  EXPECT_EQ(value("-1.5"), -1.5);
  EXPECT_EQ(value("+2"), 2);
  EXPECT_EQ(value("1e3"), 1000);
  EXPECT_EQ(value("1,234,567.8"), 1234567.8);
  EXPECT_EQ(value("1.234,5", true), 1234.5);
  EXPECT_EQ(value("1,234", true), 1.234);
  EXPECT_EQ(value("1'234'567.5"), 1234567.5);
  EXPECT_EQ(value("-1’060"), -1060);
  EXPECT_EQ(value("12 345,5", true), 12345.5);
  EXPECT_EQ(value("1\u202f234 kg"), 1234);
  EXPECT_EQ(value("−€27,400"), -27400);
  EXPECT_EQ(value("18%"), 18);
  EXPECT_EQ(value("200 kg"), 200);
  EXPECT_EQ(parse_number("200 kg", false)->unit, "kg");
  EXPECT_EQ(parse_number("$3", false)->unit, "$");
  EXPECT_EQ(parse_number("5 EUR", false)->unit, "EUR");
  for (const char* no :
       {"",       "-",     "a",       "1 2",     "12,5",  "1,2345", "1234,567", "1,23,456",
        ",123",   "--1",   "1-2",     "3 sheep", "€5 kg", "inf",    "nan",      "1 23",
        "1'2345", "0 123", "1 234 5", "1e999",   "1e101", "1e-101", "0x10",     "2025-01-01"}) {
    EXPECT_EQ(value(no), std::nullopt) << no;
  }
}

std::string unit_of(const std::string& header) { return header_of(header, {header}).unit; }

TEST(Headers, WhatIsSoMuchPerSomethingHasTheWholeAsItsUnit) {
  EXPECT_EQ(unit_of("R/t"), "R/t");
  EXPECT_EQ(unit_of("day ct/kWh"), "ct/kWh");
  EXPECT_EQ(unit_of("water incl. sewage €/m3"), "€/m3");
  EXPECT_EQ(unit_of("€ per bed+night"), "€/bed+night");
  EXPECT_EQ(unit_of("wage (£/h)"), "£/h");
  EXPECT_EQ(unit_of("Speed km/h"), "km/h");
  EXPECT_EQ(unit_of("Fuel l/100 km"), "l/100 km");
  for (const char* none :
       {"Vans/lorries", "In/Out", "M/F", "and/or", "Price per kg", "1/2 h shift"}) {
    EXPECT_EQ(unit_of(none), "") << none;
  }
}

TEST(Headers, EverydayFormsOfUnitsAreKnown) {
  for (const char* hours : {"Hrs", "Hours", "Worked (hrs)", "Eng h"})
    EXPECT_EQ(unit_of(hours), "h");
  for (const char* litres : {"Fuel (L)", "Litres", "Milk ltr"}) EXPECT_EQ(unit_of(litres), "l");
  EXPECT_EQ(unit_of("Wait mins"), "min");
  EXPECT_EQ(unit_of("Load [kgs]"), "kg");
  EXPECT_EQ(unit_of("Net tons"), "t");
  EXPECT_EQ(unit_of("Catch lbs"), "lb");
  EXPECT_EQ(unit_of("Altitude (m above sea)"), "m");
  EXPECT_EQ(unit_of("Laser (mW)"), "mW");
  EXPECT_EQ(unit_of("Revenue (M)"), "M") << "millions";
  EXPECT_EQ(unit_of("Takings (first half)"), "");
}

TEST(Headers, RatesAreNeverSummedAndHoursAre) {
  const resumable::test::TempFolder folder;
  std::string text = "Date,Hrs,£/h,Net t,Lasted\n";
  for (int day = 1; day < 10; ++day) {
    text += fmt::format("2025-01-{:02},{},46,{},{}\n", day, day, day * 3,
                        day % 2 ? "45 mins" : "2 hrs");
  }
  resumable::test::write_file(folder / "t.csv", text);
  const Table table = load_readings(folder.path(), "t", 100).table;
  EXPECT_FALSE(table.find("£/h")->is_amount);
  EXPECT_TRUE(table.find("Hrs")->is_amount);
  EXPECT_TRUE(table.find("Net t")->is_amount);
  EXPECT_EQ(table.find("Lasted")->unit, "min");
  EXPECT_EQ(table.find("Lasted")->numbers[1], 120);
}

/// The limit that `how_often` is asked about, and of which column.
std::pair<std::string, double> limit_asked(const std::string& prompt, const Json& catalogue) {
  for (const Question& question : questions(prompt, catalogue)) {
    for (const Json& call : question.calls) {
      const Json& arguments = call.at("arguments");
      if (call.at("tool") == "how_often" && arguments.contains("above"))
        return {arguments.at("variable"), arguments.at("above")};
    }
  }
  return {};
}

TEST(Limits, MayBeInAnotherUnitThanTheColumn) {
  const resumable::test::TempFolder folder;
  std::string text = "Date,Gross kg,Wait h,Trip m\n";
  for (int day = 1; day < 25; ++day) {
    text += fmt::format("2025-01-{:02},{},{},{}\n", day, 40'000 + day * 1000, 0.1 * day,
                        500 + 90 * day);
  }
  resumable::test::write_file(folder / "t.csv", text);
  const Json table = catalogue(load_readings(folder.path(), "t", 100));
  using Asked = std::pair<std::string, double>;
  EXPECT_EQ(limit_asked("How many were heavier than 56 tonnes?", table),
            (Asked{"Gross kg", 56'000}));
  EXPECT_EQ(limit_asked("How often was it above 50'000?", table), (Asked{"Gross kg", 50'000}));
  EXPECT_EQ(limit_asked("How often did it take more than half an hour?", table),
            (Asked{"Wait h", 0.5}));
  EXPECT_EQ(limit_asked("How often did it take more than 45 minutes?", table),
            (Asked{"Wait h", 0.75}));
  EXPECT_EQ(limit_asked("How often did we go over 2 km?", table), (Asked{"Trip m", 2000}));
}

}  // namespace
}  // namespace insights::testing
