// What a question restricts, leaves out or counts: the figure is that of these rows, or the answer
// says first what it is of.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "insights/insights_run.hpp"

namespace insights::testing {
namespace {

using resumable::test::write_file;
using ::testing::HasSubstr;
using ::testing::Not;

class PartsAsked : public InsightsTest {
 protected:
  /// Stays in two cabins: the Lake cabin for two nights by three persons, the Hill cabin for three
  /// by one; one in ten is cancelled, all at the lake. A baker bakes two of three loaves, and only
  /// every other loaf has a topping.
  PartsAsked() {
    const Moment first = parse_moment("2025-03-01")->moment;
    std::string stays = "Guest,Cabin,Arrival,Departure,Status,Persons\n";
    std::string loaves = "Date,Loaf,Baker,Topping,State\n";
    for (int i = 0; i < 60; ++i) {
      const bool is_lake = i % 2 == 0;
      const Moment day = first + (i + i * i % 3) * day_length;
      stays += fmt::format("Guest {},{},{},{},{},{}\n", i, is_lake ? "Lake" : "Hill",
                           moment_text(day, false),
                           moment_text(day + (is_lake ? 2 : 3) * day_length, false),
                           i % 10 == 0 ? "cancelled" : "used", is_lake ? 3 : 1);
      loaves += fmt::format("{},{},{},{},{}\n", moment_text(day, false),
                            std::vector{"rye", "oat", "spelt"}[static_cast<std::size_t>(i / 2 % 3)],
                            i % 3 == 0 ? "Ann" : "Bo",
                            is_lake      ? ""
                            : i % 4 == 1 ? "seeds"
                                         : "bran",
                            i % 5 == 0 ? "burnt" : "fine");
    }
    write_file(folder / "stays.csv", stays);
    write_file(folder / "loaves.csv", loaves);
  }
};

TEST_F(PartsAsked, HowManyOfAValueIsTheirNumber) {
  EXPECT_THAT(answer_to("stays", "How many persons were in the Lake cabin?"),
              HasSubstr("Findings\n- Persons (Lake): 90 in all"));
  EXPECT_THAT(answer_to("stays", "How many nights did people stay in the Lake cabin?"),
              HasSubstr("Findings\n- time from Arrival to Departure (Lake): 60 days in all"));
}

TEST_F(PartsAsked, WhatIsLeftOutIsNotCounted) {
  EXPECT_THAT(answer_to("stays", "Which cabin is taken most, leaving out the cancelled ones?"),
              HasSubstr("(all but cancelled) by Cabin (54 in all): Hill 55.6 % (30"));
  EXPECT_THAT(answer_to("stays", "How many stays were not cancelled?"),
              HasSubstr("Findings\n- time from Arrival to Departure (all but cancelled): "));
  EXPECT_THAT(answer_to("stays", "How many stays were cancelled?"), Not(HasSubstr("all but")));
  EXPECT_THAT(answer_to("stays", "How many stays have not been cancelled?"),
              HasSubstr("(all but cancelled)"));
  EXPECT_THAT(answer_to("loaves", "How many loaves were baked on days other than Sundays?"),
              HasSubstr("(all but Sundays): "));
  EXPECT_THAT(answer_to("loaves", "How many loaves were there apart from rye and spelt?"),
              HasSubstr("(all but rye and spelt): "));
}

TEST_F(PartsAsked, HowSomethingIsNeedsAColumnOfIt) {
  EXPECT_THAT(answer_to("stays", "How old were the guests?"),
              HasSubstr("\n\nNot found in the data: no column and no value is called \"old\"."));
}

TEST_F(PartsAsked, WhatWasTakenIsTheColumnOfItBesideAPrice) {
  std::string hires = "Day,Boat,Hours,Price per hour (EUR),Fare (EUR)\n";
  for (int i = 0; i < 40; ++i) {
    const int hours = 1 + i % 4;
    const int price = i % 2 == 0 ? 9 : 12;
    hires += fmt::format("2025-05-{:02},{},{},{},{}\n", 1 + i % 28, i % 2 == 0 ? "Coot" : "Swan",
                         hours, price, hours * price);
  }
  write_file(folder / "hires.csv", hires);
  const std::string text = answer_to("hires", "Which boat earned the most money?");
  EXPECT_THAT(text, HasSubstr("Findings\n- Fare by Boat"));
  EXPECT_THAT(text, Not(HasSubstr("×")));
}

TEST_F(PartsAsked, WhatIsSoMuchEachIsNotAddedUp) {
  for (const auto& [header, is_added] :
       std::vector<std::pair<std::string, bool>>{{"fee each (EUR)", false},
                                                 {"cost per visit", false},
                                                 {"rate (EUR)", false},
                                                 {"price per day (EUR)", false},
                                                 {"takings per day (EUR)", true},
                                                 {"fee (EUR)", true}}) {
    std::string text = "day,site," + header + "\n";
    Moment day = parse_moment("2025-01-01")->moment;
    for (int i = 0; i < 60; ++i) {
      if (i % 7 == 0 || i % 7 == 2 || i % 7 == 3) day += day_length;
      text += fmt::format("{},{},{}\n", moment_text(day, false), i % 2 == 0 ? "Mill" : "Quay",
                          i % 3 == 0 ? 50 : 70);
    }
    write_file(folder / "visits.csv", text);
    const Table table = load_readings(folder / "visits.csv", "visits", 400).table;
    EXPECT_TRUE(table.has_events);
    EXPECT_EQ(table.columns.back().is_amount, is_added) << header;
  }
}

TEST_F(PartsAsked, WhatNoReaderTakesForAColumnIsNotMissed) {
  for (const char* prompt :
       {"Which kind of bread did Ann bake most?", "How were the loaves from the first day on?"})
    EXPECT_THAT(answer_to("loaves", prompt), Not(HasSubstr("Not found"))) << prompt;
}

TEST_F(PartsAsked, DifferentValuesAreCounted) {
  EXPECT_THAT(answer_to("loaves", "How many different toppings were there?"),
              HasSubstr("Findings\n- different values of Topping: 2 (bran, seeds; 30 rows)."));
  EXPECT_THAT(answer_to("loaves", "How many different toppings did Ann use?"),
              HasSubstr("- different values of Topping (Ann): 2 (bran, seeds; 10 rows)."));
  EXPECT_THAT(answer_to("loaves", "How many different ovens are there?"),
              HasSubstr("\n\nNot counted: how many different ovens there are"));
}

TEST_F(PartsAsked, EmptyCellsAreCounted) {
  EXPECT_THAT(answer_to("loaves", "How many loaves have no topping?"),
              HasSubstr("\n\nTopping is empty in 30 of 60 rows.\n"));
  EXPECT_THAT(answer_to("loaves", "How many loaves have a topping?"),
              Not(HasSubstr("is empty in")));
}

TEST_F(PartsAsked, WhoDidSomethingIsInTheColumnOfItsDoers) {
  EXPECT_THAT(answer_to("loaves", "Who baked the most?"),
              HasSubstr("Findings\n- the readings by Baker (60 in all): Bo 66.7 % (40)"));
}

}  // namespace
}  // namespace insights::testing
