// Questions in everyday words: what took longest, what is owed, what a verb costs, and more of one
// thing with more of another.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "insights/insights_run.hpp"

namespace insights::testing {
namespace {

using resumable::test::write_file;
using ::testing::HasSubstr;
using ::testing::Not;

class Wording : public InsightsTest {
 protected:
  /// 60 tours in 2024: a boat is called out at 9:00, leaves 10 minutes later and is back after two
  /// hours, the 31st after nine; the 12th is the farthest, 90 km. From July on Bay has all.
  void write_tours() const {
    std::string text = "Called,Left,Back,Shore,Fuel used (l),Way (km)\n";
    for (int i = 0; i < 60; ++i) {
      const std::string day =
          moment_text(parse_moment("2024-01-03")->moment + (5 * i + i * i % 5) * day_length, false);
      text += fmt::format("{0} 09:00,{0} 09:10,{0} {1}:00,{2},{3},{4}\n", day, i == 30 ? 18 : 11,
                          i < 30 ? "Point" : "Bay", 20 + i % 7, i == 11 ? 90 : 10 + i % 5);
    }
    write_file(folder / "tours.csv", text);
  }
  /// Plots P1 to P12 in each month of 2024: a rent of 50 £ is due and paid, but P4 pays nothing in
  /// March, and P9 only 20 £ in May and in June. Plots with a higher number have more visitors, and
  /// these buy more.
  void write_plots() const {
    std::string text = "Month,Plot,Rent due (£),Rent paid (£),Visitors,Sales (£)\n";
    for (int month = 1; month <= 12; ++month) {
      for (int plot = 1; plot <= 12; ++plot) {
        const int paid = plot == 4 && month == 3                   ? 0
                         : plot == 9 && (month == 5 || month == 6) ? 20
                                                                   : 50;
        text += fmt::format("2024-{:02},P{},50,{},{},{}\n", month, plot, paid,
                            10 * plot + month % 3, 30 * plot - month % 2);
      }
    }
    write_file(folder / "plots.csv", text);
  }
  /// 40 loans of tents and stoves: a fee, a deposit and what cleaning costs; the last four are
  /// not back.
  void write_loans() const {
    std::string text = "Lent,Returned,Thing,Fee (€),Deposit (€),Cleaning (€)\n";
    for (int i = 0; i < 40; ++i) {
      const Moment day = parse_moment("2024-02-01")->moment + 3 * i * day_length;
      const bool is_tent = i % 2 == 0;
      text += fmt::format("{},{},{},{},{},{}\n", moment_text(day, false),
                          i < 36 ? moment_text(day + (2 + i % 3) * day_length, false) : "",
                          is_tent ? "Tent" : "Stove", is_tent ? 40 : 60, is_tent ? 25 : 15,
                          is_tent ? 9 : 4);
    }
    write_file(folder / "loans.csv", text);
  }
};

TEST_F(Wording, AnAmountInAUnitIsAddedUpThoughTheRowsHaveItsName) {
  std::string text = "Day,Truck,Load (m³)\n";
  for (int i = 0; i < 40; ++i) text += fmt::format("2024-03-{:02},T{},5\n", i % 28 + 1, i % 3);
  write_file(folder / "gravel.csv", text);
  EXPECT_THAT(answer_to("gravel", "How many cubic metres of gravel did we bring in March?"),
              HasSubstr("Findings\n- Load: 200 m³ in all"));
}

TEST_F(Wording, AVerbMeansTheDateThatIsCalledAfterIt) {
  std::string text = "Order date,Poured on,Mix,Load (m³)\n";
  for (int i = 0; i < 40; ++i) {
    const Moment day = parse_moment("2024-03-04")->moment + 7 * i * day_length;  // Mondays
    text += fmt::format("{},{},A,{}\n", moment_text(day, false),
                        moment_text(day + 2 * day_length, false), 5 + i % 2);
  }
  write_file(folder / "batches.csv", text);
  EXPECT_THAT(answer_to("batches", "On which day of the week do we pour the most?"),
              HasSubstr("Findings\n- Load by weekday (220 m³ in all): Wednesday 220 m³ "));
}

TEST_F(Wording, TheLongestOfEventsIsThatOfItsTimes) {
  write_tours();
  for (const char* prompt : {"What was our longest tour?", "What was our longest mission?",
                             "Which tour took longest?", "Which tour took the longest?"})
    EXPECT_THAT(answer_to("tours", prompt),
                HasSubstr("Findings\n- time from Called to Back: the highest is 9 h on 2024-06-01 "
                          "09:00 ("))
        << prompt;
  EXPECT_THAT(answer_to("tours", "On which tour did we go farthest?"), HasSubstr("90 km"));
}

TEST_F(Wording, HoursOutAreTheSumOfTheTimes) {
  write_tours();
  EXPECT_THAT(answer_to("tours", "How many hours were we out?"),
              HasSubstr("Findings\n- time from Called to Back: 127 h in all."));
  EXPECT_THAT(answer_to("tours", "How many hours did we work for Bay?"),
              HasSubstr("Findings\n- time from Called to Back (Bay): 67 h in all."));
}

TEST_F(Wording, WhatIsOwedIsWhatIsDueLessWhatIsPaid) {
  write_plots();
  const std::string owed =
      "Findings\n- Rent due less Rent paid by Plot (110 £ in all): Plot P9 60 £ (54.5 %), Plot P4 "
      "50 £ (45.5 "
      "%); 0 for the other 10.";
  for (const char* prompt : {"Who owes us rent?", "How much rent is unpaid by each plot?",
                             "Which plots have not paid their rent?"})
    EXPECT_THAT(answer_to("plots", prompt), HasSubstr(owed)) << prompt;
  EXPECT_THAT(answer_to("plots", "How much rent is still owed by P9?"),
              HasSubstr("Findings\n- Rent due less Rent paid (Plot P9): 60 £ in all;"));
}

TEST_F(Wording, MoreOfOneThingWithMoreOfAnotherIsAskedOfTheRows) {
  write_plots();
  for (const char* prompt : {"Do plots with more visitors have higher sales?",
                             "Do plots that have more visitors earn more money?"})
    EXPECT_THAT(
        answer_to("plots", prompt),
        HasSubstr(
            "Findings\n- Sales and Visitors rise and fall together (rank correlation 0.99, 144"))
        << prompt;
}

TEST_F(Wording, WhatOneSpendsIsARatioOfTwoColumns) {
  write_plots();
  EXPECT_THAT(answer_to("plots", "How much does a visitor spend on average at each plot?"),
              HasSubstr("Findings\n- Sales per Visitors by Plot (2.95 £ altogether): "));
}

TEST_F(Wording, TwoValuesAreOneShare) {
  write_plots();
  EXPECT_THAT(answer_to("plots", "What share of the sales comes from P11 or P12?"),
              HasSubstr("29.52 % (8268 of 28,008)."));
}

TEST_F(Wording, AVerbNamesTheColumnOfWhatItCosts) {
  write_loans();
  for (const char* prompt : {"Does a tent cost more to clean than a stove?",
                             "Does washing a tent cost more than a stove?"})
    EXPECT_THAT(
        answer_to("loans", prompt),
        HasSubstr("Findings\n- Cleaning by Thing (6.50 € on average altogether): Tent 9 € ("))
        << prompt;
  EXPECT_THAT(answer_to("loans", "What is still out, and how much deposit do we hold for it?"),
              HasSubstr("- Still open, without 'Returned': Deposit 80 € in all."));
}

TEST_F(Wording, EverythingThatWasEarnedIsNotABroadQuestion) {
  write_loans();
  EXPECT_THAT(answer_to("loans", "What share of everything that was earned comes from tents?"),
              HasSubstr("Findings\n- Fee, share with Thing Tent: 40 % (800 of 2000)."));
}

}  // namespace
}  // namespace insights::testing
