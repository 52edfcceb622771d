// No answer is paid twice: the requests are counted at a server.
#include <csignal>
#include <optional>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "memo/pipeline.hpp"
#include "memo_run.hpp"
#include "memo_test.hpp"
#include "resumable/file_store.hpp"
#include "resumable/resume.hpp"
#include "support/child_process.hpp"
#include "support/fake_openai.hpp"
#include "support/temp_folder.hpp"

namespace memo::testing {
namespace {

namespace rs = resumable;
using resumable::test::Act;
using resumable::test::answer;
using resumable::test::ChildProcess;
using resumable::test::Ended;
using resumable::test::FakeOpenAi;
using resumable::test::TempFolder;
using ::testing::Contains;
using ::testing::Not;

Settings settings_for(const FakeOpenAi& server) {
  Settings given;
  given.request = Request{"cloud.gov", "direct", "consider"};
  given.deck = std::vector<std::string>{};
  given.sources = data_folder().string();
  given.provider = "openai:m@" + server.base_url();
  given.min_score = 0.0;
  given.retry_first = std::chrono::milliseconds{1};
  return given;
}

rs::Report resume(const TempFolder& folder, const FakeOpenAi& server) {
  const MemoPipeline memo{settings_for(server)};
  rs::FileStore store{folder.path()};
  return rs::resume(memo.pipeline(), store, {.run = "m"});
}

/// What was asked in these requests.
std::vector<std::string> messages(const std::vector<std::string>& bodies) {
  std::vector<std::string> all;
  for (const std::string& body : bodies) {
    all.push_back(nlohmann::json::parse(body).at("messages").dump());
  }
  return all;
}

std::size_t requests_of_a_whole_memo() {
  TempFolder folder;
  const FakeOpenAi server{extractive_reply};
  const rs::Report report = resume(folder, server);
  EXPECT_TRUE(report);
  return server.requests();
}

TEST(MemoCalls, KilledInAStageOfManyCallsAreNotMadeAgain) {
  TempFolder folder;
  // The deck, the research, six of the sections; then the program is killed in the next call.
  std::deque<Act> acts(8, answer());
  acts.push_back(resumable::test::hang());
  const FakeOpenAi server{extractive_reply, acts};
  ChildProcess child{[&] { return resume(folder, server).exit_code(); }};
  server.wait_for_requests(9);
  child.kill(SIGKILL);
  ASSERT_EQ(child.wait(), (Ended{-1, SIGKILL}));
  const rs::Report report = resume(folder, server);
  ASSERT_TRUE(report) << (report.error() ? report.error()->explain() : "");
  EXPECT_EQ(server.requests(), requests_of_a_whole_memo() + 1) << "the call that was cut off";
}

TEST(MemoCalls, RefusedEveryOtherTimeFinishAllTheSame) {
  TempFolder folder;
  std::deque<Act> acts;
  for (int i = 0; i < 200; ++i) {
    acts.push_back(resumable::test::status(429));
    acts.push_back(answer());
  }
  const FakeOpenAi server{extractive_reply, acts};
  const rs::Report report = resume(folder, server);
  ASSERT_TRUE(report) << (report.error() ? report.error()->explain() : "");
  EXPECT_EQ(server.requests(), 2 * requests_of_a_whole_memo());
}

TEST_F(MemoTest, PricesGiveWhatWasSpentAndWhatAResumeSaved) {
  const FakeOpenAi server{extractive_reply};
  const std::vector<std::string> flags{"--provider",  "openai", "--base-url",  server.base_url(),
                                       "--model",     "m",      "--price-in",  "1.5",
                                       "--price-out", "6",      "--min-score", "0"};
  ASSERT_EQ(run(flags).code, 0);
  const Said status = memo({"status", "Cloudgov"});
  EXPECT_THAT(status.out, ::testing::HasSubstr("$")) << status.out;
  const std::size_t before = server.requests();
  const Said again = memo({"resume", "Cloudgov", "--redo", "finalize"});
  EXPECT_EQ(again.code, 0);
  EXPECT_EQ(server.requests(), before) << "nothing is asked again";
  EXPECT_THAT(again.out + again.err, ::testing::HasSubstr(" and $")) << again.out << again.err;
}

TEST_F(MemoTest, WhatUselessAnswersCostIsToldInTextStatusAndReport) {
  const FakeOpenAi server{[](const std::string&) { return "I am sorry, I cannot do that."; }};
  Settings given = settings_for(server);
  given.terms = {.usd_per_million_input = 1, .usd_per_million_output = 4};
  rs::FileStore store{folder / "out"};
  const rs::Report report =
      rs::resume(MemoPipeline{given}.pipeline(), store, {.run = "Cloudgov-v0.0.1"});
  EXPECT_EQ(report.exit_code(), 1);
  EXPECT_EQ(server.requests(), 4U);
  const double paid = report.cost().usd;
  EXPECT_GT(paid, 0);
  EXPECT_THAT(report.text(),
              ::testing::ContainsRegex("cost of this call: .0[.][0-9]+, [0-9]+ tokens"));
  const Said status = memo({"status", "Cloudgov"});
  EXPECT_THAT(status.out, ::testing::ContainsRegex(" .0[.][0-9]+ spent"));
  EXPECT_THAT(status.out, ::testing::HasSubstr("failed 4 times: the answer to "));
  const auto json = nlohmann::json::parse(memo({"status", "Cloudgov", "--json"}).out);
  EXPECT_DOUBLE_EQ(json.at("cost").at("usd"), paid);
  EXPECT_DOUBLE_EQ(json.at("stages").at(0).at("cost").at("usd"), paid);
}

TEST_F(MemoTest, TheAdviceToResumeHasThePricesOfTheRun) {
  const FakeOpenAi server{extractive_reply, {answer(), resumable::test::status(401)}};
  const Said said = run({"--provider", "openai", "--base-url", server.base_url(), "--price-in",
                         "1.5", "--price-out", "6"});
  EXPECT_EQ(said.code, 1);
  EXPECT_THAT(said.err, ::testing::HasSubstr(" --price-in 1.5 --price-out 6\n"));
  EXPECT_THAT(said.err, ::testing::HasSubstr("next  memo resume Cloudgov"));
}

TEST_F(MemoTest, GoesOnAtAServerThatHasMovedWithoutPayingAgain) {
  std::optional<FakeOpenAi> old{std::in_place, extractive_reply,
                                std::deque<Act>{answer(), answer(), resumable::test::status(401)}};
  ASSERT_EQ(run({"--provider", "openai", "--base-url", old->base_url(), "--model", "m",
                 "--min-score", "0"})
                .code,
            1);
  const std::vector<std::string> asked = messages(old->bodies());
  old.reset();
  const FakeOpenAi moved{extractive_reply};
  const Said said =
      memo({"resume", "Cloudgov", "--base-url", moved.base_url(), "--max-tokens", "9000"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(messages(moved.bodies()),
              ::testing::AllOf(Contains(asked.at(2)), Not(Contains(asked.at(0))),
                               Not(Contains(asked.at(1)))))
      << "the first two were answered";
  for (const std::string& body : moved.bodies()) {
    EXPECT_THAT(body, ::testing::HasSubstr(R"("model":"m")"));
    EXPECT_THAT(body, ::testing::HasSubstr(R"("max_tokens":9000)"));
  }
}

TEST_F(MemoTest, ResumesWithAnotherModelOrNone) {
  const FakeOpenAi server{extractive_reply, {answer(), resumable::test::status(401)}};
  ASSERT_EQ(run({"--provider", "openai", "--base-url", server.base_url(), "--min-score", "0"}).code,
            1);
  EXPECT_EQ(memo({"resume", "Cloudgov", "--model", "other"}).code, 0);
  EXPECT_THAT(server.bodies().back(), ::testing::HasSubstr(R"("model":"other")"));
  const std::size_t before = server.requests();
  EXPECT_EQ(memo({"resume", "Cloudgov", "--provider", "extractive"}).code, 0);
  EXPECT_EQ(server.requests(), before);
  const Said refused = memo({"resume", "Cloudgov", "--model", "m"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, ::testing::HasSubstr("add --provider openai"));
}

TEST_F(MemoTest, APriceBelowZeroIsAMistakeOfUsage) {
  for (const char* price : {"-1", "nan", "inf", "much"}) {
    EXPECT_EQ(run({"--price-in", price}).code, 2) << price;
    EXPECT_EQ(run({"--price-out", price}).code, 2) << price;
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

}  // namespace
}  // namespace memo::testing
