// What a question asks about is not replaced by another column, another statistic or other rows.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "insights/bounds.hpp"
#include "insights/insights_run.hpp"

namespace insights::testing {
namespace {

using resumable::test::write_file;
using ::testing::HasSubstr;
using ::testing::Not;

class Kept : public InsightsTest {
 protected:
  /// 60 deliveries, each ordered three to seven days before. Of ten, one had no driver, and so has
  /// no fee, and one was cancelled, which cost nothing; all others cost 2 EUR a kilometre.
  /// Two rooms, read four times a day for 60 days. The attic goes up and down by 8 degrees a day,
  /// the hall by 2. The hall's logger has nothing from 20 to 23 January.
  /// Three shops, one of them with parking, whose bills are twice as high.
  Kept() {
    std::string trips = "Ordered,Delivered,Driver,District,Km,Fee (EUR),Status,Parcels\n";
    std::string rooms = "time,room,temperature (°C),humidity (%)\n";
    std::string bills = "Day,Shop,Parking,Bill (EUR)\n";
    for (int i = 0; i < 60; ++i) {
      const auto day = [&](int more) {
        return moment_text(parse_moment("2025-01-06")->moment + (i + more) * day_length, false);
      };
      const auto at = static_cast<std::size_t>(i);
      const bool has_driver = i % 10 != 0;
      const bool is_done = has_driver && i % 10 != 5;
      const int km = 5 + i % 7;
      trips += fmt::format("{},{},{},{},{},{},{},{}\n", day(-3 - i % 5 - i / 3), day(-(i / 3)),
                           has_driver ? std::vector{"Ann", "Ben", "Cleo"}[at % 3] : "",
                           std::vector{"Mill", "Mill", "Park", "Quay"}[at % 4], km,
                           is_done      ? std::to_string(2 * km)
                           : has_driver ? "0"
                                        : "",
                           is_done      ? "Done"
                           : has_driver ? "Cancelled"
                                        : "No driver",
                           1 + i % 3);
      for (int hour = 0; hour < 24; hour += 6) {
        const bool is_day = hour == 12;
        rooms += fmt::format("{} {:02}:00,Attic,{},{}\n", day(0), hour,
                             15 + (is_day ? 8 : 0) + i % 2, i % 6 == 0 ? 65 : 55 + i % 3);
        if (i >= 14 && i < 18) continue;
        rooms += fmt::format("{} {:02}:00,Hall,{},{}\n", day(0), hour,
                             20 + (is_day ? 2 : 0) + i % 2, 45 + i % 3);
      }
      for (const char* shop : {"Mill", "Moor", "Quay"}) {
        bills += fmt::format("{},{},{},{}\n", day(0), shop, shop[0] == 'Q' ? "yes" : "no",
                             (shop[0] == 'Q' ? 200 : 100) + i % 3);
      }
    }
    write_file(folder / "trips.csv", trips);
    write_file(folder / "rooms.csv", rooms);
    write_file(folder / "bills.csv", bills);
  }
};

TEST_F(Kept, HowFarAheadIsTheTimeBetweenTwoDates) {
  for (const char* asked :
       {"How far ahead do people usually order?", "How far in advance are deliveries ordered?"}) {
    const std::string text = answer_to("trips", asked);
    EXPECT_THAT(text, HasSubstr("Findings\n- time from Ordered to Delivered")) << asked;
    EXPECT_THAT(text, Not(HasSubstr("Not found"))) << asked;
  }
}

TEST_F(Kept, AUnitThatIsSaidTellsTheColumn) {
  EXPECT_THAT(answer_to("trips", "How long are they on average in kilometres?"),
              HasSubstr("Findings\n- Km: "));
  EXPECT_THAT(answer_to("trips", "What distance was it in all?"), HasSubstr("Findings\n- Km: 4"));
  EXPECT_THAT(answer_to("trips", "Which district has the fewest km?"),
              HasSubstr("- Km by District"));
}

TEST_F(Kept, AVerbDoesNotNameThoseWhoDoIt) {
  EXPECT_THAT(answer_to("trips", "Which district do we drive the fewest km for?"),
              HasSubstr("Findings\n- Km by District"));
  EXPECT_THAT(answer_to("trips", "Who drove the most km?"), HasSubstr("Findings\n- Km by Driver"));
}

TEST_F(Kept, TheWordsOfAValueRestrictTheRowsWhereverTheyStand) {
  EXPECT_THAT(answer_to("trips", "How many parcels did we turn down because there was no driver?"),
              HasSubstr("Findings\n- Parcels (No driver): 12 in all"));
  EXPECT_THAT(answer_to("trips", "How many trips had no driver?"),
              HasSubstr("Findings\n- trips (No driver): 6 in all"));
}

TEST_F(Kept, WhatBelongsToThoseCountedIsNotAskedAbout) {
  std::string clubs = "Year,Plots let,Plots empty,Members left\n";
  for (int i = 0; i < 12; ++i)
    clubs += fmt::format("{},{},{},{}\n", 2013 + i, 40 + i % 3, 3, 5 + i);
  write_file(folder / "clubs.csv", clubs);
  const Json request{{"systemId", "clubs"},
                     {"contextWindowDays", 4500},
                     {"customPrompt", "How many people gave up their plot in all?"}};
  const std::string text =
      insights({"request", "--data", (folder / "clubs.csv").string()}, request.dump())
          .json()
          .at("insights")
          .at("rawText");
  EXPECT_THAT(text, HasSubstr("Findings\n- Members left: 126 in all"));
  EXPECT_THAT(text, Not(HasSubstr("Plots let: ")));
}

TEST_F(Kept, AnAdjectiveWithANumberIsALimit) {
  EXPECT_THAT(answer_to("rooms", "How often was it damper than 60 % in the attic?"),
              HasSubstr("Findings\n- humidity (Attic): above 60 % in 40 of 240"));
  EXPECT_THAT(answer_to("rooms", "How often was it less humid than 50 %?"),
              HasSubstr("humidity: below 50 %"));
  EXPECT_EQ(bound_in("trips faster than 20 minutes"), (Bound{"below", 20, false, "min"}));
  EXPECT_EQ(bound_in("wind faster than 20")->name, "above");
  EXPECT_FALSE(bound_in("Which of them drove more kilometres than 800?"));
}

TEST_F(Kept, ALimitOfASumIsNotTakenForOneOfEachRow) {
  const std::string text = answer_to("trips", "Which district has more km than 100?");
  EXPECT_THAT(text, HasSubstr("Not used: the limit in \"more km than 100\"."));
  EXPECT_THAT(text, HasSubstr("Findings\n- Km by District"));
}

TEST_F(Kept, ALimitOfUnknownDirectionIsNotDroppedInSilence) {
  EXPECT_THAT(answer_to("rooms", "How often was it gloomier than 60 %?"),
              HasSubstr("Not used: the limit in \"gloomier than 60 %\"."));
}

TEST_F(Kept, TheExtremeOfEachGroupComesFirst) {
  EXPECT_THAT(answer_to("rooms", "What was the highest temperature in each room, and when?"),
              HasSubstr("Findings\n- temperature by room: Attic 24 °C on 2025-01-07 12:00"));
  EXPECT_THAT(answer_to("rooms", "What was the lowest temperature per room?"),
              HasSubstr("Findings\n- temperature by room: Attic 15 °C on 2025-01-06 00:00"));
  EXPECT_THAT(answer_to("rooms", "What was the worst humidity in the attic?"),
              HasSubstr("Findings\n- humidity (Attic): the highest is 65 %"));
}

TEST_F(Kept, WhichOfTwoIsLowerIsTheirMeansWhateverTheirNumbers) {
  EXPECT_THAT(answer_to("bills", "Is the bill of Mill lower than that of Quay?"),
              HasSubstr("Findings\n- Bill by Shop (151 EUR on average altogether): Quay 201 EUR"));
}

TEST_F(Kept, WhatGoesUpAndDownIsASpread) {
  EXPECT_THAT(answer_to("rooms", "Which room swings the most in temperature?"),
              HasSubstr("Findings\n- temperature, a day's highest less its lowest on average by "
                        "room (5.103 °C altogether): Attic 8 °C (60 days), Hall 2 °C (56 days)."));
  EXPECT_THAT(answer_to("rooms", "Which room has the steadiest temperature?"),
              HasSubstr("altogether): Hall 2 °C"));
  EXPECT_THAT(answer_to("bills", "Which shop's bill varies most?"),
              HasSubstr("Findings\n- Bill, standard deviation by Shop"));
}

TEST_F(Kept, ThoseWithAndWithoutAreComparedByMeans) {
  EXPECT_THAT(
      answer_to("bills", "Do shops with parking have higher bills?"),
      HasSubstr(
          "Findings\n- Bill by Parking (134.33 EUR on average altogether): Parking yes 201 EUR"));
}

TEST_F(Kept, ARatioIsOfRowsThatHaveBothAndOfSomething) {
  EXPECT_THAT(answer_to("trips", "How much did we take in fees, and how much is that per km?"),
              HasSubstr("2 EUR of Fee per km of Km; without 6 rows that lack one of the two and 6 "
                        "rows with Status Cancelled and 0."));
  EXPECT_THAT(answer_to("trips", "What do we charge per km in each district?"), HasSubstr("2 EUR"));
}

TEST_F(Kept, AChangeIsOneOfAllTheTimeAndNotOfTheMonthAskedAbout) {
  std::string levels = "Day,Level (m)\n";
  for (int i = 0; i < 120; ++i) {
    const std::string day = moment_text(parse_moment("2025-01-06")->moment + i * day_length, false);
    const int level = i >= 60 ? 300 : i >= 18 && i < 28 ? 80 : 100;
    levels += fmt::format("{},{}\n", day, level + i * 7 % 5);
  }
  write_file(folder / "levels.csv", levels);
  const Readings readings = load_readings(folder.path(), "levels", 400);
  const auto changes = [&](const char* to) {
    const Json given{{"variable", "Level"}, {"from", "2025-01-06"}, {"to", to}};
    return Json::parse(use_tool("find_change", given.dump(), readings)).at("changes").size();
  };
  EXPECT_EQ(changes("2025-05-05"), 1U);
  EXPECT_EQ(changes("2025-02-02"), 0U);
}

TEST_F(Kept, AShareThatHalvesIsNotSaidToBeAsBefore) {
  std::string water = "Day,Room,Water (l)\n";
  for (int i = 0; i < 150; ++i) {
    const std::string day = moment_text(parse_moment("2025-04-01")->moment + i * day_length, false);
    water += fmt::format("{},Attic,{}\n{},Store,{}\n", day, 8 + i % 3, day,
                         i < 98 ? 2 + i % 2 * 0.1 : 0.4 + i % 2 * 0.1);
  }
  write_file(folder / "water.csv", water);
  EXPECT_THAT(answer_to("water", "Has the water of each room changed?"),
              Not(HasSubstr("not clearly changed")));
}

TEST_F(Kept, WhatWasNotRecordedIsAGap) {
  for (const char* asked : {"Were there times when the hall logger wasn't recording?",
                            "Did the logger in the hall stop?", "Was the sensor ever off?"}) {
    const std::string text = answer_to("rooms", asked);
    EXPECT_THAT(text, HasSubstr("Findings\n- There is no reading")) << asked;
    EXPECT_THAT(text, Not(HasSubstr("has stopped or is new"))) << asked;
  }
  EXPECT_THAT(answer_to("rooms", "Did the logger in the attic ever stop?"),
              HasSubstr("Attic: there is no gap in the readings."));
}

TEST_F(Kept, WhatAFewRowsInAHundredHaveIsNothingUnusual) {
  std::string trips = "Day,Time,Village,Passengers\n";
  for (int i = 0; i < 120; ++i) {
    const std::string day =
        moment_text(parse_moment("2025-01-01")->moment + i / 2 * day_length, false);
    trips += fmt::format("{},{:02}:00,{},{}\n", day, 9 + i % 2 * 5, i % 3 == 0 ? "Ash" : "Elm",
                         i % 40 == 7  ? 3
                         : i % 5 == 0 ? 2
                                      : 1);
  }
  write_file(folder / "trips.csv", trips);
  EXPECT_THAT(answer_to("trips", "Are any passengers unusual?"),
              Not(HasSubstr("Passengers: 3 on")));
}

TEST_F(Kept, OfRidesWithAPassengerOrTwoABusyDayIsOneOfManyRides) {
  std::string trips = "Ride,Day,Village,Passengers\n";
  int number = 1000;
  for (int i = 0; i < 140; ++i) {
    const std::string day = moment_text(parse_moment("2025-01-06")->moment + i * day_length, false);
    const int rides = i % 7 == 0 ? 3 : i % 7 == 3 ? 2 : i % 3;
    for (int ride = 0; ride < rides; ++ride)
      trips += fmt::format("{},{},{},{}\n", ++number, day, (i + ride) % 3 == 0 ? "Ash" : "Elm",
                           i % 7 == 3 ? 2 : 1);
  }
  EXPECT_THAT(answer_to("trips", "What is our busiest day of the week?"),
              HasSubstr("Findings\n- trips by weekday"));
}

}  // namespace
}  // namespace insights::testing
