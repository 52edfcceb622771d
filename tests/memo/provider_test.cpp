#include "model/provider.hpp"

#include <future>
#include <thread>

#include <gtest/gtest.h>

#include "memo/extractive.hpp"
#include "memo/tasks.hpp"

namespace memo {
namespace {

using namespace std::chrono_literals;

/// Answers every task with the same text.
class Parrot final : public model::Provider {
 public:
  explicit Parrot(std::string json) : json_{std::move(json)} {}

 private:
  model::Answer do_ask(const model::Task&, const std::stop_token&) override {
    return {json_, {10, 0.5}};
  }
  std::string do_name() const override { return "parrot"; }

  std::string json_;
};

const std::vector<Question> questions{{"Which?", {{"one", "a.md"}, {"two", "b.md"}}, 1}};

bool is_retryable_misfit(const std::string& answer) {
  Parrot parrot{answer};
  try {
    pick({parrot, {}, {}}, "", questions);
  } catch (const model::ProviderError& error) {
    return error.retryable();
  }
  return false;
}

TEST(Tasks, PickTakesOnlyWhatWasOffered) {
  EXPECT_TRUE(is_retryable_misfit(R"({"picks":[{"question":0,"candidates":[2]}]})"));
  EXPECT_TRUE(is_retryable_misfit(R"({"picks":[{"question":1,"candidates":[0]}]})"));
}

TEST(Tasks, AnswerThatDoesNotFitIsARetryableError) {
  EXPECT_TRUE(is_retryable_misfit("{}"));
  EXPECT_TRUE(is_retryable_misfit("sorry"));
  EXPECT_TRUE(is_retryable_misfit(R"({"picks":[{"question":0,"candidates":["x"]}]})"));
  EXPECT_TRUE(is_retryable_misfit(R"({"picks":[{"question":0,"candidates":[-1]}]})"));
}

TEST(Tasks, AnEarlierFigureNeedsTheLaterOneInFrontOfIt) {
  const SectionBrief brief{"a",
                           "A",
                           {{"Users",
                             "How many?",
                             {{"a.b", "It is 91.", "b.md", "Later (2025-03)"},
                              {"a.b", "It was 62.", "a.md", "Earlier (2024-02)"}}}},
                           {},
                           {}};
  const auto written = [&](const std::string& first, const std::string& second) {
    Parrot parrot{R"({"paragraphs":[{"heading":"Users","statements":[{"text":"x","evidence":)" +
                  first + R"(},{"text":"“y”","evidence":)" + second + "}]}]}"};
    return write({parrot, {}, {}}, brief);
  };
  const auto paragraphs = written("0", "1");
  EXPECT_EQ(paragraphs[0].claims[0].text, "Later (2025-03): “x”");
  EXPECT_EQ(paragraphs[0].claims[1].text, "Earlier (2024-02): “y”");
  EXPECT_THROW(written("1", "0"), model::ProviderError);
}

TEST(Tasks, PickTakesNothingTwiceAndKeepsTheLimit) {
  Parrot parrot{R"({"picks":[{"question":0,"candidates":[1,1,0]}]})"};
  EXPECT_EQ(pick({parrot, {}, {}}, "", questions)[0], std::vector<std::size_t>{1});
}

TEST(Tasks, QuestionWithoutCandidatesCostsNothing) {
  Parrot parrot{"not even JSON"};
  EXPECT_TRUE(pick({parrot, {}, {}}, "", {{"Which?", {}, 1}})[0].empty());
}

TEST(Tasks, WriteTakesOnlyEvidenceThatWasGiven) {
  Parrot parrot{R"({"paragraphs":[{"heading":"H","statements":[{"text":"x","evidence":1}]}]})"};
  const SectionBrief brief{"k", "K", {{"H", "?", {{"t", "quote", "a.md"}}}}, {}, {}};
  EXPECT_THROW(write({parrot, {}, {}}, brief), model::ProviderError);
}

TEST(Tasks, EveryAnswerIsSpent) {
  Parrot parrot{R"({"picks":[]})"};
  double usd = 0;
  pick({parrot, {}, [&](const model::Spent& spent) { usd += spent.usd; }}, "", questions);
  EXPECT_EQ(usd, 0.5);
}

TEST(PacedProvider, WaitsBeforeItAnswers) {
  Parrot parrot{"{}"};
  model::PacedProvider paced{parrot, 30ms};
  const auto before = std::chrono::steady_clock::now();
  paced.ask({"pick", "", "{}", ""}, {});
  EXPECT_GE(std::chrono::steady_clock::now() - before, 30ms);
}

TEST(PacedProvider, StopEndsTheWait) {
  Parrot parrot{"{}"};
  model::PacedProvider paced{parrot, 1h};
  std::stop_source stop;
  auto asking = std::async(std::launch::async, [&] {
    paced.ask({"pick", "", "{}", ""}, stop.get_token());
  });
  stop.request_stop();
  ASSERT_EQ(asking.wait_for(5s), std::future_status::ready);
  EXPECT_THROW(asking.get(), model::Stopped);
}

TEST(Extractive, LeavesOutWhatOnlyRepeats) {
  ExtractiveProvider provider;
  const std::string one = "The platform saves agencies eighty percent of hosting costs.";
  const std::string same =
      "The platform saves many agencies eighty percent of their hosting costs.";
  const std::string other = "Customers deploy applications with a single command instead.";
  const auto picks =
      pick({provider, {}, {}}, "", {{"Which?", {{one, "a"}, {same, "a"}, {other, "b"}}, 3}});
  EXPECT_EQ(picks[0], (std::vector<std::size_t>{0, 2}));
}

TEST(Extractive, TakesNoSentenceForARepetitionThatNamesAnotherMonth) {
  ExtractiveProvider provider;
  const std::string april = "The second mill of the company will open in April 2025.";
  const std::string july = "The second mill of the company will open in July 2025.";
  const std::string year = "The second mill of the company will open in April 2026.";
  const auto picks =
      pick({provider, {}, {}}, "", {{"Which?", {{april, "a"}, {july, "b"}, {year, "b"}}, 3}});
  EXPECT_EQ(picks[0], (std::vector<std::size_t>{0, 1, 2}));
}

TEST(Extractive, TakesNoSentenceForARepetitionOfAQuestion) {
  ExtractiveProvider provider;
  const std::string asked =
      "The deck says that sales in 2024 were $3 million. Is it right? — Grants were moved out.";
  const std::string said = "Audited sales for 2024 were $2 million.";
  const auto picks = pick({provider, {}, {}}, "", {{"Which?", {{asked, "a"}, {said, "a"}}, 2}});
  EXPECT_EQ(picks[0], (std::vector<std::size_t>{0, 1}));
}

TEST(Extractive, ShowsTheFirstPersonAsAQuotation) {
  ExtractiveProvider provider;
  const SectionBrief brief{"k", "K", {{"H", "?", {{"t", "We do it.", "a.md"}}}}, {}, {}};
  EXPECT_EQ(write({provider, {}, {}}, brief)[0].claims[0].text, "“We do it.”");
}

TEST(Extractive, JudgesByFiguresAndWords) {
  ExtractiveProvider provider;
  const std::string quote = "The agency saves 85 percent of its hosting costs.";
  const auto verdicts =
      judge({provider, {}, {}}, {{"The agency saves 85 percent of hosting.", quote, "a"},
                                 {"The agency saves 95 percent of hosting.", quote, "a"}});
  EXPECT_EQ(verdicts, (std::vector<bool>{true, false}));
}

}  // namespace
}  // namespace memo
