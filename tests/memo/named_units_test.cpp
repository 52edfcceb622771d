// A unit in a key, or in the head of a column, is said with the value.
#include "memo/named_units.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memo/ranking.hpp"
#include "memo/source.hpp"
#include "memo/table.hpp"

namespace memo {

namespace {

using ::testing::ElementsAre;

TEST(NamedUnits, StandBesideTheValue) {
  const auto read = [](const std::string& name, const std::string& value) {
    const auto said = with_unit_of_name(name, value);
    return said.name + ": " + said.value;
  };
  EXPECT_EQ(read("Gross margin percent", "74"), "Gross margin: 74 %");
  EXPECT_EQ(read("churn pct", "1.8"), "churn: 1.8 %");
  EXPECT_EQ(read("Runway, months", "17"), "Runway: 17 months");
  EXPECT_EQ(read("cash gbp", "64,000"), "cash: GBP 64,000");
  EXPECT_EQ(read("Revenue in EUR m", "2,1"), "Revenue: EUR 2,1 million");
  EXPECT_EQ(read("Sales £000", "3720"), "Sales: £3720 thousand");
  EXPECT_EQ(read("grants kDKK", "712"), "grants: DKK 712 thousand");
  EXPECT_EQ(read("Burn EUR per month", "180 000"), "Burn: EUR 180 000 per month");
  EXPECT_EQ(read("Wait before (h)", "5.1"), "Wait before: 5.1 h");
  EXPECT_EQ(read("Price EUR from 2024-07-01", "40"), "Price from 2024-07-01: EUR 40");
}

TEST(NamedUnits, ThatMayBeSomethingElseStayWhereTheyAre) {
  const auto stays = [](const std::string& name, const std::string& value) {
    return with_unit_of_name(name, value) == NamedValue{name, value};
  };
  EXPECT_TRUE(stays("price kg", "4.50")) << "for a kilogram";
  EXPECT_TRUE(stays("sales per EUR", "4"));
  EXPECT_TRUE(stays("accounts with EUR balance", "12"));
  EXPECT_TRUE(stays("vitamin d", "20"));
  EXPECT_TRUE(stays("lead time", "9"));
  EXPECT_TRUE(stays("founding year", "2019"));
  EXPECT_TRUE(stays("first try", "3"));
  EXPECT_TRUE(stays("Fee for 3 months", "40"));
  EXPECT_TRUE(stays("sales last months", "40"));
  EXPECT_TRUE(stays("margin percentage points", "2"));
  EXPECT_TRUE(stays("percent", "74")) << "of what?";
  EXPECT_TRUE(stays("margin percent", "74 %")) << "it has its unit";
  EXPECT_TRUE(stays("margin percent", "unknown"));
}

TEST(NamedUnits, OfKeysAndColumnsAreSaidInStatementsAndRows) {
  const auto facts = make_source("facts.yml", "gross_margin_percent: 74\ncash:\n  usd: 12000\n");
  EXPECT_THAT(row_statements(records_table(facts)),
              ElementsAre("Gross margin: 74 %.", "Cash: USD 12000."));
  EXPECT_THAT(tables_in(facts).at(0).rows.at(0), ElementsAre("gross margin", "74 %"));
  EXPECT_TRUE(Corpus{{facts}}.holds("facts.yml", "Gross margin: 74 %."));
  const auto months = make_source("m.csv", "month,flats,arr_gbp\n2024-05,4610,63618\n");
  EXPECT_THAT(row_statements(records_table(months)),
              ElementsAre("2024-05: Flats 4610; Arr GBP 63618."));
}

}  // namespace
}  // namespace memo
