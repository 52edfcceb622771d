// The versions of a memo: which of them goes on, which waits for a person, which is none at all.
#include <sstream>

#include "memo/memo_test.hpp"
#include "memo/pipeline.hpp"
#include "resumable/resume.hpp"
#include "support/child_process.hpp"
#include "support/deadly_store.hpp"

namespace memo::testing {
namespace {

using resumable::test::ChildProcess;
using resumable::test::DeadlyStore;
using resumable::test::Ended;
using resumable::test::snapshot;
using ::testing::HasSubstr;
using ::testing::Not;

class MemoVersions : public MemoTest {
 protected:
  std::string out() const { return (folder / "out").string(); }
  /// The first version, in a child that is killed after the nth commit.
  Ended killed_after(int commits) const {
    ChildProcess child{[&] {
      const MemoPipeline memo{made_settings()};
      rs::FileStore files{out()};
      DeadlyStore store{files, commits};
      return rs::resume(memo.pipeline(), store, {.run = "Aldermere-v0.0.1"}).exit_code();
    }};
    return child.wait();
  }
};

TEST_F(MemoVersions, ResumeWarnsWhenSeveralAreUnfinished) {
  ASSERT_EQ(run_poor().code, 75);
  ASSERT_EQ(run_poor().code, 75);
  const Said said = memo({"resume", "Aldermere"});
  EXPECT_EQ(said.code, 75);
  EXPECT_THAT(said.err, HasSubstr("also unfinished: Aldermere-v0.0.1"));
}

TEST_F(MemoVersions, AKillAtTheFirstMomentNeverCostsAName) {
  int empty = 0;
  for (int commits = -1; commits < 8; ++commits) {
    std::filesystem::remove_all(out());
    ASSERT_EQ(killed_after(commits), (Ended{-1, SIGKILL})) << commits;
    if (memo({"status", "Aldermere"}).code == 0) {
      EXPECT_EQ(memo({"resume", "Aldermere"}).code, 0) << commits;
      continue;
    }
    ++empty;
    for (const char* word : {"status", "resume", "plan", "approve"}) {
      const Said said = memo({word, "Aldermere"});
      EXPECT_EQ(said.code, 2) << word << commits;
      EXPECT_THAT(said.err, HasSubstr("stopped before it recorded what it is made from"));
      EXPECT_THAT(said.err, HasSubstr("next  memo run Aldermere --sources DIR --out " + out()));
    }
    const Said again = run();
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_THAT(again.err, HasSubstr("new memo: Aldermere-v0.0.1\n")) << "the name is taken again";
    EXPECT_THAT(run().err, HasSubstr("new memo: Aldermere-v0.0.2\n"));
  }
  EXPECT_GE(empty, 5) << "the lease, and one commit of each input";
}

TEST_F(MemoVersions, AnEmptyFolderIsNoMemoToAdopt) {
  std::filesystem::create_directories(folder / "out/Aldermere-v0.0.1");
  const Said said = memo({"resume", "Aldermere"});
  EXPECT_EQ(said.code, 2);
  EXPECT_THAT(said.err, HasSubstr("there is no memo of Aldermere"));
  EXPECT_THAT(said.err, Not(HasSubstr("adopt")));
}

TEST_F(MemoVersions, AFolderWithoutCheckpointsIsPassedOver) {
  std::filesystem::create_directories(folder / "out/Aldermere-v0.0.1");
  resumable::test::write_file(folder / "out/Aldermere-v0.0.1/1-research.json", "{}");
  const Said said = run();
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.err, HasSubstr("note: Aldermere-v0.0.1 is skipped"));
  EXPECT_THAT(said.err, HasSubstr("new memo: Aldermere-v0.0.2"));
  EXPECT_EQ(resumable::test::read_file(folder / "out/Aldermere-v0.0.1/1-research.json"), "{}");
}

TEST_F(MemoVersions, AnUnknownVersionIsAnErrorWhoseNextCommandWorks) {
  ASSERT_EQ(run().code, 0);
  for (const char* word : {"resume", "status", "plan", "approve"}) {
    const Said said = memo({word, "Aldermere", "--version", "v9.9.9"});
    EXPECT_EQ(said.code, 2) << word;
    EXPECT_THAT(said.err, HasSubstr("there are Aldermere-v0.0.1\n")) << word;
    EXPECT_THAT(said.err,
                HasSubstr("next  memo status Aldermere --out " + out() + " --version v0.0.1"))
        << word;
  }
}

TEST_F(MemoVersions, WhatWaitsForAPersonNamesTheCommandThatHelps) {
  const Said waiting = run_poor();
  ASSERT_EQ(waiting.code, 75);
  const std::string approve = "memo approve Aldermere --out " + out();
  const Said resumed = memo({"resume", "Aldermere"});
  EXPECT_EQ(resumed.code, 75);
  const Said status = memo({"status", "Aldermere"});
  const Said plan = memo({"plan", "Aldermere"});
  EXPECT_THAT(waiting.err, HasSubstr("next  " + approve));
  EXPECT_THAT(resumed.err, HasSubstr("next  " + approve));
  EXPECT_THAT(status.out, HasSubstr("  " + approve));
  EXPECT_THAT(plan.out, HasSubstr("next  " + approve));
  for (const Said& said : {waiting, resumed, status, plan}) {
    EXPECT_THAT(said.out + said.err, Not(HasSubstr("memo resume"))) << "which waits again";
  }
}

TEST_F(MemoVersions, WhatIsApprovedSaysSoAndGoesOn) {
  ASSERT_EQ(run_poor().code, 75);
  const std::string resume = "next  memo resume Aldermere --out " + out();
  const Said first = memo({"approve", "Aldermere"});
  EXPECT_EQ(first.code, 0);
  EXPECT_THAT(first.out, HasSubstr("approved: score "));
  EXPECT_THAT(first.out, HasSubstr(resume));
  const auto before = snapshot(out());
  const Said second = memo({"approve", "Aldermere"});
  EXPECT_EQ(second.code, 0);
  EXPECT_THAT(second.out, HasSubstr("Aldermere-v0.0.1 is approved already\n  " + resume));
  EXPECT_EQ(snapshot(out()), before);
  EXPECT_THAT(memo({"status", "Aldermere"}).out, HasSubstr("memo resume Aldermere"));
  EXPECT_EQ(memo({"resume", "Aldermere"}).code, 0);
  const Said done = memo({"approve", "Aldermere"});
  EXPECT_EQ(done.code, 2);
  EXPECT_THAT(done.err, HasSubstr("does not wait for a person"));
  EXPECT_THAT(done.err, HasSubstr("next  memo status Aldermere"));
}

}  // namespace
}  // namespace memo::testing
