// A memo that leaves out what its sources hold loses points, and says what it left out.
#include "memo/coverage.hpp"

#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "memo/markdown.hpp"
#include "memo/papers.hpp"
#include "memo/prose.hpp"
#include "memo/statements.hpp"
#include "memo_run.hpp"

namespace memo {
namespace {

using Json = nlohmann::json;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// Finds nothing for one question in so many, whoever has an answer.
class SilentProvider final : public model::Provider {
 public:
  explicit SilentProvider(int one_in) : one_in_(one_in) {}

 private:
  model::Answer do_ask(const model::Task& task, const std::stop_token& stop) override {
    model::Answer answer = extractive_.ask(task, stop);
    if (task.name != "pick") return answer;
    auto json = Json::parse(answer.json);
    const Json input = Json::parse(task.input);
    for (std::size_t i = 0; i < json["picks"].size(); ++i) {
      const auto question = input["questions"][i]["question"].get<std::string>();
      const int letters = std::accumulate(question.begin(), question.end(), 0);
      if (letters % one_in_ == 0) json["picks"][i]["candidates"] = Json::array();
    }
    return {json.dump(), {}};
  }
  std::string do_name() const override { return "silent"; }

  ExtractiveProvider extractive_;
  int one_in_;
};

Sources set(const char* folder) {
  return load_sources(resumable::test::source_folder() / "examples/data" / folder);
}

testing::MemoRun memo_of(const Sources& sources, model::Provider&& provider,
                         const std::string& company = "X") {
  return testing::run_memo({provider, {}, {}}, {company}, sources);
}

TEST(Coverage, NothingIsLeftOutOfAMemoThatTookWhatThereWas) {
  for (const std::string company : {"Kelpworks", "Sunnhild", "Tidewell"}) {
    const std::string folder = "memo-" + to_lower(company);
    const Sources sources = set(folder.c_str());
    const auto run = memo_of(sources, ExtractiveProvider{}, company);
    EXPECT_EQ(left_out({company}, run.plan, sources), std::vector<LeftOut>{}) << folder;
    EXPECT_GE(*run.validation.overall_score, 9.0) << folder << ", however short its sources are";
  }
}

TEST(Coverage, AQuestionRefersOnlyToWhatAnswersItClearly) {
  const Sources sources{make_source(
      "deck.md",
      "# Acme\n\nAcme builds electric boats for harbours.\n\nService contract: £165,000 per boat "
      "and year.\n\nThe round: It is closed: EUR 1.2 million from Lex Capital and the regional "
      "fund, at EUR 6.8 million pre-money.\n")};
  const auto run = memo_of(sources, ExtractiveProvider{}, "Acme");
  EXPECT_THAT(run.draft.markdown, HasSubstr("Valuation: see “Funding rounds”."));
  EXPECT_THAT(run.draft.markdown, Not(HasSubstr("Offer: see")));
}

TEST(Coverage, OfAnOpenQuestionTheNearestPassageIsShownAndCountsForNothing) {
  const auto run = memo_of(set("memo-tidewell"), ExtractiveProvider{}, "Tidewell");
  std::size_t open = 0;
  std::size_t shown = 0;
  for (const auto& brief : run.plan.sections) {
    open += brief.silent.size();
    shown += brief.nearest.size();
    for (const auto& part : brief.nearest) {
      const auto& [topic, quote, source, mark] = part.findings.at(0);
      EXPECT_THAT(run.draft.markdown, HasSubstr("\n**Nearest to “" + to_lower_first(part.heading) +
                                                "”:** “" + quote + "” in `" + source + "`.\n"));
    }
  }
  EXPECT_GT(shown, 0U);
  EXPECT_EQ(static_cast<int>(open) + answered(run.plan.sections), std::ssize(run.found.asked));
}

TEST(Coverage, WhatALaterSourceGivesDifferentlyIsNotShownAsTheNearest) {
  for (const std::string company :
       {"Argilaine", "Corrander", "Hobnell", "Kelmora", "Orsel", "Skirrow", "Verbalto"}) {
    const Sources sources = set(("memo-" + to_lower(company)).c_str());
    const auto run = memo_of(sources, ExtractiveProvider{}, company);
    const auto read = papers({company}, sources);
    for (const auto& brief : run.plan.sections) {
      for (const auto& part : brief.nearest) {
        const Finding& one = part.findings.at(0);
        EXPECT_THAT(later_than(read->corrected, one.source, one.quote), IsEmpty()) << one.quote;
      }
    }
  }
}

TEST(Coverage, WhatIsOpenIsNoStatement) {
  EXPECT_THAT(statements("**Not answered:** need.\n\n**Nearest to “need”:** “It is 4. They wait.” "
                         "in `deck.md`.\n"),
              IsEmpty());
}

TEST(Coverage, WhatWasAnsweredBeforeIsLeftOutBySilence) {
  const Sources sources = set("memo-tidewell");
  const auto honest = memo_of(sources, ExtractiveProvider{});
  std::size_t answered = 0;
  for (const auto& section : honest.plan.sections) answered += section.parts.size();
  const auto silent = memo_of(sources, SilentProvider{1});
  EXPECT_GE(left_out({"X"}, silent.plan, sources).size() * 10, answered * 9);
  EXPECT_LT(*silent.validation.overall_score, 1.0);
}

TEST(Coverage, AMemoThatLeavesOutMuchWaitsForAPersonAndNamesIt) {
  const Sources sources = testing::pack();
  const auto run = memo_of(sources, SilentProvider{2});
  const auto missing = left_out({"X"}, run.plan, sources);
  ASSERT_THAT(missing, Not(IsEmpty()));
  EXPECT_LT(*run.validation.overall_score, 8.0);
  const auto& remarks = run.validation.remarks;
  EXPECT_THAT(remarks, Contains(HasSubstr("more than a third of what the sources seem to answer")));
  EXPECT_THAT(remarks, Contains(HasSubstr("left out, though `" + missing[0].source + "`")));
  EXPECT_THAT(run.state.final_memo, HasSubstr(missing[0].passage));
}

TEST(Coverage, EachQuestionThatIsLeftOutCostsPoints) {
  const auto run = memo_of(set("memo-tidewell"), ExtractiveProvider{}, "Tidewell");
  double before = *run.validation.overall_score;
  std::vector<LeftOut> missing;
  for (int i = 0; i < 2; ++i) {
    missing.insert(missing.end(), 6, {"Market size", "The market is large.", "deck.md"});
    const auto scored = validate(run.validation, run.plan, run.sections, missing);
    EXPECT_LT(*scored.overall_score, before) << missing.size();
    before = *scored.overall_score;
  }
}

TEST(Coverage, WhatIsStatedUnderAnotherHeadingIsNotLeftOut) {
  const Sources sources{
      make_source("deck.md", "# Deck\n\nThe market size is $4 billion a year.\n")};
  const auto missing = left_out({"X"}, {}, sources);
  ASSERT_THAT(missing, Not(IsEmpty()));
  EXPECT_EQ(missing[0].source, "deck.md");
  const Finding finding{"summary.what", missing[0].passage, "deck.md"};
  const SectionResearch said{
      {{"summary", "Summary", {{"What", "What is it?", {finding}}}, {}, {}}}};
  EXPECT_THAT(left_out({"X"}, said, sources), IsEmpty());
}

}  // namespace
}  // namespace memo
