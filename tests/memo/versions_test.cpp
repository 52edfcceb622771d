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
      Settings all;
      all.request = Request{"Cloudgov", "direct", "consider"};
      all.deck = std::vector<std::string>{};
      all.sources = data_folder().string();
      all.provider = "extractive";
      all.min_score = 8.0;
      const MemoPipeline memo{all};
      rs::FileStore files{out()};
      DeadlyStore store{files, commits};
      return rs::resume(memo.pipeline(), store, {.run = "Cloudgov-v0.0.1"}).exit_code();
    }};
    return child.wait();
  }
};

TEST_F(MemoVersions, AnUnfinishedMemoIsNamedWithTheCommandToType) {
  ASSERT_EQ(run({"--min-score", "10"}).code, 75);
  const Said said = run();
  EXPECT_THAT(said.err, HasSubstr("Cloudgov-v0.0.1 is unfinished (waiting)"));
  EXPECT_THAT(said.err,
              HasSubstr("next  memo approve Cloudgov --out " + out() + " --version v0.0.1"));
}

TEST_F(MemoVersions, ResumeWarnsWhenSeveralAreUnfinished) {
  ASSERT_EQ(run({"--min-score", "10"}).code, 75);
  ASSERT_EQ(run({"--min-score", "10"}).code, 75);
  const Said said = memo({"resume", "Cloudgov"});
  EXPECT_EQ(said.code, 75);
  EXPECT_THAT(said.err, HasSubstr("also unfinished: Cloudgov-v0.0.1"));
}

TEST_F(MemoVersions, WhatIsKilledBeforeItsInputsAreRecordedIsNothingToContinue) {
  int empty = 0;
  for (int commits = -1; commits < 8; ++commits) {
    std::filesystem::remove_all(out());
    ASSERT_EQ(killed_after(commits), (Ended{-1, SIGKILL})) << commits;
    if (memo({"status", "Cloudgov"}).code == 0) {
      EXPECT_EQ(memo({"resume", "Cloudgov"}).code, 0) << commits;
      continue;
    }
    ++empty;
    for (const char* word : {"status", "resume", "plan", "approve"}) {
      for (const bool named : {false, true}) {
        std::vector<std::string> words{word, "Cloudgov"};
        if (named) words.insert(words.end(), {"--version", "v0.0.1"});
        const Said said = memo(words);
        EXPECT_EQ(said.code, 2) << word << commits;
        EXPECT_THAT(said.err, HasSubstr("stopped before it recorded what it is made from"));
        EXPECT_THAT(said.err, HasSubstr("next  memo run Cloudgov --sources DIR --out " + out()));
      }
    }
  }
  EXPECT_GE(empty, 5) << "the lease, and one commit of each input";
  const Said said = run();
  EXPECT_EQ(said.code, 0) << said.err;
}

