// What is asked of persons with many rows, of one of several on average, of the how manieth, and of
// so much per hour.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "insights/insights_run.hpp"

namespace insights::testing {
namespace {

using resumable::test::write_file;
using ::testing::HasSubstr;
using ::testing::Not;

class OfEach : public InsightsTest {
 protected:
  /// 120 rides on irregular days of 2025: riders R0 to R29, four rides each, of 30 or 45 minutes;
  /// those with an even number are of Ayr, the others of Troon. The guide Una leads those of R0 to
  /// R9, Vic the others. A ride costs 10 or 20 £, and a rider's fourth is a fall.
  OfEach() {
    std::string text = "Date,Rider,Home town,Guide,Try,Length (mins),Paid (£),End\n";
    for (int i = 0; i < 120; ++i) {
      const int rider = i % 30;
      const Moment day = parse_moment("2025-01-01")->moment + (i * i / 7 + i) % 97 * day_length;
      text += fmt::format("{},R{},{},{},{},{},{},{}\n", moment_text(day, false), rider,
                          rider % 2 == 0 ? "Ayr" : "Troon", rider < 10 ? "Una" : "Vic", i / 30 + 1,
                          rider < 10 ? 30 : 45, rider < 10 ? 10 : 20, i < 90 ? "Fine" : "Fall");
    }
    write_file(folder / "rides.csv", text);
  }
  [[nodiscard]] std::string answer(const std::string& prompt) const {
    return answer_to("rides", prompt);
  }
};

TEST_F(OfEach, CountsPersonsAndNotTheirRows) {
  EXPECT_THAT(
      answer("How many riders come from each home town?"),
      HasSubstr("Findings\n- different values of Rider by Home town (30 altogether): Ayr 15 "
                "(60 rows), Troon 15 (60 rows)."));
  EXPECT_THAT(answer("How many riders did Una guide?"),
              HasSubstr("Findings\n- different values of Rider (Una): 10 ("));
  EXPECT_THAT(answer("How many rides did Una guide?"), HasSubstr("Findings\n- rides (Una): 40"));
}

TEST_F(OfEach, GivesTheMeanOfTheSumsOfPersons) {
  EXPECT_THAT(answer("How many rides does a rider have on average?"),
              HasSubstr("Findings\n- rides per Rider on average: 4 (median 4; 120 in 30 different "
                        "Rider)."));
  EXPECT_THAT(answer("How much does a rider pay on average?"),
              HasSubstr("Findings\n- Paid per Rider on average: 66.67 £ (median 80 £; 2000 £ in 30 "
                        "different Rider)."));
}

TEST_F(OfEach, GivesTheMeanOfTheSumsOfMonths) {
  EXPECT_THAT(answer("How many rides does each guide do in a month?"),
              HasSubstr("Findings\n- rides a month on average by Guide (30 altogether): Vic 20 ("));
  EXPECT_THAT(answer("How many rides did we do a year ago?"), Not(HasSubstr("a year on average")));
}

TEST_F(OfEach, RestrictsToTheHowManieth) {
  EXPECT_THAT(answer("How many rides were fine at the third attempt?"),
              HasSubstr("Findings\n- rides (Fine, Try 3): 30 in all."));
  EXPECT_THAT(answer("When did R3 ride for the first time?"),
              HasSubstr("- Rider R3, the first of 4 rows: "));
}

TEST_F(OfEach, TellsWhatIsPaidPerHourOfTheMinutes) {
  EXPECT_THAT(answer("Which guide brings in the most money per hour?"),
              HasSubstr("Findings\n- Paid per h of Length by Guide (25 £ altogether): Vic 26.67 £ "
                        "(1600 £, 3600 min), Una 20 £ (400 £, 1200 min)."));
  EXPECT_THAT(answer("How many hours did Una guide?"),
              HasSubstr("Findings\n- Length (Una): 20 h in all."));
}

TEST_F(OfEach, TellsItPerThousand) {
  EXPECT_THAT(answer("How much is paid per thousand minutes of length?"),
              HasSubstr("Findings\n- Paid per 1000 min of Length: 416.67 £ (2000 £, 4800 min)"));
}

}  // namespace
}  // namespace insights::testing
