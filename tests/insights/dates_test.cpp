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

}  // namespace
}  // namespace insights::testing
