// Killed again and again: nothing twice, one session, the same report.
#include "research/research_run.hpp"
#include "support/deadly_store.hpp"

namespace research::testing {
namespace {

using resumable::test::DeadlyStore;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Killed = ResearchTest;

TEST_F(Killed, AtEveryCommitOfEveryPhaseNoPageIsFetchedTwiceAndTheReportIsTheSame) {
  int kills = 0;
  while (true) {
    const Ended ended =
        run_until([](const rs::Event& event) { return event.kind == rs::EventKind::committed; });
    if (ended != killed) {
      ASSERT_EQ(ended, (Ended{0, 0}));
      break;
    }
    ASSERT_LT(++kills, 100) << "every call commits one thing and is killed";
  }
  EXPECT_EQ(kills, 40 + 1 + 3 + 2 * 10 + 1)
      << "paths and what they come to, three phases, of each step "
         "an answer and a value, phase 4";
  EXPECT_THAT(sessions(), ElementsAre(batch));
  EXPECT_EQ(read_file(report()), uninterrupted());
  expect_every_page_fetched_once();
}

struct Scenario {
  const char* stage;
  const char* item;
  const char* goes_on_at;
  int kept;
};

TEST_F(Killed, AfterEachPhaseContinueGoesOnWithTheNextInTheSameSession) {
  for (const auto& [stage, item, goes_on_at, kept] :
       {Scenario{"phase0", "", "phase 0.5\n", 1}, Scenario{"phase0_5", "", "phase 1\n", 2},
        Scenario{"phase1", "", "phase 2\n", 3}, Scenario{"phase2", "", "phase 3\n", 4},
        Scenario{"phase3", "step-3", "phase 3, step 4 of 10\n", 4},
        Scenario{"phase3", "step-10", "phase 4\n", 5}, Scenario{"phase4", "", "finished\n", 6}}) {
    std::filesystem::remove_all(out());
    ASSERT_EQ(run_until_saved(stage, item), killed) << stage << item;
    const Said said = go_on();
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.err, HasSubstr(goes_on_at));
    EXPECT_THAT(said.out, HasSubstr("resumed: " + std::to_string(kept) + " of 6 stages skipped"));
    EXPECT_THAT(sessions(), ElementsAre(batch));
    EXPECT_EQ(read_file(report()), uninterrupted());
  }
}

TEST_F(Killed, BeforeItsInputsAreRecordedTheSessionIsFoundAllTheSame) {
  for (int commits = -1; commits < 8; ++commits) {
    std::filesystem::remove_all(out());
    ChildProcess child{[&] {
      const ResearchPipeline pipeline{settings()};
      rs::FileStore files{out()};
      DeadlyStore store{files, commits};
      return rs::resume(pipeline.pipeline(), store, {.run = batch}).exit_code();
    }};
    ASSERT_EQ(child.wait(), killed) << commits;
    const Said said = begin();
    EXPECT_EQ(said.code, 0) << "after commit " << commits << ": " << said.err;
    EXPECT_THAT(sessions(), ElementsAre(batch)) << commits;
  }
}

TEST_F(Killed, AStopRequestLeavesBeforeTheNextPageIsAskedFor) {
  const ResearchPipeline pipeline{settings()};
  rs::FileStore store{out()};
  std::stop_source stop;
  int begun = 0;
  Watch watch{[&](const rs::Event& event) {
    if (event.kind == rs::EventKind::step_started && ++begun == 12) stop.request_stop();
  }};
  const rs::Report stopped =
      rs::resume(pipeline.pipeline(), store,
                 {.run = batch, .stop = rs::Stop{stop.get_token()}, .observers = {&watch}});
  EXPECT_EQ(stopped.outcome(), rs::Outcome::interrupted);
  EXPECT_EQ(server.requests().size(), 11U);
  EXPECT_EQ(go_on().code, 0);
  EXPECT_EQ(read_file(report()), uninterrupted());
  expect_every_page_fetched_once();
}

TEST_F(Killed, OfTwoThatContinueAtOnceOneRunsAndOneSessionIsMade) {
  const auto process = [&] { return begin().code; };
  ChildProcess one{process};
  ChildProcess other{process};
  const Ended first = one.wait();
  const Ended second = other.wait();
  for (const Ended& ended : {first, second}) {
    EXPECT_TRUE(ended == (Ended{0, 0}) || ended == (Ended{4, 0})) << ended.exit_code;
  }
  EXPECT_TRUE(first.exit_code == 0 || second.exit_code == 0);
  EXPECT_THAT(sessions(), ElementsAre(batch));
  EXPECT_EQ(read_file(report()), uninterrupted());
  expect_every_page_fetched_once();
}

TEST_F(Killed, AnUninterruptedSessionGivesTheSameReportFromAFolderAsFromASite) {
  ASSERT_EQ(go_on({"--pages", pages.string(), "--concurrency", "4"}).code, 0);
  EXPECT_EQ(read_file(report()), uninterrupted());
}

}  // namespace
}  // namespace research::testing
