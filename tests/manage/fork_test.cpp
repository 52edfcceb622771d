// Forking a run: the source stays as it is, and the fork goes its own way.
#include <csignal>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "manage/story.hpp"
#include "support/child_process.hpp"
#include "support/run_log.hpp"

namespace resumable::test {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST(ForkRun, OfAWholeRunRunsNothingAgainAndLeavesTheSourcesChecksumsUnchanged) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  Calls calls;
  const Story story{.calls = &calls};
  ASSERT_TRUE(story.run(store));
  const auto before = digests(folder / "store/r");
  fork_run(store, "r", "f");
  EXPECT_EQ(digests(folder / "store/r"), before);
  EXPECT_TRUE(verify_run(store, "f").ok());
  calls.take();
  const Report report = story.run(store, "f");
  ASSERT_TRUE(report) << report.text();
  EXPECT_EQ(calls.take(), "");
  EXPECT_EQ(artifacts(folder / "store/f"), artifacts(folder / "store/r"));
  EXPECT_EQ(digests(folder / "store/r"), before);
}

TEST(ForkRun, FromAStageLeavesThatAndItsDependentsOutAndKeepsWhatIsIndependent) {
  MemoryStore store;
  Calls calls;
  const Story story{.calls = &calls};
  ASSERT_TRUE(story.run(store));
  fork_run(store, "r", "f", {.from_stage = "parts"});
  const auto forked = contents(store, "f");
  EXPECT_TRUE(forked.contains("outline.1"));
  EXPECT_TRUE(forked.contains("notes.1"));
  EXPECT_FALSE(forked.contains("whole.1"));
  for (const auto& [path, content] : forked) EXPECT_FALSE(path.starts_with("parts/")) << path;
  calls.take();
  ASSERT_TRUE(story.run(store, "f"));
  EXPECT_EQ(calls.take(), "parts x2, whole");
}

TEST(ForkRun, ContinuesWithOtherInputsBesideItsSource) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  ASSERT_TRUE(Story{}.run(store));
  const auto before = digests(folder / "store/r");
  fork_run(store, "r", "f", {.from_stage = "parts"});
  Calls calls;
  ASSERT_TRUE((Story{.style = "grand", .calls = &calls}.run(store, "f")));
  EXPECT_EQ(calls.take(), "parts x2, whole");
  EXPECT_EQ(read_file(folder / "store/f/whole.md"), "a sea grand\nb sea grand\n");
  EXPECT_EQ(digests(folder / "store/r"), before);
}

TEST(ForkRun, OfATagHasTheStateOfThatMoment) {
  MemoryStore store;
  ASSERT_TRUE(Story{}.run(store));
  tag_run(store, "r", "draft");
  for (const char* topic : {"sky", "sun", "ice"}) ASSERT_TRUE((Story{.topic = topic}.run(store)));
  fork_run(store, "r", "f", {.tag = "draft"});
  Calls calls;
  ASSERT_TRUE((Story{.calls = &calls}.run(store, "f")));
  EXPECT_EQ(calls.take(), "") << "all of it is there as it was tagged";
  EXPECT_EQ(errc_of([&] { fork_run(store, "r", "g", {.tag = "none"}); }), Errc::no_value);
}

TEST(ForkRun, OntoAnotherRunIsRefused) {
  MemoryStore store;
  ASSERT_TRUE(Story{}.run(store));
  ASSERT_TRUE(Story{}.run(store, "other"));
  EXPECT_EQ(errc_of([&] { fork_run(store, "r", "other"); }), Errc::duplicate_name);
  EXPECT_EQ(errc_of([&] { fork_run(store, "r", "r"); }), Errc::duplicate_name);
  fork_run(store, "r", "f");
  EXPECT_TRUE(fork_run(store, "r", "f").existed);
  EXPECT_EQ(errc_of([&] { fork_run(store, "r", "f", {.from_stage = "notes"}); }),
            Errc::duplicate_name)
      << "another fork of the same run";
}

