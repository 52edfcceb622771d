// What a question means without naming it, and what is told of groups.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "insights/insights_run.hpp"
#include "insights/interest.hpp"

namespace insights::testing {
namespace {

using resumable::test::write_file;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class Meanings : public InsightsTest {
 protected:
  /// Rides of three balloons, two to four a day on 120 days from 2025-03-10; one pilot is misspelt
  /// twice.
  Meanings() {
    std::string text = "Start,Balloon,Pilot,Meadow,Flight (min),Load (kg),Fare (EUR),Air (°C)\n";
    const Moment first = parse_moment("2025-03-10")->moment;
    for (int i = 0; i < 480; ++i) {
      if (i % 7 < 2) continue;
      const int two = i / 2;
      const int balloon = two % 4 == 3 ? 2 : two % 4 == 2 ? 1 : 0;
      const char* pilot = i == 33 || i == 94 ? "Marguerit" : two % 3 == 0 ? "Osric" : "Marguerite";
      text += fmt::format(
          "{},{},{},{},{},{},{},{}\n",
          moment_text(first + i / 4 * day_length + (6 + i % 4) * 3600 + i * 37 % 60 * 60, true),
          std::vector{"Red", "Blue", "Striped"}[static_cast<std::size_t>(balloon)], pilot,
          i % 5 == 0 ? "mill meadow" : "long meadow", 40 + 10 * balloon + i % 3, 200 + i % 7,
          90 + 30 * balloon, 12 + i % 2);
    }
    write_file(folder / "rides.csv", text);
  }

  [[nodiscard]] Interest about(const std::string& prompt) const {
    return interest_of(prompt, catalogue(load_readings(folder / "rides.csv", "rides", 200)));
  }
  [[nodiscard]] std::string answer(const std::string& prompt) const {
    const Json request{{"systemId", "rides"}, {"contextWindowDays", 200}, {"customPrompt", prompt}};
    const Said said =
        insights({"request", "--data", (folder / "rides.csv").string()}, request.dump());
    return without_lines(said.json().at("insights").at("rawText"));
  }
};

TEST_F(Meanings, OfAdjectivesAndVerbsAreColumns) {
  EXPECT_THAT(about("Which balloon takes the longest?").columns, ElementsAre("Flight"));
  EXPECT_THAT(about("Which balloon earns the most?").columns, ElementsAre("Fare"));
  EXPECT_THAT(about("Which balloon takes the most?").columns, ElementsAre("Fare"));
  EXPECT_THAT(about("How heavy is it?").columns, ElementsAre("Load"));
  EXPECT_THAT(about("When was it coldest?").columns, ElementsAre("Air"));
  EXPECT_THAT(about("Which month brought the most hikers?").columns, ElementsAre("rides"))
      << "no column is called so: rows are counted";
  EXPECT_THAT(about("Which rides are the most expensive?").columns, ElementsAre("Fare"));
}

TEST_F(Meanings, OfEverydayAdjectivesAreWhatTheyMeasure) {
  write_file(folder / "air.csv",
             "day,RH %,Rain mm,Noise dB,Wind,Slope,pH\n2025-01-01,40,3,60,4,1.5,6.8\n"
             "2025-01-02,41,0,55,3,1.6,6.9\n2025-01-03,45,1,70,5,1.7,7.1\n");
  const Json table = catalogue(load_readings(folder / "air.csv", "air", 200));
  const auto column = [&](const char* prompt) { return interest_of(prompt, table).columns; };
  EXPECT_THAT(column("When was it rainiest?"), ElementsAre("Rain mm"));
  EXPECT_THAT(column("When was the air most humid?"), ElementsAre("RH"));
  EXPECT_THAT(column("When was it noisiest?"), ElementsAre("Noise dB"));
  EXPECT_THAT(column("When was it windiest?"), ElementsAre("Wind"));
  EXPECT_THAT(column("Where is it steepest?"), ElementsAre("Slope"));
  EXPECT_THAT(column("How sour is it?"), ElementsAre("pH"));
}

TEST_F(Meanings, DoNotDependOnAccents) {
  write_file(folder / "cave.csv", "day,Température,Humidité\n2025-01-01,3,7\n2025-01-02,5,8\n");
  const Json table = catalogue(load_readings(folder / "cave.csv", "cave", 200));
  EXPECT_THAT(interest_of("How high was the temperature?", table).columns,
              ElementsAre("Température"));
}

TEST_F(Meanings, OfThingsAndEntriesAreRows) {
  EXPECT_THAT(about("Which day brought the most entries?").columns, ElementsAre("rides"));
  EXPECT_THAT(about("Which day brought the most money?").columns, ElementsAre("Fare"));
}

TEST_F(Meanings, OfTheLongestTimeIsNoDistance) {
  write_file(folder / "runs.csv", "day,km\n2025-01-01,3\n2025-01-02,5\n2025-01-03,4\n");
  const auto about = [&](const char* prompt) {
    return interest_of(prompt, catalogue(load_readings(folder / "runs.csv", "runs", 200)));
  };
  EXPECT_FALSE(about("What was the longest time without a run?").names_columns);
  EXPECT_TRUE(about("What was the longest run?").names_columns);
}

TEST_F(Meanings, OfWhoAndWhereAreColumnsOfPeopleAndPlaces) {
  EXPECT_TRUE(about("Who flies most often?").named.contains("Pilot"));
  EXPECT_FALSE(about("When do they fly?").named.contains("Pilot"));
  std::string text = "Day,Starts at,Fare\n";
  for (int i = 0; i < 30; ++i) {
    text += fmt::format("2025-03-{:02},{},{}\n", i % 28 + 1,
                        i % 2 == 0 ? "mill meadow" : "long meadow", i);
  }
  write_file(folder / "rides.csv", text);
  EXPECT_TRUE(about("Where are most of them?").named.contains("Starts at"));
  EXPECT_TRUE(about("Which meadow is used most?").named.contains("Starts at"))
      << "its values say so";
  EXPECT_FALSE(about("Which pilot is used most?").named.contains("Starts at"));
}

TEST_F(Meanings, OfWhichWithTheTablesNameIsTheKindOfItsRows) {
  std::string text = "Day,Type,Colour,Fare\n";
  for (int i = 0; i < 30; ++i) {
    text += fmt::format("2025-03-{:02},{},{},{}\n", i % 28 + 1, i % 2 == 0 ? "sunrise" : "sunset",
                        i % 3 == 0 ? "red" : "blue", i);
  }
  write_file(folder / "rides.csv", text);
  EXPECT_THAT(about("Which ride is the cheapest?").categories, ElementsAre("Type"));
}

TEST_F(Meanings, AskForTheMeanOfEachGroupWithItsReadings) {
  const std::string text = answer("Which balloon is the most expensive on average?");
  EXPECT_THAT(text,
              HasSubstr("\nFindings\n- Fare by Balloon (112.19 EUR on average altogether): Striped "
                        "150 EUR (median 150 EUR; 84 rows), Blue 120 EUR (median 120 EUR; 85 "
                        "rows), Red 90 EUR (median 90 EUR; 173 rows).\n"));
  EXPECT_THAT(text, Not(HasSubstr("by Meadow"))) << "nobody asked by that";
  EXPECT_THAT(
      answer("Which balloon takes longest?"),
      HasSubstr("\nFindings\n- Flight by Balloon (48.4 min on average altogether): Striped 61 min "
                "(median 61 min; 84 rows)"));
}

TEST_F(Meanings, AskForTheHighestReadingOfEachGroup) {
  EXPECT_THAT(answer("When was the peak load of each balloon?"),
              HasSubstr("Load by Balloon, the highest reading of each: Red 206 kg on 2025-03-"));
  EXPECT_THAT(answer("How heavy is each balloon?"), Not(HasSubstr("the highest reading of each")));
}

TEST_F(Meanings, CountWhatIsMisspeltAsWhatItIsLike) {
  EXPECT_THAT(answer("Who flies most often?"),
              HasSubstr("rides by Pilot (342 in all): Marguerite 229 (67.0 %), Osric 113 (33.0 %); "
                        "'Marguerit' (2) counts as Marguerite.\n"));
}

TEST_F(Meanings, CompareNoPartOfAMonthWithWholeOnes) {
  EXPECT_THAT(answer("Which month brought the most hikers?"),
              HasSubstr("; of 5 months the highest is 2025-05 88 (31 days), the lowest "
                        "2025-03 62 (22 days), not counting 2025-07, of which there is less than "
                        "half.\n"));
}

TEST_F(Meanings, SetNoTemperaturesInARatio) {
  const std::string text = answer("How much warmer is the Red than the Blue?");
  EXPECT_THAT(text, HasSubstr("Air: Red 12.5 °C on average, Blue 12.49 °C"));
  EXPECT_THAT(text, Not(HasSubstr("times as much")));
  EXPECT_THAT(answer("How much dearer is the Blue than the Red?"),
              HasSubstr("Findings\n- Fare by Balloon (99.88 EUR on average altogether): Blue 120 "
                        "EUR (median 120 EUR; 85 rows), Red 90 EUR (median 90 EUR; 173 rows); Blue "
                        "is 30 EUR higher, 1.3 times as much.\n\nFigures"));
}

TEST_F(Meanings, OfAColumnThatIsAlwaysTheSameHaveNoRange) {
  EXPECT_THAT(answer("What does a ride in the Red cost?"),
              HasSubstr("- Fare (Red): 15,570 EUR in all, 90 EUR each time; 173 readings"));
}

}  // namespace
}  // namespace insights::testing
