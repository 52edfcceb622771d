// No answer is paid twice: the requests are counted at a server.
#include <csignal>

#include <gtest/gtest.h>

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

rs::Report resume(const TempFolder& folder, const FakeOpenAi& server) {
  Settings given;
  given.request = Request{"cloud.gov", "direct", "consider"};
  given.deck = std::vector<std::string>{};
  given.sources = data_folder().string();
  given.provider = "openai:m@" + server.base_url();
  given.min_score = 0.0;
  given.retry_first = std::chrono::milliseconds{1};
  const MemoPipeline memo{given};
  rs::FileStore store{folder.path()};
  return rs::resume(memo.pipeline(), store, {.run = "m"});
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

TEST_F(MemoTest, TheAdviceToResumeHasThePricesOfTheRun) {
  const FakeOpenAi server{extractive_reply, {answer(), resumable::test::status(401)}};
  const Said said = run({"--provider", "openai", "--base-url", server.base_url(), "--price-in",
                         "1.5", "--price-out", "6"});
  EXPECT_EQ(said.code, 1);
  EXPECT_THAT(said.err, ::testing::HasSubstr(" --price-in 1.5 --price-out 6\n"));
  EXPECT_THAT(said.err, ::testing::HasSubstr("next  memo resume Cloudgov"));
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
