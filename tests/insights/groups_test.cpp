// Questions that set one category against another.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "insights/insights_run.hpp"

namespace insights::testing {
namespace {

using resumable::test::write_file;
using ::testing::HasSubstr;
using ::testing::Not;

class Groups : public InsightsTest {
 protected:
  /// Contracts of two areas and three tariffs: of 20 urban ones 8 are cancelled, 2 of 25 rural
  /// ones, and of 3 rural ones the status is not known.
  Groups() {
    std::string text = "Signed,Area,Tariff,Status,Fee (EUR)\n";
    const Moment first = parse_moment("2025-03-03")->moment;
    for (int i = 0; i < 48; ++i) {
      const bool urban = i < 20;
      const bool cancelled = urban ? i < 8 : i < 22;
      text += fmt::format("{},{},{},{},{}\n", moment_text(first + (i * 7 % 48) * day_length, false),
                          urban ? "urban" : "rural", i % 4 == 0 ? "Basic" : "Family",
                          i >= 45     ? ""
                          : cancelled ? "cancelled"
                                      : "active",
                          20 + i % 5);
    }
    write_file(folder / "contracts.csv", text);
  }

  [[nodiscard]] std::string answer(const std::string& prompt) const {
    const Json request{
        {"systemId", "contracts"}, {"contextWindowDays", 100}, {"customPrompt", prompt}};
    const Said said =
        insights({"request", "--data", (folder / "contracts.csv").string()}, request.dump());
    return without_lines(said.json().at("insights").at("rawText"));
  }
};

TEST_F(Groups, AnswerWithTheShareOfAnOutcomeInEach) {
  const std::string stated =
      "\nFindings\n- Status 'cancelled' by Area: urban 40 % (8 of 20), rural 8 % (2 of 25); 3 rows "
      "without Status are left out.\n";
  EXPECT_THAT(answer("Do urban customers cancel more often than rural ones?"), HasSubstr(stated));
  EXPECT_THAT(answer("Which area has the highest share of cancellations?"), HasSubstr(stated));
  EXPECT_THAT(answer("Are urban customers more likely to cancel?"),
              HasSubstr("- Status 'cancelled' by Area: urban 40 % (8 of 20), rural 8 %"));
}

TEST_F(Groups, AreCountedAmongTheRowsOfAThirdCategory) {
  EXPECT_THAT(answer("Do urban or rural customers of the Basic tariff cancel more often?"),
              HasSubstr("- Basic: Status 'cancelled' by Area: urban 40 % (2 of 5), rural 14.3 % "
                        "(1 of 7; contracts.csv:22).\n"));
}

TEST_F(Groups, SayOfWhatAShareIsAndASecondOneOnlyWhereItDiffers) {
  EXPECT_THAT(answer("How many contracts were cancelled in each area?"),
              HasSubstr("- the readings (cancelled) by Area (10 in all): urban 80 % (8; 40.0 % of "
                        "its 20), rural 20 % (2; 7.1 % of its 28).\n"));
  EXPECT_THAT(answer("How many contracts of the Family tariff are in each area?"),
              HasSubstr("- the readings (Family) by Area (36 in all): rural 58.3 % (21), urban "
                        "41.7 % (15).\n"))
      << "75 % of both areas";
}

TEST_F(Groups, AreNotSetAgainstEachOtherWhenNoOutcomeIsNamed) {
  EXPECT_THAT(answer("Which area pays the highest fee?"), Not(HasSubstr("' by Area")));
}

/// Letters of three routes on 45 days from 2025-06-02: Hill stops after day 24, Coast starts on day
/// 20, Plain has neither rows on Sundays nor on three days in a row.
std::string routes(bool all_along) {
  std::string text = "Day,Route,Letters\n";
  const Moment first = parse_moment("2025-06-02")->moment;
  for (int i = 0; i < 45; ++i) {
    const std::string day = moment_text(first + i * day_length, false);
    if (i <= 24 || all_along) text += fmt::format("{},Hill,{}\n", day, 40 + i % 7);
    if (i >= 20 || all_along) text += fmt::format("{},Coast,{}\n", day, 60 + i % 5);
    const bool is_away = i % 7 == 6 || (i >= 30 && i < 33);
    if (!is_away) text += fmt::format("{},Plain,{}\n", day, 50 + i % 6);
  }
  return text;
}

TEST_F(Groups, ThatHaveStoppedOrAreNewAreTold) {
  write_file(folder / "contracts.csv", routes(false));
  const std::string stopped =
      "- Route Hill: last on 2025-06-26, 20 days before the end of the table; it usually comes "
      "every day.\n";
  const std::string begun =
      "- Route Coast: first on 2025-06-22, 20 days after the start of the table; from then on it "
      "usually comes every day.\n";
  EXPECT_THAT(answer("Has any route stopped?"), HasSubstr("\nFindings\n" + stopped + begun));
  EXPECT_THAT(answer("Which routes are new?"), HasSubstr(begun));
  EXPECT_THAT(answer("Has the Hill route stopped?"), HasSubstr(stopped));
  EXPECT_THAT(answer("What is there to know?"), HasSubstr(stopped));
  EXPECT_THAT(answer("Has any route stopped?"), Not(HasSubstr("Route Plain: last")));
}

TEST_F(Groups, ThatAreThereAllAlongAreNoNews) {
  write_file(folder / "contracts.csv", routes(true));
  EXPECT_THAT(answer("Has any route stopped?"),
              HasSubstr("No value of Route has stopped or is new"));
  EXPECT_THAT(answer("How many letters were there?"), Not(HasSubstr("stopped")));
}

}  // namespace
}  // namespace insights::testing
