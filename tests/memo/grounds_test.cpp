// A memo whose sources are not about the company, or say nothing that matters, waits for a person.
#include "memo/grounds.hpp"

#include <fstream>
#include <iterator>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memo_run.hpp"

namespace memo {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

testing::MemoRun memo_of(const std::string& company, const Sources& sources) {
  ExtractiveProvider provider;
  return testing::run_memo({provider, {}, {}}, {company}, sources);
}

/// The plan of `run` with the answers to some questions only.
SectionResearch only_answers(const testing::MemoRun& run, const std::set<std::string>& headings) {
  SectionResearch plan = run.plan;
  for (auto& brief : plan.sections) {
    std::erase_if(brief.parts, [&](const Part& part) { return !headings.contains(part.heading); });
    brief.remarks.clear();
  }
  return plan;
}

Validation scored(const testing::MemoRun& run, const SectionResearch& plan, const Sources& sources,
                  const Request& request) {
  return validate(run.validation, plan, run.sections, {}, {}, grounds(request, plan, sources));
}

const Sources& deck() {
  static const Sources sources{make_source(
      "deck.md",
      "# Fernstone\n\nFernstone makes folding cargo bicycles for plumbers and electricians.\n\n"
      "## Market\n\nThe market for cargo bicycles in Europe is €1.2 billion a year.\n\n"
      "## Team\n\nThe company has 14 employees in Utrecht, nine of them in engineering.\n\n"
      "## Sales\n\nRevenue was €2.1 million in 2024, from the sale of 420 bicycles.\n")};
  return sources;
}

TEST(Grounds, TheNameCountsAsAWholeWithoutItsLegalForm) {
  EXPECT_TRUE(names_company("Welcome to Fernstone!", "Fernstone"));
  EXPECT_TRUE(names_company("We use cloud.gov.", "Cloudgov"));
  EXPECT_TRUE(names_company("Hill Farm sells milk", "Hill Farm Ltd"));
  EXPECT_TRUE(names_company("www.hillfarm.example", "hill farm"));
  EXPECT_FALSE(names_company("Fernstones are rare", "Fernstone"));
  EXPECT_FALSE(names_company("eighteen of them", "Eighteen"));
  EXPECT_FALSE(names_company("Hill and Farm", "Hill Farm"));
}

TEST(Grounds, AnHonestShortDeckIsEnough) {
  const auto run = memo_of("Fernstone", deck());
  EXPECT_GE(*run.validation.overall_score, 8.0) << run.state.final_memo;
}

TEST(Grounds, SourcesAboutAnotherCompanyWaitForAPerson) {
  const auto run = memo_of("Zilch", deck());
  EXPECT_LT(*run.validation.overall_score, 8.0);
  EXPECT_THAT(run.validation.remarks, Contains(HasSubstr("names the company:")));
  EXPECT_THAT(run.validation.remarks, Contains("does not name it: `deck.md`"));
  EXPECT_THAT(run.validation.remarks,
              Contains("Cited sources that name the company: 0 of 1 (no points; the score is at "
                       "most 7.9 if none does)"));
}

TEST(Grounds, DocumentsOfAProgramAreNoSources) {
  Sources sources;
  for (const std::string name : {"format.md", "guide.md", "stores.md"}) {
    std::ifstream in{resumable::test::source_folder() / "docs" / name};
    sources.push_back(make_source(name, {std::istreambuf_iterator<char>{in}, {}}));
  }
  EXPECT_LT(*memo_of("Zilch", sources).validation.overall_score, 8.0);
}

TEST(Grounds, ASentenceThatNamesTheCompanyIsNotEnough) {
  const Sources one{make_source("a.md", "# A\n\nCats sleep for sixteen hours a day.\n")};
  EXPECT_LT(*memo_of("Zilch", one).validation.overall_score, 8.0);
  EXPECT_LT(*memo_of("Cats", one).validation.overall_score, 8.0);
}

TEST(Grounds, AMemoHasToSayWhatTheCompanyDoes) {
  const auto run = memo_of("Fernstone", deck());
  const auto plan = only_answers(run, {"Market size", "Organisation", "Revenue"});
  const auto found = scored(run, plan, deck(), {"Fernstone"});
  EXPECT_LT(*found.overall_score, 8.0);
  EXPECT_THAT(found.remarks, Contains(HasSubstr("does not say what the company does")));
}

TEST(Grounds, AMemoHasToSayMoreThanWhatTheCompanyDoes) {
  const auto run = memo_of("Fernstone", deck());
  const auto found = scored(run, only_answers(run, {"What it is"}), deck(), {"Fernstone"});
  EXPECT_LT(*found.overall_score, 8.0);
  EXPECT_THAT(found.remarks, Contains(HasSubstr("nothing else of what matters most")));
  EXPECT_THAT(found.remarks, Contains(HasSubstr("core questions left open: ")));
}

TEST(Grounds, AnAnswerWithoutASignOfAQuestionOfOnesOwnIsLooseAndOneWithItIsNot) {
  const std::string outline = R"({"deck":[],"sections":[{"key":"s","title":"S","topics":[
      {"id":"own.staff","heading":"Staff","question":"How many employees are there?",
       "signs":["employees","employees & 0"]}]}]})";
  const Request request{"Fernstone", "direct", "consider", outline};
  const auto judged = [&](const std::string& quote) {
    SectionResearch plan;
    plan.sections.push_back(
        {"s",
         "S",
         {{"Staff", "How many employees are there?", {{"own.staff", quote, "deck.md"}}}},
         {},
         {}});
    return grounds(request, plan, deck());
  };
  const auto fits = judged("The company has 14 employees in Utrecht, nine of them in engineering.");
  EXPECT_EQ(fits.firm, 1);
  EXPECT_TRUE(fits.loose.empty());
  const auto misses = judged("Revenue was €2.1 million in 2024, from the sale of 420 bicycles.");
  EXPECT_EQ(misses.firm, 0);
  ASSERT_EQ(misses.loose.size(), 1U);
  EXPECT_EQ(misses.loose[0].heading, "Staff");
}

TEST(Grounds, MostAnswersHaveToFitClearly) {
  Grounds loose{.sources = 1, .naming = 1, .answers = 5, .firm = 2, .core = {}};
  loose.loose.push_back({"Team", "Two are tall."});
  const auto run = memo_of("Fernstone", deck());
  const auto capped = validate(run.validation, run.plan, run.sections, {}, {}, loose);
  EXPECT_LT(*capped.overall_score, 8.0);
  ASSERT_EQ(capped.caps.size(), 1U);
  EXPECT_EQ(capped.caps[0], (ScoreCap{7.9, "most answers fit their questions only loosely"}));
  const auto why = std::ranges::find(
      capped.remarks, "At most 7.9, because most answers fit their questions only loosely:");
  ASSERT_NE(why, capped.remarks.end());
  EXPECT_EQ(*std::next(why), "loose: under “Team”: Two are tall.");
  loose.firm = 3;
  EXPECT_GE(*validate(run.validation, run.plan, run.sections, {}, {}, loose).overall_score, 8.0);
}

}  // namespace
}  // namespace memo
