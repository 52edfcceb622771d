// Where the rows of a figure are: each sum, mean and share names the lines that prove it.
#include <fmt/format.h>

#include "insights/insights_run.hpp"
#include "insights/sentences.hpp"

namespace insights::testing {
namespace {

using resumable::test::write_file;
using ::testing::HasSubstr;

class Lines : public ::testing::Test {
 protected:
  /// Twenty days from 2025-01-06 on, on each a row of the mill and one of the quay.
  Readings sales() const {
    std::string text = "day,shop,sold (kg),state\n";
    for (int i = 0; i < 20; ++i) {
      const std::string day =
          moment_text(parse_moment("2025-01-06")->moment + i * day_length, false);
      text +=
          fmt::format("{0},Mill,{1},{2}\n{0},Quay,{3},open\n", day, (i < 10 ? 10 : 40) + i % 2 * 8,
                      i % 5 == 0 ? "shut" : "open", 20 + i % 3 * 9);
    }
    write_file(folder / "t.csv", text);
    return load_readings(folder.path(), "t", 10'000);
  }
  static std::string said(const Readings& readings, const char* tool, const Json& arguments) {
    std::string all;
    const Json result = Json::parse(use_tool(tool, arguments.dump(), readings));
    for (const Finding& one : findings_of(tool, result)) all += one.text + "\n";
    return all;
  }

  resumable::test::TempFolder folder;
};

TEST_F(Lines, OfRowsAreARangeOrTheFirstAndTheLast) {
  std::filesystem::create_directory(folder / "a");
  write_file(folder / "a/t-1.csv", "day,kind,x\n2025-01-01,a,1\n2025-01-02,b,2\n2025-01-03,a,3\n");
  write_file(folder / "a/t-2.csv", "day,kind,x\n2025-02-01,a,4\n");
  const Table table = load_readings(folder / "a", "t", 10'000).table;
  EXPECT_EQ(table.places({1}), "t-1.csv:3");
  EXPECT_EQ(table.places({0, 1, 2}), "t-1.csv:2–4");
  EXPECT_EQ(table.places({2, 0}), "t-1.csv:2…4");
  EXPECT_EQ(table.places({1, 3}), "t-1.csv:3…t-2.csv:2");
  EXPECT_EQ(table.places({}), "");
}

TEST_F(Lines, StandWithEachSumThatIsComputed) {
  const Readings readings = sales();
  EXPECT_THAT(said(readings, "compute", {{"measures", {"sold"}}, {"by", "day"}}),
              HasSubstr("2025-01-06 30 kg (t.csv:2–3), 2025-01-07 47 kg (t.csv:4–5), "));
  EXPECT_THAT(said(readings, "compute", {{"measures", {"sold"}}, {"by", "shop"}}),
              HasSubstr("sold by shop (1151 kg in all; t.csv:2–41): Mill 580 kg (50.4 %), Quay 571 "
                        "kg (49.6 %)."));
  EXPECT_THAT(said(readings, "compute", {{"measures", {"sold"}}, {"where", {{"shop", "Mill"}}}}),
              HasSubstr("in all (t.csv:2…40)."));
}

TEST_F(Lines, StandWithDaysAndSpans) {
  const Readings readings = sales();
  const std::string figures = said(readings, "statistics", {{"variable", "sold"}});
  EXPECT_THAT(figures, HasSubstr("; 40 readings; t.csv:2–41.\n"));
  EXPECT_THAT(figures, HasSubstr("the most 86 kg on 2025-01-23 (t.csv:36–37), the least 30 kg on "
                                 "2025-01-06 (t.csv:2–3)."));
  EXPECT_THAT(said(readings, "pattern", {{"variable", "sold"}, {"by", "week"}}),
              HasSubstr("2025-01-13 425 kg (7 days; t.csv:16–29)"));
}

TEST_F(Lines, StandWithSharesAndOutcomes) {
  const Readings readings = sales();
  EXPECT_THAT(said(readings, "shares", {{"variable", "sold"}, {"by", "shop"}}),
              HasSubstr("sold by shop (1151 kg in all; t.csv:2–41): Mill 50.4 % (580 kg), Quay "
                        "49.6 % (571 kg)."));
  EXPECT_THAT(said(readings, "outcomes", {{"outcome", "state"}, {"value", "shut"}, {"by", "shop"}}),
              HasSubstr("Mill 20 % (4 of 20; t.csv:2…32), Quay 0 % (0 of 20)"));
}

TEST_F(Lines, OfManyMissingValuesAreTheFirstAndTheLast) {
  std::string text = "day,sold (kg)\n";
  for (int i = 0; i < 100; ++i) {
    text += moment_text(parse_moment("2025-01-06")->moment + i * day_length, false) +
            (i % 12 == 3 ? ",\n" : ",7\n");
  }
  text += "2025-04-16,8\n";
  write_file(folder / "m.csv", text);
  EXPECT_THAT(said(load_readings(folder.path(), "m", 10'000), "find_faults", Json::object()),
              HasSubstr("sold: 9 missing values of 101: m.csv:5 (2025-01-09) … m.csv:101 "
                        "(2025-04-15)."));
}

TEST_F(Lines, StandWithChangesAndPeriods) {
  const Readings readings = sales();
  EXPECT_THAT(said(readings, "find_change", {{"variable", "sold"}, {"by", "shop"}}),
              HasSubstr("2025-01-16 (t.csv:22)"));
  EXPECT_THAT(said(readings, "compare_periods",
                   {{"variable", "sold"},
                    {"first", "2025-01-06/2025-01-12"},
                    {"second", "2025-01-13/2025-01-19"}}),
              HasSubstr(" a day; t.csv:16–29)"));
}

}  // namespace
}  // namespace insights::testing
