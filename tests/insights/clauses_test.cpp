// Questions of several clauses: what each of them asks, and what it takes from the one before.
#include "insights/clauses.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "insights/bounds.hpp"
#include "insights/insights_run.hpp"

namespace insights::testing {
namespace {

using resumable::test::write_file;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Clauses : public InsightsTest {
 protected:
  /// Orders of a bakery on 100 days from 2025-01-01: one to three a day, six on 2025-02-10. Two of
  /// three are for North, most of them from oven N2 until 2025-03-01, when it was repaired. A
  /// rushed order, one of four, takes 20 minutes, another 60. Until then 10 % of the trays are
  /// burnt, then 5 %; and half of the orders are late, then a quarter.
  Clauses() {
    std::string text = "Placed,Due,Ready,Shop,Oven,Rushed,Trays,Burnt trays,Note\n";
    int number = 0;
    for (int day = 0; day < 100; ++day) {
      const Moment date = parse_moment("2025-01-01")->moment + day * day_length;
      for (int i = 0; i < (day == 40 ? 6 : 1 + day % 3); ++i, ++number) {
        const bool before = day < 59;
        const bool rushed = number % 4 == 1;
        const bool north = number % 3 != 0;
        const bool second = number % 3 == 1 && (before || number % 2 == 0);
        const bool late = number % (before ? 2 : 4) == 0;
        const Moment placed = date + 8 * 3600 + i * 1200;
        const Moment ready = placed + (rushed ? 20 : 60) * 60;
        const auto when = [](Moment at) { return moment_text(at, true); };
        text += fmt::format("{},{},{},{},{}{},{},40,{},{}\n", when(placed),
                            when(late ? ready - 600 : ready + 600), when(ready),
                            north ? "North" : "South", north ? "N" : "S", second ? 2 : 1,
                            rushed ? "Y" : "N", before ? 4 : 2,
                            number % 5 == 0 ? "the usual white loaves"
                            : number == 7   ? "oven North door burnt out again"
                            : number == 9   ? "customer rang about seeds"
                                            : "");
      }
    }
    write_file(folder / "orders.csv", text);
  }

  [[nodiscard]] std::vector<Clause> clauses(const std::string& prompt) const {
    return clauses_of(prompt, catalogue(load_readings(folder / "orders.csv", "orders", 100)));
  }
  [[nodiscard]] std::string answer(const std::string& prompt) const {
    const Json request{
        {"systemId", "orders"}, {"contextWindowDays", 100}, {"customPrompt", prompt}};
    const Said said =
        insights({"request", "--data", (folder / "orders.csv").string()}, request.dump());
    return without_lines(said.json().at("insights").at("rawText"));
  }
};

TEST_F(Clauses, BeginWithAWordThatAsks) {
  const std::vector<Clause> all = clauses(
      "The oven was repaired on 1 March. Which shop has most orders, and which oven there?");
  ASSERT_EQ(all.size(), 3U);
  EXPECT_FALSE(all[0].asks) << "it only tells something";
  EXPECT_EQ(all[1].text, "Which shop has most orders");
  EXPECT_EQ(all[2].text, "which oven there?");
  EXPECT_EQ(clauses("How many orders came by 5 p.m. from Dr. Haas?").size(), 1U);
}

TEST_F(Clauses, ThatNameMonthsTakeNoTimeOfTheOneBefore) {
  const std::vector<Clause> all = clauses(
      "The oven was repaired on 1 March. How many trays were burnt month by month, February, March "
      "and April?");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_TRUE(all[0].about.turns);
  EXPECT_FALSE(all[1].about.turns);
}

TEST_F(Clauses, TakeTheWinnerOfTheOneBefore) {
  EXPECT_THAT(answer("Which shop has most orders, and which oven there?"),
              HasSubstr("- orders (North) by Oven (135 in all): Oven N1 81 "));
}

TEST_F(Clauses, CompareBeforeAndAfterADayThatIsOnlyTold) {
  const std::vector<Clause> all =
      clauses("Oven N2 was repaired on 1 March. Have the orders from that oven come down since?");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[1].about.where.at("Oven"), "N2");
  ASSERT_TRUE(all[1].about.periods);
  EXPECT_EQ(all[1].about.periods->first, "2025-01-01/2025-02-28");
  EXPECT_EQ(all[1].about.periods->second, "2025-03-01/2025-04-10");
}

TEST_F(Clauses, TakeNoValueFromWhatTheyOnlyTellOfATime) {
  EXPECT_THAT(clauses("Are we faster since North got a new oven on 1 March?")[0].about.where,
              IsEmpty());
}

TEST_F(Clauses, SetAYesAgainstAllOthersByAWordWithinTheName) {
  EXPECT_THAT(
      answer("How long does it take when somebody is rushing us, compared with the other "
             "orders?"),
      HasSubstr("- time from Placed to Ready: Rushed Y 20 min on average (median 20 min; 51 "
                "readings), the others 60 min on average"));
}

TEST_F(Clauses, SetATimeAgainstTheRest) {
  EXPECT_THAT(answer("The baker was off from 1 to 28 February. How many trays were burnt, against "
                     "the rest of the time?"),
              HasSubstr("- Burnt trays: 2025-02-01 to 2025-02-28 240 ("));
}

TEST_F(Clauses, OfADayAreAboutTheDayThatWasFound) {
  EXPECT_THAT(answer("Which was the busiest day, and how long did orders take on that day?"),
              ::testing::AllOf(HasSubstr("- orders by day (203 in all): 2025-02-10 6,"),
                               HasSubstr("; 6 readings; ")));
}

TEST_F(Clauses, CountWhatIsALateBeforeAndSince) {
  EXPECT_THAT(answer("Have more orders been ready on time since 1 March?"),
              HasSubstr("- time from Due to Ready above 0 min: since 2025-03-01 20 of 82 (24.4 %), "
                        "before 61 of 121 (50.4 %)."));
}

TEST_F(Clauses, TellWhatPartOfAColumnAnotherIsBeforeAndSince) {
  EXPECT_THAT(answer("Has the new thermostat cut the burnt trays (it is in since 1 March)?"),
              HasSubstr("- Burnt trays as a share of Trays: January to February 2025 10 % (484, "
                        "4840), 2025-03-01 to 2025-04-10 5 % (164, 3280)"));
}

TEST_F(Clauses, MeanNoRemarkWhereTheyNameAColumn) {
  EXPECT_FALSE(
      clauses("How many trays were burnt by the oven door again?")[0].about.where.contains("Note"));
}

TEST(Limits, MayStandBehindTheirNumber) {
  EXPECT_EQ(bound_in("For how many hours was it 15 kW or more?"), (Bound{"at_least", 15, false}));
  EXPECT_EQ(bound_in("How often were there 3 or fewer?"), (Bound{"at_most", 3, false}));
  EXPECT_EQ(bound_in("How often with only one person?"), (Bound{"at_most", 1, false}));
}

}  // namespace
}  // namespace insights::testing
