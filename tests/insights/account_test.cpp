// What an answer says of the words of a question that were not used for it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "insights/insights_run.hpp"

namespace insights::testing {
namespace {

using resumable::test::write_file;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* const not_as_asked =
    "What follows does not answer the question as it was asked.\n";

/// A small office's expenses, four a month for fifteen months: two ferries and two cafés.
class Accounts : public InsightsTest {
 protected:
  Accounts() {
    std::string text = "Paid,Bill,Payee,Clerk,Amount £,Minutes\n";
    const std::vector<const char*> payees{"North Ferry Line", "Harbour Cafe", "South Ferry Line",
                                          "Old Mill Cafe"};
    for (int i = 0; i < 60; ++i) {
      text += fmt::format("2024-{:02}-{:02},B{},{},{},{},{}\n", i / 5 + 1, i % 5 * 5 + 2, 4100 + i,
                          payees[static_cast<std::size_t>(i % 4)], i % 3 == 0 ? "Ann" : "Joe",
                          20 + i % 7, 10 + i % 5);
    }
    write_file(folder / "expenses.csv", text);
  }
  [[nodiscard]] std::string ask(const char* prompt) const { return answer_to("expenses", prompt); }
};

TEST_F(Accounts, AWordOfSeveralValuesIsUsed) {
  EXPECT_THAT(ask("How much did we spend on the ferry in March?"),
              AllOf(HasSubstr("- Amount (North Ferry Line or South Ferry Line, March 2024): 68 £"),
                    Not(HasSubstr("Not used"))));
}

TEST_F(Accounts, ANumberThatNothingIsRestrictedToIsTold) {
  EXPECT_THAT(ask("What was the amount on page 4111?"),
              HasSubstr(fmt::format("Not used: \"4111\". {}", not_as_asked)));
  EXPECT_THAT(ask("What was the amount on 2 March 2024?"), Not(HasSubstr("Not used")));
  EXPECT_THAT(ask("How often was the amount above 22 £?"), Not(HasSubstr("Not used")));
  EXPECT_THAT(ask("How often did it take more than a quarter, 0.2 hours?"), Not(HasSubstr("0.2")))
      << "a limit in another unit than that of the column";
}

TEST_F(Accounts, ALimitInWordsIsTold) {
  EXPECT_THAT(ask("Which payee did Ann pay more than once?"),
              HasSubstr("Not used: \"more than once\""));
  EXPECT_THAT(ask("Which clerk is in the top ten?"), HasSubstr("Not used: \"top ten\""));
}

TEST_F(Accounts, AUnitThatNoFigureIsInIsTold) {
  EXPECT_THAT(ask("How many kilometres did Ann go?"), HasSubstr("\"kilometres\""));
  EXPECT_THAT(ask("How many hours did Ann need?"), Not(HasSubstr("\"hours\"")));
}

TEST_F(Accounts, WhatIsLeftOutIsTold) {
  EXPECT_THAT(ask("What share of the amount is not for North Ferry Line?"),
              HasSubstr("Not used: \"not\"."));
}

TEST_F(Accounts, RowsThatAreAskedForAreCounted) {
  EXPECT_THAT(
      ask("How many expenses do we have for each clerk?"),
      AllOf(HasSubstr("- expenses by Clerk (60 in all): Joe 40"), Not(HasSubstr("Not used"))));
}

TEST_F(Accounts, BesideAnotherQuestionFewFindingsAreTold) {
  const std::string text = ask("Who spent the most, of the top ten?");
  EXPECT_THAT(text, HasSubstr(not_as_asked));
  EXPECT_THAT(text, Not(HasSubstr("\nFigures\n")));
}

TEST_F(Accounts, WhatIsUsedOrSaysNothingIsNotTold) {
  for (const char* const asked :
       {"Roughly how much did Ann pay?", "How often was it fewer than 12 minutes?",
        "Which payee haven't we paid much?", "How much money went to Harbour Cafe?",
        "Who paid the most, Ann or Joe?", "Has Ann paid less since 1 July, when fares rose?"}) {
    EXPECT_THAT(ask(asked), Not(HasSubstr("Not used"))) << asked;
    EXPECT_THAT(ask(asked), Not(HasSubstr("Not found"))) << asked;
  }
}

TEST_F(Accounts, WhoIsInAColumnThatIsCalledAfterWhatTheyDo) {
  std::string text = "Day,Runner,Minutes\n";
  for (int i = 0; i < 60; ++i)
    text += fmt::format("2024-{:02}-{:02},{},{}\n", i / 20 + 1, i % 20 + 1,
                        i % 2 == 0 ? "Tom" : "Nell", 30 + i % 7);
  write_file(folder / "runs.csv", text);
  EXPECT_THAT(answer_to("runs", "Who was there the most?"), Not(HasSubstr("does not say who")));
}

}  // namespace
}  // namespace insights::testing