TEST_F(MemoVersions, AnEmptyVersionIsNotAdvertisedAndHidesNoOther) {
  rs::FileStore store{out()};
  static_cast<void>(store.lease("Cloudgov-v0.0.1", {.create = rs::Create::must}));
  const Said first = run();
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_THAT(first.err, Not(HasSubstr("unfinished")));
  EXPECT_THAT(first.out, HasSubstr("Cloudgov-v0.0.2"));
  static_cast<void>(store.lease("Cloudgov-v0.0.3", {.create = rs::Create::must}));
  EXPECT_THAT(memo({"status", "Cloudgov"}).out, HasSubstr("Cloudgov-v0.0.2"));
  const Said again = memo({"resume", "Cloudgov"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(again.err, Not(HasSubstr("unfinished")));
}

TEST_F(MemoVersions, AFolderWithoutCheckpointsIsPassedOver) {
  std::filesystem::create_directories(folder / "out/Cloudgov-v0.0.1");
  resumable::test::write_file(folder / "out/Cloudgov-v0.0.1/1-research.json", "{}");
  const Said said = run();
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.err, HasSubstr("note: Cloudgov-v0.0.1 is skipped"));
  EXPECT_THAT(said.err, HasSubstr("new memo: Cloudgov-v0.0.2"));
  EXPECT_EQ(resumable::test::read_file(folder / "out/Cloudgov-v0.0.1/1-research.json"), "{}");
}

TEST_F(MemoVersions, AnUnknownVersionIsAnErrorWhoseNextCommandWorks) {
  ASSERT_EQ(run().code, 0);
  for (const char* word : {"resume", "status", "plan", "approve"}) {
    const Said said = memo({word, "Cloudgov", "--version", "v9.9.9"});
    EXPECT_EQ(said.code, 2) << word;
    EXPECT_THAT(said.err, HasSubstr("there are Cloudgov-v0.0.1\n")) << word;
    EXPECT_THAT(said.err,
                HasSubstr("next  memo status Cloudgov --out " + out() + " --version v0.0.1"))
        << word;
  }
}

/// The lines of a text, without what would be as long anywhere: the test's folder.
std::vector<std::string> lines(std::string text, const std::string& folder) {
  for (auto at = text.find(folder); at != text.npos; at = text.find(folder)) {
    text.replace(at, folder.size(), "output");
  }
  std::vector<std::string> all;
  std::istringstream stream{text};
  for (std::string line; std::getline(stream, line);) all.push_back(line);
  return all;
}

TEST_F(MemoVersions, WhatWaitsForAPersonNamesTheCommandThatHelps) {
  const Said waiting = run({"--min-score", "10"});
  ASSERT_EQ(waiting.code, 75);
  const std::string approve = "memo approve Cloudgov --out " + out();
  const Said resumed = memo({"resume", "Cloudgov"});
  EXPECT_EQ(resumed.code, 75);
  const Said status = memo({"status", "Cloudgov"});
  const Said plan = memo({"plan", "Cloudgov"});
  EXPECT_THAT(waiting.err, HasSubstr("next  " + approve));
  EXPECT_THAT(resumed.err, HasSubstr("next  " + approve));
  EXPECT_THAT(status.out, HasSubstr("  " + approve));
  EXPECT_THAT(plan.out, HasSubstr("next  " + approve));
  for (const Said& said : {waiting, resumed, status, plan}) {
    EXPECT_THAT(said.out + said.err, Not(HasSubstr("memo resume"))) << "which waits again";
    for (const std::string& line : lines(said.out, out())) EXPECT_LE(line.size(), 100U) << line;
  }
  for (const std::string& line : lines(resumed.err, out())) EXPECT_LE(line.size(), 100U) << line;
}

TEST_F(MemoVersions, WhatIsApprovedSaysSoAndGoesOn) {
  ASSERT_EQ(run({"--min-score", "10"}).code, 75);
  const std::string resume = "next  memo resume Cloudgov --out " + out();
  const Said first = memo({"approve", "Cloudgov"});
  EXPECT_EQ(first.code, 0);
  EXPECT_THAT(first.out, HasSubstr("approved: score "));
  EXPECT_THAT(first.out, HasSubstr(resume));
  const auto before = snapshot(out());
  const Said second = memo({"approve", "Cloudgov"});
  EXPECT_EQ(second.code, 0);
  EXPECT_THAT(second.out, HasSubstr("Cloudgov-v0.0.1 is approved already\n  " + resume));
  EXPECT_EQ(snapshot(out()), before);
  EXPECT_THAT(memo({"status", "Cloudgov"}).out, HasSubstr("memo resume Cloudgov"));
  EXPECT_EQ(memo({"resume", "Cloudgov"}).code, 0);
  const Said done = memo({"approve", "Cloudgov"});
  EXPECT_EQ(done.code, 2);
  EXPECT_THAT(done.err, HasSubstr("does not wait for a person"));
  EXPECT_THAT(done.err, HasSubstr("next  memo status Cloudgov"));
}

}  // namespace
}  // namespace memo::testing
