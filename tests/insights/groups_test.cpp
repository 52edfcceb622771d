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
    return said.json().at("insights").at("rawText");
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
                        "(1 of 7).\n"));
}

TEST_F(Groups, AreNotSetAgainstEachOtherWhenNoOutcomeIsNamed) {
  EXPECT_THAT(answer("Which area pays the highest fee?"), Not(HasSubstr("' by Area")));
}

}  // namespace
}  // namespace insights::testing
