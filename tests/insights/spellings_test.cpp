// Values of a category that are spelt in several ways, and how questions name values.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "insights/insights_run.hpp"
#include "insights/interest.hpp"

namespace insights::testing {
namespace {

using resumable::test::write_file;
using ::testing::HasSubstr;

class Spellings : public ::testing::Test {
 protected:
  /// A visit a day, 60 times the first of `values` and once each other.
  [[nodiscard]] Readings load(const std::vector<std::string>& values,
                              const std::string& header = "Animal") const {
    std::string text = "Day," + header + ",Kilos\n";
    for (std::size_t i = 0; i < 60 + values.size() - 1; ++i) {
      const std::string& value = i < 60 ? values[0] : values[i - 59];
      text += fmt::format("{},\"{}\",{}\n", day(i), value, 10 + i % 7);
    }
    write_file(folder / "visits.csv", text);
    return load_readings(folder.path(), "visits", 10'000);
  }
  [[nodiscard]] static std::string day(std::size_t i) {
    return moment_text(parse_moment("2025-01-01")->moment + static_cast<Moment>(i) * day_length,
                       false);
  }
  static Json use(const Readings& readings, const char* tool, const Json& arguments) {
    return Json::parse(use_tool(tool, arguments.dump(), readings));
  }
  /// Whether two values count as one.
  [[nodiscard]] bool are_one(const std::string& common, const std::string& other) const {
    const Readings readings = load({common, other, "parrot"});
    const Json groups = use(readings, "compute", {{"by", "Animal"}}).at("groups");
    return groups.size() == 2;
  }

  resumable::test::TempFolder folder;
};

TEST_F(Spellings, ThatDifferByCapitalsSpacesAndMarksAreOneValue) {
  EXPECT_TRUE(are_one("guinea pig", "Guinea pig"));
  EXPECT_TRUE(are_one("guinea pig", "guinea-pig."));
  EXPECT_TRUE(are_one("19 mm stone", "19mm stone"));
  EXPECT_FALSE(are_one("shelf 1-2", "shelf 12"));
}

TEST_F(Spellings, OfRareValuesAreThoseOfCommonOnesThatTheyAreLike) {
  EXPECT_TRUE(are_one("Maguire", "MacGuire")) << "a letter apart";
  EXPECT_TRUE(are_one("guinea pig", "g. pig")) << "shortened";
  EXPECT_FALSE(are_one("guinea pig", "g. fowl"));
  EXPECT_FALSE(are_one("bay 12a", "bay 13a")) << "digits tell things apart";
}

TEST_F(Spellings, CountInEveryToolAndAreNamedAsFaults) {
  const Readings readings = load({"guinea pig", "Guinea pig", "g. pig", "parrot"});
  const Json figures =
      use(readings, "statistics", {{"variable", "Kilos"}, {"where", {{"Animal", "guinea pig"}}}});
  EXPECT_EQ(figures.at("readings"), 62) << figures.dump();
  const Json found = use(readings, "find_faults", Json::object()).at("spellings");
  ASSERT_EQ(found.size(), 2);
  EXPECT_EQ(found.at(0).at("value"), "Guinea pig");
  EXPECT_EQ(found.at(0).at("like"), "guinea pig");
  EXPECT_EQ(found.at(0).at("line"), "visits.csv:62");
}

TEST_F(Spellings, OfAValueThatSelectsRowsAreSelectedToo) {
  std::string text = "Day,Site,Kilos\n";
  for (std::size_t i = 0; i < 40; ++i)
    text += fmt::format("{},{},{}\n", day(i), i == 7 ? "HARBOUR" : "Harbour", i);
  write_file(folder / "visits.csv", text);
  EXPECT_EQ(load_readings(folder.path(), "Harbour", 10'000).table.rows(), 40);
}

TEST_F(Spellings, OfRemarksAreNotNamedByOneWordOfMany) {
  const Readings readings = load(
      {"many lame dogs, let go", "many lame dogs, let go", "owner in a hurry", "paid"}, "Note");
  const auto where = [&](const char* prompt) {
    return interest_of(prompt, catalogue(readings)).where;
  };
  EXPECT_TRUE(where("Which month was the worst for dogs?").empty());
  EXPECT_FALSE(where("How many many lame dogs, let go?").empty());
}

TEST_F(Spellings, OfTheTablesOwnNameAreRowsUnlessTheyAreWrittenAsTheValueIs) {
  std::string text = "Day,Came by\n";
  for (std::size_t i = 0; i < 60; ++i)
    text += fmt::format("{},{}\n", day(i / 2), i % 2 == 0 ? "Visit" : "Letter");
  write_file(folder / "visits.csv", text);
  const Json table = catalogue(load_readings(folder.path(), "visits", 10'000));
  EXPECT_TRUE(interest_of("How many visits are there?", table).where.empty());
  EXPECT_FALSE(interest_of("How many came by Visit?", table).where.empty());
}

TEST_F(Spellings, OfManyValuesAreTheMostCommon) {
  std::string text = "Day,Code\n";
  for (std::size_t i = 0; i < 300; ++i)
    text +=
        fmt::format("{},{}\n", day(i / 3), i % 2 == 0 ? "zebra" : fmt::format("item{}x", i % 60));
  write_file(folder / "visits.csv", text);
  EXPECT_THAT(catalogue(load_readings(folder.path(), "visits", 10'000)).dump(), HasSubstr("zebra"));
}

}  // namespace
}  // namespace insights::testing
