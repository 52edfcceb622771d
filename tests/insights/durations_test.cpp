// The time between two dates of a row, and rows whose last date is empty.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "insights/insights_run.hpp"
#include "insights/interest.hpp"

namespace insights::testing {
namespace {

using resumable::test::write_file;
using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Optional;

class Durations : public InsightsTest {
 protected:
  Readings load(const std::string& text) const {
    write_file(folder / "rentals.csv", text);
    return load_readings(folder / "rentals.csv", "rentals", 10'000);
  }
  static const Column& time_in(const Readings& readings, const std::string& name) {
    const Column* found = readings.table.find(name);
    if (found == nullptr) throw std::runtime_error("there is no column " + name);
    return *found;
  }
  static Json use(const Readings& readings, const char* tool, const Json& arguments) {
    return Json::parse(use_tool(tool, arguments.dump(), readings));
  }

  /// 60 rentals, one on each of 60 days from 2025-03-03 on: tents for 4 days, boats for 9; of the
  /// last ten, boats are not back. How each ended is known of those that are.
  static std::string rentals() {
    std::string text = "Rental,Out,Thing,Back,Condition,Fee (EUR)\n";
    const Moment first = parse_moment("2025-03-03")->moment;
    for (int i = 0; i < 60; ++i) {
      const bool tent = i % 3 == 0;
      const bool open = i >= 50 && !tent;
      const Moment out = first + i * day_length;
      text += fmt::format("R{},{},{},{},{},{}\n", 100 + i, moment_text(out, false),
                          tent ? "tent" : "boat",
                          open ? "" : moment_text(out + (tent ? 4 : 9) * day_length, false),
                          open         ? ""
                          : i % 5 == 0 ? "damaged"
                                       : "good",
                          20 + i % 7);
    }
    return text;
  }
  [[nodiscard]] std::string answer(const std::string& prompt) const {
    write_file(folder / "rentals.csv", rentals());
    const Json request{
        {"systemId", "rentals"}, {"contextWindowDays", 100}, {"customPrompt", prompt}};
    return without_lines(
        insights({"request", "--data", (folder / "rentals.csv").string()}, request.dump())
            .json()
            .at("insights")
            .at("rawText"));
  }
};

TEST_F(Durations, AreTheDaysBetweenTwoDates) {
  const Readings readings = load(
      "Out,Back,n\n2025-01-01,2025-01-04,1\n2025-01-02,2025-01-02,2\n2025-01-03,,3\n"
      "2025-01-30,2025-02-02,4\n");
  const Column& time = time_in(readings, "time from Out to Back");
  EXPECT_EQ(time.unit, "days");
  EXPECT_FALSE(time.is_amount);
  EXPECT_THAT(time.numbers,
              ElementsAre(Optional(3.0), Optional(0.0), Eq(std::nullopt), Optional(3.0)));
  EXPECT_THAT(time.open, ElementsAre(0, 0, 1, 0));
}

TEST_F(Durations, WithClockTimesAreHoursOrMinutes) {
  const Readings hours = load(
      "Out,Back,n\n2025-01-01 08:00,2025-01-01 14:30,1\n2025-01-02 09:00,2025-01-03 09:00,2\n");
  EXPECT_EQ(time_in(hours, "time from Out to Back").unit, "h");
  EXPECT_THAT(time_in(hours, "time from Out to Back").numbers,
              ElementsAre(Optional(6.5), Optional(24.0)));
  const Readings minutes = load(
      "Out,Back,n\n2025-01-01 08:00,2025-01-01 08:30,1\n2025-01-02 09:00,2025-01-02 10:00,2\n");
  EXPECT_EQ(time_in(minutes, "time from Out to Back").unit, "min");
  EXPECT_THAT(time_in(minutes, "time from Out to Back").numbers,
              ElementsAre(Optional(30.0), Optional(60.0)));
}

TEST_F(Durations, BeginWithTheDateThatIsEarlierAndFullerWhereverItStands) {
  const Readings readings =
      load("Back,Out,n\n2025-01-04,2025-01-01,1\n2025-01-06,2025-01-02,2\n,2025-01-03,3\n");
  EXPECT_EQ(readings.table.time, "Out");
  EXPECT_EQ(readings.table.rows(), 3U) << "a row that is open is a row";
  EXPECT_THAT(time_in(readings, "time from Out to Back").numbers,
              ElementsAre(Optional(3.0), Optional(4.0), Eq(std::nullopt)));
}

TEST_F(Durations, AreNegativeWhereEitherDateMayComeFirst) {
  const Readings readings = load(
      "Due,Paid,n\n2025-01-10,2025-01-08,1\n2025-01-11,2025-01-14,2\n2025-01-12,2025-01-10,3\n"
      "2025-01-13,2025-01-20,4\n");
  EXPECT_THAT(time_in(readings, "time from Due to Paid").numbers,
              ElementsAre(Optional(-2.0), Optional(3.0), Optional(-2.0), Optional(7.0)));
  EXPECT_THAT(use(readings, "find_faults", Json::object()).at("negative"), IsEmpty());
}

TEST_F(Durations, TellTheRowWhoseDatesAreTheWrongWayRound) {
  const Readings readings = load(
      "Out,Back,n\n2025-01-01,2025-01-04,1\n2025-01-05,2025-01-02,2\n2025-01-06,2025-01-08,3\n");
  EXPECT_THAT(time_in(readings, "time from Out to Back").numbers,
              ElementsAre(Optional(3.0), Eq(std::nullopt), Optional(2.0)));
  EXPECT_THAT(readings.table.problems,
              ElementsAre("rentals.csv:3: Back (2025-01-02) is before Out (2025-01-05); the time "
                          "between them is left out"));
}

TEST_F(Durations, AreNotMadeOfMonthsOrOfDatesThatAreTheSame) {
  const Readings readings = load(
      "Out,Month,Entered,n\n2025-01-05,2025-01,2025-01-05,1\n2025-02-06,2025-02,2025-02-06,2\n");
  for (const Column& column : readings.table.columns) {
    EXPECT_THAT(column.between, IsEmpty()) << column.name;
  }
}

TEST_F(Durations, AnswerHowLongSomethingTook) {
  const std::string text = answer("How long are things out on average?");
  EXPECT_THAT(text, HasSubstr("- time from Out to Back by Thing, on average: boat 9 days "));
  EXPECT_THAT(text, HasSubstr("- time from Out to Back: 7.113 days on average (median 9 days"));
  const Json table = catalogue(load(rentals()));
  EXPECT_THAT(interest_of("How many boats went out?", table).said, IsEmpty())
      << "what asks for no time is not about it";
}

TEST_F(Durations, TellWhatIsStillOpen) {
  EXPECT_THAT(answer("How many are still out?"),
              HasSubstr("- Still open, without 'Back': 7 of 60 rows (11.7 %); the oldest since "
                        "2025-04-22 (rentals.csv:52, R150), 11 days before the last date of the "
                        "table, 2025-05-03; half of them since 2025-04-27 or later; 1 longer than "
                        "any other took.\n"));
  EXPECT_THAT(answer("Which things are not back yet?"),
              HasSubstr("- Still open, without 'Back', by Thing: boat 7 of 40 (17.5 %), tent 0 "
                        "of 20 (0 %).\n"));
  EXPECT_THAT(answer("What is there to know?"), HasSubstr("- Still open, without 'Back': 7 of 60"));
}

TEST_F(Durations, TakeWhatIsNotKnownYetForNoFault) {
  const std::string text = answer("What is there to know?");
  EXPECT_THAT(text, Not(HasSubstr("Condition: 7 missing values")));
  EXPECT_THAT(text, Not(HasSubstr("time from Out to Back: 7 missing")));
}

TEST_F(Durations, DoNotSeemToFallBecauseTheLongOnesHaveNotEnded) {
  // 5 days each fourth time and about 62 otherwise; at the end, only the short ones are over.
  std::string text = "Out,Back,n\n";
  const Moment first = parse_moment("2025-03-03")->moment;
  for (int i = 0; i < 200; ++i) {
    const Moment out = first + i * day_length;
    const int days = i % 4 == 0 ? 5 : 60 + i % 5;
    text += moment_text(out, false) + ",";
    if (days == 5 || i < 138) text += moment_text(out + days * day_length, false);
    text += fmt::format(",{}\n", i % 9);
  }
  const Readings readings = load(text);
  const Json change = use(readings, "find_change", {{"variable", "time from Out to Back"}});
  EXPECT_THAT(change.at("changes"), IsEmpty()) << change;
}

TEST_F(Durations, TwoClockTimesOfARowGiveTheTimeBetweenThem) {
  std::string text = "Date,In,Out,Load\n";
  for (int day = 1; day <= 28; ++day) {
    text += fmt::format("2025-01-{:02},08:{:02},{}:10,5\n", day, day, day == 9 ? 7 : 9);
  }
  const Readings readings = load(text);
  const Column& stay = time_in(readings, "time from In to Out");
  EXPECT_EQ(stay.unit, "min");
  EXPECT_THAT(stay.numbers[0], Optional(69.0));
  EXPECT_THAT(stay.numbers[8], Eq(std::nullopt));
  EXPECT_THAT(readings.table.problems,
              ElementsAre("rentals.csv:10: Out (2025-01-09 07:10) is before In (2025-01-09 08:09); "
                          "the time between them is left out"));
}

TEST_F(Durations, AShiftMayGoOverMidnight) {
  std::string text = "Date,Start,End,Who\n";
  for (int day = 1; day <= 28; ++day) {
    const bool is_night = day % 3 == 0;
    text += fmt::format("2025-01-{:02},{},Ann\n", day, is_night ? "22:00,06:30" : "08:00,16:00");
  }
  const Readings readings = load(text);
  const Column& shift = time_in(readings, "time from Start to End");
  EXPECT_EQ(shift.unit, "h");
  EXPECT_THAT(shift.numbers[0], Optional(8.0));
  EXPECT_THAT(shift.numbers[2], Optional(8.5));
  EXPECT_THAT(readings.table.problems, IsEmpty());
}

}  // namespace
}  // namespace insights::testing
