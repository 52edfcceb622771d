// What a question restricts the rows to: parts of the day, and what something came from.
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

class Conditions : public InsightsTest {
 protected:
  /// Calls to two towns from 2024-07-01 to 2025-06-25, at most one each in the morning, the
  /// afternoon and the evening; those in the evening are to Perth.
  Conditions() {
    std::string text = "Time,Town,Talk (min),Session\n";
    const Moment first = parse_moment("2024-07-01")->moment;
    for (int day = 0; day < 360; ++day) {
      for (const int hour : {9, 13, 18}) {
        if ((day * day + hour) % 7 < 2) continue;
        text +=
            fmt::format("{} {:02}:{:02},{},{},{}\n", moment_text(first + day * day_length, false),
                        hour, day * 7 % 60, hour == 18 ? "Perth" : "Crieff", hour == 18 ? 20 : 5,
                        day % 2 == 0 ? "Evening class" : "none");
      }
    }
    write_file(folder / "calls.csv", text);
  }
};

TEST_F(Conditions, APartOfTheDayIsItsHours) {
  EXPECT_THAT(answer_to("calls", "How many calls are in the evening?"),
              HasSubstr("Findings\n- calls from 17:00 to 22:00: 257 in all."));
  EXPECT_THAT(answer_to("calls", "How long were the morning calls?"),
              HasSubstr("Findings\n- Talk from 06:00 to 12:00: 1800 min in all."));
  EXPECT_EQ(hours_in("after nine in the morning"), std::pair(9, 24));
  EXPECT_EQ(hours_in("at nine in the morning"), std::nullopt);
}

TEST_F(Conditions, PartsOfTheDayThatAreComparedAreToldByHour) {
  for (const char* const asked : {"Do I call Perth more in the evening or in the morning?",
                                  "Do I call more in the evening than in the morning?"}) {
    EXPECT_THAT(answer_to("calls", asked), HasSubstr(" by hour (")) << asked;
  }
}

TEST_F(Conditions, AValueThatIsCalledAfterAPartOfTheDayIsNoTime) {
  const std::string text = answer_to("calls", "How many calls were in the evening class?");
  EXPECT_THAT(text, HasSubstr("Findings\n- calls (Evening class): 386 in all."));
}

TEST_F(Conditions, ANumberWithTheUnitOfAColumnIsOneOfItsNumbers) {
  EXPECT_THAT(
      answer_to("calls", "How many calls to Perth were there with 20 minutes in 2024?"),
      HasSubstr("Findings\n- calls (Talk 20 min, Perth, July to December 2024): 132 in all."));
  EXPECT_THAT(answer_to("calls", "Which town gets the most 5-minute calls?"),
              HasSubstr("- the readings (Talk 5 min) by Town (515 in all"));
  EXPECT_THAT(answer_to("calls", "How many calls took 7 minutes?"), Not(HasSubstr("Talk 7 min")))
      << "no call did";
  EXPECT_THAT(answer_to("calls", "How many calls were there in the last 20 minutes?"),
              Not(HasSubstr("Talk 20 min")));
}

TEST_F(Conditions, ALimitMayHaveTheSignOfAUnit) {
  std::string text = "Time,Station,Power (W)\n";
  for (int i = 0; i < 60; ++i) {
    text += fmt::format("2025-03-{:02} {:02}:00,{},{}\n", i * i % 28 + 1, 9 + i % 9,
                        i % 3 == 0 ? "A1" : "B2", i % 2 == 0 ? 100 : 5);
  }
  write_file(folder / "log.csv", text);
  EXPECT_THAT(answer_to("log", "How many were worked with more than 50 W?"),
              HasSubstr("Power: above 50 W in 30 of 60 readings"));
  EXPECT_THAT(answer_to("log", "How many entries are there at 5 watts?"),
              HasSubstr("(Power 5 W): 30 in all"));
}

TEST_F(Conditions, WhatSomethingCameFromIsNoTimeThatBegins) {
  EXPECT_THAT(answer_to("calls", "How many calls were from Perth in 2024?"),
              HasSubstr("Findings\n- calls (Perth, July to December 2024): 132 in all."));
  EXPECT_THAT(answer_to("calls", "How many calls a day were there from the move in 2025 on?"),
              HasSubstr("2025-01-01 to 2025-06-25"));
}

/// Lessons of two teachers that took place, were cancelled late or early, or nobody came.
class SharedWords : public InsightsTest {
 protected:
  SharedWords() {
    std::string text = "Time,Teacher,Outcome,Paid (EUR)\n";
    const Moment first = parse_moment("2025-01-01")->moment;
    for (int i = 0; i < 200; ++i) {
      const char* outcome = i % 10 == 0   ? "Cancelled late"
                            : i % 10 == 1 ? "Cancelled in good time"
                            : i % 10 == 2 ? "No show"
                                          : "Done";
      const bool is_ida = i % 40 == 0 || i % 3 == 0;
      text +=
          fmt::format("{} {:02}:00,{},{},{}\n", moment_text(first + i * i % 97 * day_length, false),
                      i % 10 < 2 ? 10 : 9 + i % 8, is_ida ? "Ida" : "Olaf", outcome, i % 10 + 20);
    }
    write_file(folder / "lessons.csv", text);
  }
};

TEST_F(SharedWords, AValueIsMeantOfWhichMoreWordsAreSaid) {
  // Of 20 that were cancelled late, 10 are Ida's: each 30th, and each 40th.
  for (const char* const asked : {"Which teacher has the most late cancellations?",
                                  "Which teacher has the most Cancelled late?",
                                  "How many lessons were cancelled late for each teacher?"}) {
    EXPECT_THAT(answer_to("lessons", asked),
                HasSubstr("- lessons (Cancelled late) by Teacher (20 in all): "))
        << asked;
  }
}

TEST_F(SharedWords, ValuesThatAreSaidByOneWordAreCountedTogetherWhereGroupsAre) {
  EXPECT_THAT(
      answer_to("lessons", "Which teacher has the most cancelled lessons?"),
      HasSubstr("- lessons (Cancelled in good time or Cancelled late) by Teacher (40 in all"));
  EXPECT_THAT(answer_to("lessons", "At which hour are most lessons cancelled?"),
              HasSubstr("- lessons (Cancelled in good time or Cancelled late) by hour (40 in all"));
  EXPECT_THAT(answer_to("lessons", "What share of the lessons of each teacher is cancelled?"),
              HasSubstr("share with Outcome Cancelled in good time or Cancelled late by Teacher"));
  EXPECT_THAT(answer_to("lessons", "Which teacher has the most lessons called off?"),
              HasSubstr("- lessons (Cancelled in good time or Cancelled late) by Teacher ("));
  EXPECT_THAT(answer_to("lessons", "How many lessons were cancelled?"),
              HasSubstr("Cancelled late 20 "));
}

TEST_F(SharedWords, WeekdaysThatAreSetBesideEachOtherAreTheOnlyOnes) {
  const std::string text = answer_to("lessons", "Do we earn more on Mondays or on Saturdays?");
  EXPECT_THAT(text, HasSubstr("Findings\n- Paid (Mondays or Saturdays) by weekday ("));
  EXPECT_THAT(answer_to("lessons", "How much was paid from Monday to Friday?"),
              Not(HasSubstr("Mondays or Fridays")));
}

}  // namespace
}  // namespace insights::testing
