// What a question asks to compute: ratios, shares, periods, hours, days of the week, arithmetic.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "insights/hours.hpp"
#include "insights/insights_run.hpp"

namespace insights::testing {
namespace {

using resumable::test::write_file;
using ::testing::HasSubstr;
using ::testing::Not;

class Queries : public InsightsTest {
 protected:
  /// Milled on 60 days from Wednesday 2025-01-01: on stone A 200 kg of grain give 150 kg of flour,
  /// on stone B 100 kg give 70, from February on 60. It is twice as much at weekends.
  Queries() {
    std::string text = "Day,Stone,Grain (kg),Flour (kg),Waste (kg),Fee (p/kg),Torn sacks\n";
    for (int i = 0; i < 60; ++i) {
      const Moment day = parse_moment("2025-01-01")->moment + i * day_length;
      const int times = place_in(Cycle::weekday, day) < 5 ? 1 : 2;
      for (const bool first : {true, false}) {
        text += fmt::format("{},{},{},{},{},{},{}\n", moment_text(day, false), first ? 'A' : 'B',
                            times * (first ? 200 : 100),
                            times * (first    ? 150
                                     : i < 31 ? 70
                                              : 60),
                            times * 10, first ? 25 : 50, i % 10 == 0 ? 1 : 0);
      }
    }
    write_file(folder / "milling.csv", text);
  }
  [[nodiscard]] std::string answer(const std::string& prompt) const {
    const Json request{
        {"systemId", "milling"}, {"contextWindowDays", 60}, {"customPrompt", prompt}};
    return without_lines(
        insights({"request", "--data", (folder / "milling.csv").string()}, request.dump())
            .json()
            .at("insights")
            .at("rawText"));
  }
};

TEST_F(Queries, DivideTheSumsOfTwoColumns) {
  EXPECT_THAT(
      answer("How many kilos of flour do we get from 100 kg of grain, stone A against stone B?"),
      HasSubstr("Findings\n- Flour as a share of Grain by Stone (71.69 % altogether): Stone "
                "A 75 % (11,550 kg, 15,400 kg), Stone B 65.06 % (5010 kg, 7700 kg)."));
  EXPECT_THAT(
      answer("How much flour per 100 kg of grain did stone B give in January compared with "
             "February?"),
      HasSubstr("Findings\n- Flour as a share of Grain (Stone B): January 2025 70 % (2730 "
                "kg, 3900 kg), February 2025 60 % (2160 kg, 3600 kg), it fell by 10 points."));
}

TEST_F(Queries, TakeOneColumnOffAnotherAndPriceTheRest) {
  // Stone A: 77 times 190 kg at 25 p, B: 77 times 90 kg at 50 p; a weekend counts twice.
  EXPECT_THAT(answer("What is earned by the grain less waste at the fee?"),
              HasSubstr("Findings\n- (Grain less Waste) × Fee: 7122.50 £ in all."));
}

TEST_F(Queries, SetWeekendsAgainstWorkingDays) {
  EXPECT_THAT(answer("How much grain do we mill at weekends, against working days?"),
              HasSubstr("- Grain by weekend (23,100 kg in all): working days (Monday to Friday) "
                        "12,900 kg (43 days, 300 kg a day), weekends 10,200 kg (17 days, 600 kg a "
                        "day); weekends have 300 kg more a day, 2 times as much."));
}

TEST_F(Queries, PutFirstTheTimeThatIsAskedFor) {
  EXPECT_THAT(answer("Which month had the least flour?"),
              HasSubstr("Findings\n- Flour by month ("));
  EXPECT_THAT(answer("Which month had the least flour?"), HasSubstr("in all): February 2025 "));
}

TEST_F(Queries, JoinMonthsThatFollowEachOther) {
  const Json given{{"figure", "sum"},
                   {"measures", {"Waste"}},
                   {"first", "2025-01"},
                   {"second", "2025-02-01/2025-03-31"}};
  const Json result = Json::parse(
      use_tool("compute", given.dump(), load_readings(folder / "milling.csv", "milling", 60)));
  EXPECT_EQ(result.at("groups").at(0).at("name"), "January 2025");
  EXPECT_EQ(result.at("groups").at(1).at("name"), "February to March 2025");
}

TEST_F(Queries, GiveTheDifferenceOfTwoSumsAndWhatItIsInPerCent) {
  // January has 39 times 220 kg, February 36 times 210.
  EXPECT_THAT(answer("How much flour was there in January against February?"),
              HasSubstr("January 2025 8580 kg (31 days, 276.77 kg a day), February 2025 7560 kg "
                        "(28 days, 270 kg a day), it fell by 1020 kg (−2.4 % a day)."));
}

TEST_F(Queries, OfReadingsThatNameNoMeasureAreAboutTheAmounts) {
  EXPECT_THAT(answer("Which stone does the most?"), HasSubstr("Findings\n- Grain by Stone ("));
  EXPECT_THAT(answer("Which stone ran on the most days?"),
              HasSubstr("Findings\n- milling by Stone (120 in all): Stone A 60 (50.0 %)"));
}

/// Batches of castings, some of which are thrown away; the columns' names do not say what is part
/// of what.
class QueriesOfBatches : public InsightsTest {
 protected:
  QueriesOfBatches() {
    std::string text = "Day,Batch,Heat (°C),Poured,Scrap\n";
    for (int i = 0; i < 90; ++i) {
      text +=
          fmt::format("{},B{},{},{},{}\n",
                      moment_text(parse_moment("2025-01-01")->moment + i / 3 * day_length, false),
                      i, 1400 + i % 9, 20, i % 2 == 0 ? 1 : 2);
    }
    write_file(folder / "batches.csv", text);
  }
  [[nodiscard]] std::string answer(const std::string& prompt) const {
    const Json request{
        {"systemId", "batches"}, {"contextWindowDays", 60}, {"customPrompt", prompt}};
    return without_lines(
        insights({"request", "--data", (folder / "batches.csv").string()}, request.dump())
            .json()
            .at("insights")
            .at("rawText"));
  }
};

TEST_F(QueriesOfBatches, TakeTheRateOfAPartFromTheLargerColumnBeforeIt) {
  EXPECT_THAT(answer("What is our scrap rate?"),
              HasSubstr("Findings\n- Scrap as a share of Poured: 7.5 % (135, 1800)."));
}

TEST_F(QueriesOfBatches, AddUpWhatIsCountedButNoTemperatures) {
  EXPECT_THAT(answer("How many did we scrap in total?"), HasSubstr("- Scrap: 135 in all"));
  EXPECT_THAT(answer("How hot was it in total?"), Not(HasSubstr("°C in all")));
}

TEST_F(Queries, AreToldWhatIsWrongWithThem) {
  const Readings readings = load_readings(folder / "milling.csv", "milling", 60);
  for (const auto& [given, problem] : std::vector<std::pair<std::string, std::string>>{
           {R"({"measures":"Flour"})", "not a list"},
           {R"({"measures":["Bread"]})", "no column of numbers"},
           {R"({"figure":"total"})",
            "one of sum, mean, most, least, spread, range, share, change, different, none, each "
            "and ends"},
           {R"({"figure":"share"})", "needs 'part' or a limit"},
           {R"({"first":"soon"})", "not a period"},
           {R"({"by":"mood"})", "a category or a time"},
           {R"({"less":"Waste"})", "need 'measures'"}}) {
    EXPECT_THAT(use_tool("compute", given, readings), HasSubstr(problem)) << given;
  }
}

TEST(Hours, AreNamedInManyWays) {
  using Hours = std::pair<int, int>;
  EXPECT_EQ(hours_in("sales between 8 and 16 o'clock"), (Hours{8, 16}));
  EXPECT_EQ(hours_in("from 08:00 to 16:00"), (Hours{8, 16}));
  EXPECT_EQ(hours_in("between ten at night and six in the morning"), (Hours{22, 6}));
  EXPECT_EQ(hours_in("between 10 pm and 6 am"), (Hours{22, 6}));
  EXPECT_EQ(hours_in("between 10 and 6 am"), (Hours{22, 6}));
  EXPECT_EQ(hours_in("between 2 and 6 pm"), (Hours{14, 18}));
  EXPECT_EQ(hours_in("from nine to five o'clock"), (Hours{9, 17}));
  EXPECT_EQ(hours_in("from noon until midnight"), (Hours{12, 24}));
  EXPECT_EQ(hours_in("from 12 am to 4 am"), (Hours{0, 4}));
  EXPECT_EQ(hours_in("How many came after 8 p.m.?"), (Hours{20, 24}));
  EXPECT_EQ(hours_in("How many came before nine?"), (Hours{0, 9}));
  for (const char* none :
       {"between 8 and 16 degrees", "after 3 days", "before nine others came", "from 3 to 9 June",
        "more than ten at once", "after 8", "after midnight"}) {
    EXPECT_EQ(hours_in(none), std::nullopt) << none;
  }
}

TEST_F(Queries, CountTheNightAcrossMidnight) {
  std::string text = "Time,Opened\n";
  for (int hour = 0; hour < 240; ++hour) {
    const Moment at = parse_moment("2025-01-01")->moment + Moment{hour} * 3600;
    text += fmt::format("{},{}\n", moment_text(at, true), hour % 24 < 6 ? 2 : 1);
  }
  write_file(folder / "door.csv", text);
  const Readings readings = load_readings(folder / "door.csv", "door", 60);
  const auto sum = [&](int from, int to) {
    const Json given{{"measures", {"Opened"}}, {"hour_from", from}, {"hour_to", to}};
    return Json::parse(use_tool("compute", given.dump(), readings)).at("all").at("value");
  };
  EXPECT_EQ(sum(22, 6), 10 * (2 + 12));
  EXPECT_EQ(sum(6, 22), 10 * 16);
}

}  // namespace
}  // namespace insights::testing