TEST(ForkRun, FromAStageThatIsUnknownNamesTheLikelyOne) {
  MemoryStore store;
  ASSERT_TRUE(Story{}.run(store));
  try {
    fork_run(store, "r", "f", {.from_stage = "part"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.errc(), Errc::unknown_stage);
    EXPECT_THAT(error.what(), HasSubstr("did you mean 'parts'?"));
  }
}

TEST(ForkRun, FromAStageRefusesToGuessWhereADamagedRecordWouldTellWhatDependsOnIt) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  ASSERT_TRUE(Story{}.run(store));
  const auto file = store.locate("r", {"whole", 1});
  write_file(file, read_file(file).substr(0, 100));
  EXPECT_EQ(
      errc_of([&] { fork_run(store, "r", "f", {.from_stage = "outline", .skip_damaged = true}); }),
      Errc::damaged);
  EXPECT_THAT(fork_run(store, "r", "f", {.skip_damaged = true}).left_out, SizeIs(1));
}

/// A stage that sends one mail and dies in between, if asked to.
void send(CheckpointStore& store, const std::string& run, bool dies,
          std::vector<std::string>& keys) {
  Pipeline p{"p"};
  p.stage("send", [&](Context& ctx) {
    return ctx.effect(
        "mail", with(std::string{"hello"}),
        [&](const std::string& key) {
          if (dies) ::raise(SIGKILL);
          keys.push_back("sent " + key);
          return key;
        },
        [&](const std::string& key) {
          keys.push_back("asked " + key);
          return Verified<std::string>::did_not_happen();
        });
  });
  ASSERT_TRUE(resume(p, store, {.run = run}));
}

TEST(ForkRun, AnEffectOfUnknownOutcomeKeepsItsKeyAndOneThatBeginsInTheForkHasItsOwn) {
  const TempFolder folder;
  std::vector<std::string> keys;
  ChildProcess child([&] {
    FileStore store{folder / "store"};
    send(store, "r", true, keys);
    return 0;
  });
  ASSERT_EQ(child.wait(), (Ended{-1, SIGKILL}));
  FileStore store{folder / "store"};
  fork_run(store, "r", "f");
  fork_run(store, "r", "from", {.from_stage = "send"});
  std::vector<std::string> source;
  std::vector<std::string> begun;
  std::vector<std::string> left_out;
  std::vector<std::string> own;
  send(store, "r", false, source);
  send(store, "f", false, begun);
  send(store, "from", false, left_out);
  fork_run(store, "r", "fresh", {.from_stage = "send"});
  send(store, "fresh", false, own);
  ASSERT_THAT(source, SizeIs(2));
  EXPECT_EQ(begun, source) << "the other side knows it by this key";
  EXPECT_EQ(left_out, source) << "also where the fork makes the stage's value again";
  ASSERT_THAT(own, SizeIs(1));
  EXPECT_NE(own[0], source[1]);
}

Broken forking() {
  return {.prepare =
              [](const Stores& stores) {
                ASSERT_TRUE(Story{}.run(*stores.open("s"), "r", &stores.files()));
              },
          .call =
              [](const Stores& stores) {
                fork_run(*stores.open("s"), "r", "f", {.from_stage = "parts"});
              },
          .check_after_break =
              [](const Stores& stores) {
                const auto store = stores.open("s");
                EXPECT_TRUE(verify_run(*store, "r").ok());
                const auto forked = contents(*store, "f");
                EXPECT_TRUE(forked.empty() || forked.contains("outline.1"));
                EXPECT_TRUE(forked.empty() || verify_run(*store, "f").ok());
              },
          .check_when_done =
              [](const Stores& stores) {
                Calls calls;
                ASSERT_TRUE((Story{.calls = &calls}.run(*stores.open("s"), "f", &stores.files())));
                EXPECT_EQ(calls.take(), "parts x2, whole");
                EXPECT_TRUE(verify_run(*stores.open("s"), "r").ok());
              }};
}

TEST(ForkRun, KilledAtEveryChangeCompletesWhenCalledAgain) { expect_survives_kills(forking(), 15); }

TEST(ForkRun, WithoutPowerAtEveryChangeCompletesWhenCalledAgain) {
  expect_survives_power_losses(forking(), 50);
}

}  // namespace
}  // namespace resumable::test
