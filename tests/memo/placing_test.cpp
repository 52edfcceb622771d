// A statement under a question that it hardly fits costs points, and is named.
#include "memo/placing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "memo_run.hpp"

namespace memo {
namespace {

using Json = nlohmann::json;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Answers each question with what was found for another one.
class MisplacingProvider final : public model::Provider {
  model::Answer do_ask(const model::Task& task, const std::stop_token& stop) override {
    model::Answer answer = extractive_.ask(task, stop);
    if (task.name != "write") return answer;
    auto json = Json::parse(answer.json);
    auto& parts = json["paragraphs"];
    for (std::size_t i = 1; i < parts.size(); ++i) {
      std::swap(parts[i]["statements"], parts[i - 1]["statements"]);
    }
    return {json.dump(), {}};
  }
  std::string do_name() const override { return "misplacing"; }

  ExtractiveProvider extractive_;
};

testing::MemoRun memo_by(model::Provider&& provider) {
  return testing::run_memo({provider, {}, {}}, {"cloud.gov"}, testing::pack());
}

const Request acme{"Acme"};
const Sources deck{
    make_source("deck.md", "# Acme\n\nThe addressable market for ovens is $4 billion a year.\n")};
const std::string of_the_market = "The addressable market for ovens is $4 billion a year.";

/// A section with one statement, under `heading`.
Section section_on(const std::string& key, const std::string& heading, const std::string& text) {
  return {key,
          "S",
          "## S\n\n### " + heading + "\n\n" + text + "\n",
          {{text, of_the_market, "deck.md"}},
          {}};
}

TEST(Placing, AStatementUnderTheQuestionThatItFitsIsInPlace) {
  const auto found = placing(acme, {section_on("market", "Market size", of_the_market)}, deck);
  EXPECT_EQ(found.placed, 1);
  EXPECT_THAT(found.far_off, IsEmpty());
}

TEST(Placing, AStatementThatFitsAnotherQuestionMuchBetterIsFarOff) {
  const auto found = placing(acme, {section_on("team", "Leadership", of_the_market)}, deck);
  ASSERT_THAT(found.far_off, SizeIs(1));
  EXPECT_EQ(found.far_off[0], (Misplaced{"Leadership", of_the_market, "Market size"}));
}

TEST(Placing, HeadingsThatAreNoQuestionsAndMarkedStatementsAreLeftOut) {
  EXPECT_EQ(placing(acme, {section_on("team", "Channels", of_the_market)}, deck).placed, 0);
  const std::string marked = "Earlier (2024-05): “" + of_the_market + "”";
  EXPECT_EQ(placing(acme, {section_on("team", "Leadership", marked)}, deck).placed, 0);
}

TEST(Placing, OfTheMemoThatTheProgramWritesNothingIsFarOff) {
  const auto run = memo_by(ExtractiveProvider{});
  EXPECT_THAT(placing({"cloud.gov"}, run.sections, testing::pack()).far_off, IsEmpty());
  EXPECT_GE(*run.validation.overall_score, 8.0);
}

TEST(Placing, TheScoreSaysThatItDoesNotMeasureWhetherAnAnswerIsRight) {
  const auto run = memo_by(ExtractiveProvider{});
  EXPECT_THAT(run.validation.remarks,
              Contains(HasSubstr("answers the question it stands under is not measured")));
  EXPECT_THAT(run.state.final_memo, HasSubstr("is not measured"));
}

TEST(Placing, AMemoThatAnswersOtherQuestionsWaitsForAPersonAndSaysWhere) {
  const auto run = memo_by(MisplacingProvider{});
  EXPECT_LT(*run.validation.overall_score, 8.0);
  const auto& remarks = run.validation.remarks;
  EXPECT_THAT(remarks, Contains(HasSubstr("stand under a wrong question")));
  EXPECT_THAT(remarks, Contains(HasSubstr("much better: ")));
}

TEST(Placing, EachStatementThatIsFarOffCostsPoints) {
  const auto run = memo_by(ExtractiveProvider{});
  Placing found = placing({"cloud.gov"}, run.sections, testing::pack());
  double before = *run.validation.overall_score;
  for (int i = 0; i < 2; ++i) {
    found.far_off.insert(found.far_off.end(), static_cast<std::size_t>(found.placed / 4),
                         {"Leadership", of_the_market, "Market size"});
    const auto scored = validate(run.validation, run.plan, run.sections, {}, found);
    EXPECT_LT(*scored.overall_score, before) << found.far_off.size();
    before = *scored.overall_score;
  }
}

TEST(Placing, AQuestionIsRatherOpenThanAnsweredByWhatHardlyFits) {
  ExtractiveProvider provider;
  const auto sources = load_sources(resumable::test::source_folder() / "examples/data/memo-barivo");
  const auto run = testing::run_memo({provider, {}, {}}, {"Barivo"}, sources);
  EXPECT_EQ(run.draft.markdown.find("### Direction\n\nFirst site:"), std::string::npos);
}

}  // namespace
}  // namespace memo
