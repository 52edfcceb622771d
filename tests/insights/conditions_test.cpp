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

TEST_F(Conditions, WhatSomethingCameFromIsNoTimeThatBegins) {
  EXPECT_THAT(answer_to("calls", "How many calls were from Perth in 2024?"),
              HasSubstr("Findings\n- calls (Perth, July to December 2024): 132 in all."));
  EXPECT_THAT(answer_to("calls", "How many calls a day were there from the move in 2025 on?"),
              HasSubstr("2025-01-01 to 2025-06-25"));
}

}  // namespace
}  // namespace insights::testing
