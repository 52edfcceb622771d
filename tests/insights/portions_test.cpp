// Of what a share is asked, what failed, and what is left out.
#include <fmt/format.h>

#include "insights/insights_run.hpp"
#include "insights/moments.hpp"

namespace insights::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Portions : public InsightsTest {
 protected:
  /// 120 inspections on 52 days from Wednesday 2025-01-01, of lamps and fans in turn: 30 of 60
  /// lamps and 15 of 60 fans are not sealed. Ida did 100, of which 38 are not sealed, Olaf 20.
  Portions() {
    std::string text = "day,thing,by,result,paid,fee (EUR)\n";
    Moment day = parse_moment("2024-12-31")->moment;
    for (int i = 0; i < 120; ++i) {
      if (i % 7 == 0 || i % 7 == 2 || i % 7 == 3) day += day_length;
      const bool is_lamp = i % 2 == 0;
      const bool is_open = is_lamp ? i % 4 == 0 : i % 8 == 1;
      const char* const paid = i % 3 == 0 ? "cash" : i % 3 == 1 ? "card" : "voucher";
      text += fmt::format("{},{},{},{},{},{}\n", moment_text(day, false), is_lamp ? "Lamp" : "Fan",
                          i < 100 ? "Ida" : "Olaf", is_open ? "not sealed" : "sealed", paid,
                          is_lamp ? 10 : 20);
    }
    resumable::test::write_file(folder / "checks.csv", text);
  }
  [[nodiscard]] std::string answer(const std::string& prompt) const {
    return answer_to("checks", prompt);
  }
};

TEST_F(Portions, AreSharesOfWhatIsNamedFirst) {
  for (const char* prompt :
       {"What share of the lamps was not sealed?", "What share of the lamps could not be sealed?",
        "How many per cent of the lamps were not sealed?",
        "What is the share of not sealed ones among the lamps?",
        "What percentage of lamps failed?"})
    EXPECT_THAT(answer(prompt), HasSubstr("(Lamp), share with result not sealed: 50 % (30 of 60"))
        << prompt;
  EXPECT_THAT(answer("What share of those not sealed are lamps?"),
              HasSubstr("(not sealed), share with thing Lamp: 66.67 % (30 of 45"));
}

TEST_F(Portions, WithoutWhatIsLeftOutAreComputed) {
  EXPECT_THAT(answer("How many checks were there, leaving out cash and cards?"),
              HasSubstr("Findings\n- checks (all but card and cash): 40 in all"));
  EXPECT_THAT(answer("How much did we take altogether, without vouchers?"),
              HasSubstr("fee (all but voucher): "));
  EXPECT_THAT(answer("How much did we take apart from cash and card?"),
              HasSubstr("fee (all but card and cash): 600 EUR in all"));
}

TEST_F(Portions, WithoutWeekdaysAreComputed) {
  // Of the 52 days 7 are Sundays, with 15 checks.
  const std::string sundays = answer("How many checks were there without Sundays?");
  EXPECT_THAT(sundays, HasSubstr("checks (all but Sundays): 105 in all"));
  EXPECT_THAT(sundays, HasSubstr("; 45 days"));
  EXPECT_THAT(sundays, Not(HasSubstr("in the course of a week")));
  EXPECT_THAT(answer("How many checks were there on days other than weekends?"),
              HasSubstr("checks (all but Saturdays and Sundays): "));
}

TEST_F(Portions, OfDifferentValuesAreCountedWithinWhatIsAskedAbout) {
  EXPECT_THAT(answer("How many different things did Olaf check?"),
              HasSubstr("Findings\n- different values of thing (Olaf): 2 (Fan, Lamp; 20 rows"));
  EXPECT_THAT(answer("How many different ways to pay by were there on 1 January?"),
              HasSubstr("Not counted: how many different ways"));
  EXPECT_THAT(answer("How many different results did each thing have?"),
              HasSubstr("different values of result by thing (2 altogether): Fan 2 ("));
}

TEST_F(Portions, OfTheWeekSayWhichHasMore) {
  for (const char* prompt : {"Do we take more at weekends?", "Is the weekend better than weekdays?",
                             "Weekends against weekdays, which brings more money a day?"}) {
    const std::string text = answer(prompt);
    EXPECT_THAT(text, HasSubstr("Findings\n- fee by weekend (1800 EUR in all)")) << prompt;
    EXPECT_THAT(text, HasSubstr(" EUR more a day")) << prompt;
  }
}

TEST_F(Portions, OfAllTheTimeAreCompared) {
  EXPECT_THAT(answer("How many checks in the first half of the season against the second half?"),
              HasSubstr("checks: 2025-01-01 to 2025-01-26 59 (26 days"));
  EXPECT_THAT(answer("What did we take in the first half against the second?"),
              HasSubstr("fee: 2025-01-01 to 2025-01-26 "));
  EXPECT_THAT(answer("Did we earn more at the beginning or at the end?"),
              HasSubstr("fee: 2025-01-01 to 2025-01-13 "));
  EXPECT_THAT(answer("What did we take in the first half of February?"),
              HasSubstr("2025-02-01 to 2025-02-15"));
}

TEST_F(Portions, OfWhatIsNotSealedTellNoOtherWayRound) {
  EXPECT_THAT(answer("What share of the lamps was not sealed?"), Not(HasSubstr("thing 'Lamp' by")));
}

TEST_F(Portions, TellNothingOfWhatHasStopped) {
  EXPECT_THAT(answer("What share of the lamps was not sealed?"),
              Not(HasSubstr("has stopped or is new")));
}

TEST_F(Portions, OfSeveralThingsAreToldForEach) {
  EXPECT_THAT(answer("What share of the lamps and of the fans was not sealed?"),
              HasSubstr("by thing (37.5 % altogether): Lamp 50 % (30 of 60), Fan 25 % (15 of 60)"));
}

TEST_F(Portions, FailuresAreWhatIsNotSo) {
  EXPECT_THAT(answer("Who had the most failures?"),
              HasSubstr("Findings\n- checks (not sealed) by by (45 in all): Ida 38"));
  EXPECT_THAT(answer("Which thing has the highest failure rate?"),
              HasSubstr("share with result not sealed by thing (37.5 % altogether): Lamp 50 %"));
  EXPECT_THAT(answer("How many successes were there?"), HasSubstr("checks (sealed): 75 in all"));
}

TEST_F(Portions, WhatThereIsMostOfAndNobodyKnowsIsNamed) {
  EXPECT_THAT(answer("Who had the most dragons?"),
              HasSubstr("Not found in the data: no column and no value is called \"dragons\"."));
  EXPECT_THAT(answer("Who had the most checks?"), Not(HasSubstr("Not found")));
}

}  // namespace
}  // namespace insights::testing
