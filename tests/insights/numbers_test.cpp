// How numbers and their units are read from cells and headers.
#include "insights/numbers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "insights/insights_run.hpp"

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

}  // namespace
}  // namespace insights::testing
