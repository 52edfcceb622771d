// Which runs a word of a person names.
#include <chrono>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record/environment.hpp"
#include "resumable/resumable.hpp"
#include "support/manual_clock.hpp"

namespace resumable::test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> ids(const std::vector<RunInfo>& runs) {
  std::vector<std::string> of;
  for (const RunInfo& run : runs) of.push_back(run.run);
  return of;
}

TEST(FindRuns, TakesAnIdAPatternOrLatestAndPutsTheLatestFirst) {
  ManualClock clock;
  const record::TestEnvironment environment{{.clock = &clock}};
  MemoryStore store;
  Pipeline p{"p"};
  p.stage("one", [] { return 1; });
  for (const char* run : {"hansa-2", "hansa-1", "sea", "h*"}) {
    ASSERT_TRUE(resume(p, store, {.run = run}));
    clock.advance(1h);
  }
  EXPECT_THAT(ids(find_runs(store, "hansa-?")), ElementsAre("hansa-1", "hansa-2"));
  EXPECT_THAT(ids(find_runs(store, "*a*")), ElementsAre("sea", "hansa-1", "hansa-2"));
  EXPECT_THAT(ids(find_runs(store, "*")), ElementsAre("h*", "sea", "hansa-1", "hansa-2"));
  EXPECT_THAT(ids(find_runs(store, "h*")), ElementsAre("h*")) << "an id wins";
  EXPECT_THAT(ids(find_runs(store, "latest")), ElementsAre("h*"));
  EXPECT_THAT(ids(find_runs(store, "hansa")), IsEmpty()) << "a part is no pattern";
  EXPECT_THAT(ids(find_runs(store, "b*")), IsEmpty());
  EXPECT_THAT(find_runs(MemoryStore{}, "latest"), IsEmpty());
}

}  // namespace
}  // namespace resumable::test
