// No answer is paid twice: the requests are counted at a server.
#include <csignal>

#include <gtest/gtest.h>

#include "memo/pipeline.hpp"
#include "memo_run.hpp"
#include "resumable/file_store.hpp"
#include "resumable/resume.hpp"
#include "support/child_process.hpp"
#include "support/fake_openai.hpp"
#include "support/temp_folder.hpp"

namespace memo::testing {
namespace {

namespace rs = resumable;
using resumable::test::ChildProcess;
using resumable::test::Ended;
using resumable::test::TempFolder;
using resumable::testing::Act;
using resumable::testing::answer;
using resumable::testing::FakeOpenAi;

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
  acts.push_back(resumable::testing::hang());
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
    acts.push_back(resumable::testing::status(429));
    acts.push_back(answer());
  }
  const FakeOpenAi server{extractive_reply, acts};
  const rs::Report report = resume(folder, server);
  ASSERT_TRUE(report) << (report.error() ? report.error()->explain() : "");
  EXPECT_EQ(server.requests(), 2 * requests_of_a_whole_memo());
}

}  // namespace
}  // namespace memo::testing
