// A table of the sources stands under the question that it answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memo_run.hpp"

namespace memo::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string deck =
    "# Acme\n\nAcme bakes bread for hotels and hospitals.\n\n## Team\n\nAda Byron is the managing "
    "director.\n\n## Risks\n\nOne mill delivers all our flour.\n\n";

MemoRun memo_of_bakers() {
  ExtractiveProvider provider;
  return run_memo(
      {provider, {}, {}}, {"Acme"},
      {make_source("2024-06-deck.md", deck),
       make_source("people.csv",
                   "item,value\nManaging director,Ada Byron\nFounders,Ada Byron and Alan Turing\n"),
       make_source("prices.csv",
                   "product,price per crate,price 2023\nRye,€12,€11\nWheat,€10,€9\n")});
}

/// The text of the memo under a heading of the third level.
std::string under(const std::string& heading, const std::string& markdown) {
  const auto at = markdown.find("### " + heading + "\n");
  if (at == std::string::npos) return {};
  return markdown.substr(at, markdown.find("\n#", at) - at);
}

TEST(Tables, StandUnderTheQuestionThatTheyAnswer) {
  const auto run = memo_of_bakers();
  const std::string prices = under("Prices and changes", run.draft.markdown);
  EXPECT_THAT(prices, HasSubstr("**Table: Prices**"));
  EXPECT_THAT(prices, HasSubstr("| Rye | €12 | €11 |"));
  EXPECT_TRUE(run.validation.citation_validation->invalid.empty());
}

TEST(Tables, ThatAnswerNoQuestionAreLeftOut) {
  const auto run = memo_of_bakers();
  EXPECT_THAT(run.draft.markdown, Not(HasSubstr("2024-06 |"))) << "when the papers are of";
  EXPECT_THAT(run.draft.markdown, Not(HasSubstr("Table: People")));
}

}  // namespace
}  // namespace memo::testing
