// Tables whose rows have several dates: which one is the rows' time, and whose a clock is.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "insights/insights_run.hpp"

namespace insights::testing {
namespace {

using resumable::test::write_file;

class SeveralDates : public InsightsTest {
 protected:
  /// Tours that were booked a week before: 40 days from 2025-01-01.
  [[nodiscard]] Table table(const std::string& file, const std::string& header,
                            const std::string& prompt = "", bool has_clock = true) const {
    std::string text = header + "\n";
    for (int i = 0; i < 40; ++i) {
      const auto day = [&](int days) {
        return moment_text(parse_moment("2025-01-01")->moment + (i + days) * day_length, false);
      };
      text += fmt::format("{},{},{}{}\n", day(0), day(7), has_clock ? "14:30," : "", 3 + i % 4);
    }
    write_file(folder / file, text);
    const std::string name = file.substr(0, file.find('.'));
    return load_readings(folder / file, name, 100, prompt).table;
  }
};

TEST_F(SeveralDates, AClockBelongsToTheDateBesideItAndMakesItTheTime) {
  const Table clock = table("visits.csv", "Booked on,Arrival,Start,Guests");
  EXPECT_EQ(clock.time, "Arrival");
  EXPECT_EQ(clock.when(0), "2025-01-08 14:30");
}

TEST_F(SeveralDates, AClockWithAWordOfADateBelongsToIt) {
  const Table clock = table("visits.csv", "Order date,Delivery date,Order time,Guests");
  EXPECT_EQ(clock.time, "Order date");
  EXPECT_EQ(clock.when(0), "2025-01-01 14:30");
}

TEST_F(SeveralDates, ADateNamedAfterTheRowsOrNothingElseIsTheTime) {
  EXPECT_EQ(table("tours.csv", "Booked on,Tour date,Guests", "", false).time, "Tour date");
  EXPECT_EQ(table("orders.csv", "Order date,Delivery date,Guests", "", false).time, "Order date");
  EXPECT_EQ(table("log.csv", "Entered,Date,Guests", "", false).time, "Date");
  EXPECT_EQ(table("log.csv", "Entered,Finished,Guests", "", false).time, "Entered");
}

TEST_F(SeveralDates, ADateThatTheQuestionNamesIsTheTime) {
  const char* const header = "Booked on,Tour date,Guests";
  EXPECT_EQ(table("tours.csv", header, "How many were booked in May?", false).time, "Booked on");
  EXPECT_EQ(table("log.csv", header, "Busiest weekday for tour date?", false).time, "Tour date");
  EXPECT_EQ(table("tours.csv", header, "Were many booked?", false).time, "Tour date")
      << "no day is asked about";
  EXPECT_EQ(table("tours.csv", header, "Were more booked on time in May?", false).time, "Tour date")
      << "that is no day";
  EXPECT_EQ(table("tours.csv", header, "Days from booked to tour date?", false).time, "Tour date")
      << "both are named";
}

/// Forty orders of 2025, two a day from 1 January; each third has not been sent yet, the others
/// were sent 40 days later.
class Orders : public InsightsTest {
 protected:
  Orders() {
    std::string text = "Order date,Shipped on,Hours,Kind,Pieces\n";
    for (int i = 0; i < 40; ++i) {
      const auto day = [&](int days) {
        return moment_text(parse_moment("2025-01-01")->moment + (i / 2 + days) * day_length, false);
      };
      text += fmt::format("{},{},{},{},{}\n", day(0), i % 3 == 0 ? "" : day(40), 2 + i % 2,
                          i % 2 ? "large" : "small", 1 + i % 4);
    }
    write_file(folder / "orders.csv", text);
  }
  [[nodiscard]] Table table(const std::string& prompt) const {
    return load_readings(folder / "orders.csv", "orders", 10'000, prompt).table;
  }
  [[nodiscard]] std::string answer(const std::string& prompt) const {
    const Json request{
        {"systemId", "orders"}, {"contextWindowDays", 10'000}, {"customPrompt", prompt}};
    return without_lines(
        insights({"request", "--data", (folder / "orders.csv").string()}, request.dump())
            .json()
            .at("insights")
            .at("rawText"));
  }
};

TEST_F(Orders, WhatHappensOnADateNamesIt) {
  EXPECT_EQ(table("How many were sent out in February?").time, "Shipped on");
  EXPECT_EQ(table("How many orders were there in January?").time, "Order date");
  EXPECT_EQ(table("How many were not sent out in February?").time, "Order date");
  EXPECT_EQ(table("What share was sent in February?").time, "Order date");
}

TEST_F(Orders, OnWhichItHasNotHappenedAreOnNoneOfItsDays) {
  EXPECT_EQ(table("How many were sent out in February?").rows(), 26);
  EXPECT_EQ(table("How many orders were there in January?").rows(), 40);
  EXPECT_EQ(table("When was the order of 3 January sent?").rows(), 40) << "it may not have been";
}

TEST_F(Orders, LastAsLongAsTheirOwnColumnSays) {
  EXPECT_THAT(answer("How long does a large one last on average?"),
              ::testing::HasSubstr("- Hours (large): 3 h each time"));
  EXPECT_THAT(answer("How long does it take on average until an order is sent?"),
              ::testing::HasSubstr("- time from Order date to Shipped on: 40 days each time"));
}

}  // namespace
}  // namespace insights::testing
