// Collecting garbage, merging runs, backing a store up.
#include <chrono>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "manage/story.hpp"
#include "support/manual_clock.hpp"
#include "support/run_log.hpp"

namespace resumable::test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// `run/path.generation`, or the run.
std::vector<std::string> names_of(const GarbageResult& result) {
  std::vector<std::string> names;
  for (const Garbage& one : result.removed) {
    names.push_back(one.path.empty()
                        ? one.run
                        : one.run + "/" + one.path + "." + std::to_string(one.generation));
  }
  std::ranges::sort(names);
  return names;
}

/// One stage, and its value under two generations.
void make_two(CheckpointStore& store, const std::string& run) {
  for (const char* text : {"first", "second"}) {
    Pipeline p{"p"};
    const auto said = p.input("said", std::string{text});
    p.stage("echo", inputs(said), [](const std::string& of) { return of; });
    ASSERT_TRUE(resume(p, store, {.run = run}));
  }
}

TEST(CollectGarbage, KeepsTwoGenerationsUnlessToldOtherwise) {
  MemoryStore store;
  make_two(store, "r");
  EXPECT_THAT(names_of(collect_garbage(store)), IsEmpty());
  const auto before = contents(store, "r");
  const GarbageResult dry = collect_garbage(store, {.keep_generations = 1, .dry_run = true});
  EXPECT_EQ(contents(store, "r"), before) << "a dry run removes nothing";
  const GarbageResult done = collect_garbage(store, {.keep_generations = 1});
  EXPECT_EQ(names_of(done), names_of(dry));
  EXPECT_EQ(done.bytes, dry.bytes);
  EXPECT_THAT(names_of(done), ElementsAre("r/@input/said.2", "r/echo.1"));
  EXPECT_FALSE(contents(store, "r").contains("echo.1"));
  EXPECT_TRUE(contents(store, "r").contains("echo.2"));
  EXPECT_THAT(names_of(collect_garbage(store, {.keep_generations = 1})), IsEmpty());
}

/// In blocks, as du(1) counts.
std::uint64_t on_disk(const std::filesystem::path& folder) {
  std::uint64_t bytes = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
    struct ::stat one {};
    EXPECT_EQ(::lstat(file.path().c_str(), &one), 0);
    bytes += static_cast<std::uint64_t>(one.st_blocks) * 512;
  }
  return bytes;
}

TEST(CollectGarbage, SaysWhatTheDiskGotBack) {
  const auto fill = [](CheckpointStore& store) {
    for (const char letter : std::string{"abcd"}) {
      Pipeline p{"p"};
      const auto said = p.input("said", std::string(100'000, letter));
      p.stage("echo", inputs(said), [](const std::string& of) { return of; });
      ASSERT_TRUE(resume(p, store, {.run = "r"}));
    }
  };
  for (const std::string kind : {"file:", "journal:"}) {
    SCOPED_TRACE(kind);
    const TempFolder folder;
    const auto store = open_store(kind + (folder / "s").string(), {}, CreateStore::if_absent);
    fill(*store);
    const std::uint64_t before = on_disk(folder / "s/r");
    EXPECT_FALSE(collect_garbage(*store, {.keep_generations = 1, .dry_run = true}).disk_bytes);
    const GarbageResult one = collect_garbage(*store, {.keep_generations = 1});
    const std::uint64_t after = on_disk(folder / "s/r");
    EXPECT_EQ(one.disk_bytes, before - std::min(after, before));
    if (kind == "file:") {
      EXPECT_GE(one.disk_bytes, 200'000U) << "an input and a value";
    }
    const GarbageResult all = collect_garbage(*store, {.runs_older_than = -1s});
    EXPECT_EQ(names_of(all), std::vector<std::string>{"r"});
    EXPECT_EQ(all.disk_bytes, after);
  }
  MemoryStore memory;
  fill(memory);
  EXPECT_FALSE(collect_garbage(memory, {.keep_generations = 1}).disk_bytes) << "it has no folders";
}

TEST(CollectGarbage, NeverRemovesTheOnlyGoodCopy) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  make_two(store, "r");
  const auto file = store.locate("r", {"echo", 2});
  std::string bytes = read_file(file);
  bytes.back() ^= 1;
  write_file(file, bytes);
  const GarbageResult result = collect_garbage(store, {.keep_generations = 1});
  EXPECT_THAT(names_of(result), ElementsAre("r/@input/said.2"));
  ASSERT_THAT(result.skipped, SizeIs(1));
  EXPECT_THAT(result.skipped[0].why, HasSubstr("'echo' is damaged"));
}

TEST(CollectGarbage, NeverRemovesWhatATagNames) {
  MemoryStore store;
  Story{}.run(store);
  tag_run(store, "r", "good");
  for (const char* topic : {"sky", "sun"}) ASSERT_TRUE((Story{.topic = topic}.run(store)));
  collect_garbage(store, {.runs_older_than = 0s, .keep_generations = 1});
  EXPECT_TRUE(contents(store, "r").contains("notes.1"));
  EXPECT_FALSE(contents(store, "r").contains("notes.2"));
  EXPECT_TRUE(contents(store, "r").contains("notes.3"));
}

TEST(CollectGarbage, RemovesRunsByTheAgeOfTheirLastRecordAndLeavesOwnedOnes) {
  MemoryStore store;
  ManualClock clock;
  const record::TestEnvironment environment{{.clock = &clock}};
  make_two(store, "old");
  make_two(store, "owned");
  make_two(store, "tagged");
  tag_run(store, "tagged", "good");
  clock.advance(48h);
  make_two(store, "young");
  const auto owner = store.lease("owned");
  EXPECT_THAT(names_of(collect_garbage(store)), IsEmpty()) << "no run goes unless asked for";
  const GarbageOptions options{.runs_older_than = 24h, .dry_run = true};
  EXPECT_THAT(names_of(collect_garbage(store, options)), ElementsAre("old"));
  EXPECT_THAT(runs(store), ElementsAre("old", "owned", "tagged", "young"));
  const GarbageResult done = collect_garbage(store, {.runs_older_than = 24h});
  EXPECT_THAT(names_of(done), ElementsAre("old"));
  EXPECT_THAT(done.skipped, SizeIs(1));
  EXPECT_THAT(runs(store), ElementsAre("owned", "tagged", "young"));
}

TEST(CollectGarbage, RemovesARunWhoseOwnTimeToLiveIsOver) {
  MemoryStore store;
  ManualClock clock;
  const record::TestEnvironment environment{{.clock = &clock}};
  const auto run = [&](const std::string& id, std::chrono::seconds time_to_live) {
    Pipeline p{"p"};
    p.stage("echo", inputs(p.input("said", id)), [](const std::string& of) { return of; });
    ASSERT_TRUE(resume(p, store, {.run = id, .time_to_live = time_to_live}));
  };
  run("day", 24h);
  run("week", 24h * 7);
  run("ever", 0s);
  run("tagged", 24h);
  tag_run(store, "tagged", "good");
  clock.advance(23h);
  EXPECT_THAT(names_of(collect_garbage(store)), IsEmpty());
  clock.advance(2h);
  EXPECT_THAT(names_of(collect_garbage(store, {.dry_run = true})), ElementsAre("day"));
  run("day", 0s);  // says nothing of it, and changes no record: its time is over all the same
  EXPECT_THAT(names_of(collect_garbage(store)), ElementsAre("day"));
  EXPECT_THAT(runs(store), ElementsAre("ever", "tagged", "week"));
}

TEST(CollectGarbage, RemovesTheOldestGenerationsUntilTheStoreIsSmallEnough) {
  MemoryStore store;
  ManualClock clock;
  const record::TestEnvironment environment{{.clock = &clock}};
  make_two(store, "a");
  clock.advance(1h);
  make_two(store, "b");
  const std::uint64_t all =
      record_totals(store, "a").payload_bytes + record_totals(store, "b").payload_bytes;
  EXPECT_THAT(names_of(collect_garbage(store, {.max_bytes = all})), IsEmpty());
  EXPECT_THAT(names_of(collect_garbage(store, {.max_bytes = all - 10})),
              ElementsAre("a/@input/said.2", "a/echo.1"));
  EXPECT_THAT(names_of(collect_garbage(store, {.max_bytes = 0})),
              ElementsAre("b/@input/said.2", "b/echo.1"));
}

Broken collecting() {
  return {
      .prepare =
          [](const Stores& stores) {
            const record::TestEnvironment environment{{.file_system = &stores.files()}};
            const auto store = stores.open("s");
            make_two(*store, "gone");
            ManualClock clock;
            clock.advance(24h * 365 * 50);  // its records are from the future
            const record::TestEnvironment later{{.clock = &clock, .file_system = &stores.files()}};
            make_two(*store, "kept");
          },
      .call =
          [](const Stores& stores) {
            const record::TestEnvironment environment{{.file_system = &stores.files()}};
            collect_garbage(*stores.open("s"), {.runs_older_than = 0s, .keep_generations = 1});
          },
      .check_after_break =
          [](const Stores& stores) {
            const auto store = stores.open("s");
            EXPECT_TRUE(contents(*store, "kept").contains("echo.2"));
            EXPECT_TRUE(verify_run(*store, "kept").ok());
            const auto gone = contents(*store, "gone");
            EXPECT_TRUE(gone.empty() || gone.contains("echo.2"));
          },
      .check_when_done =
          [](const Stores& stores) {
            const auto store = stores.open("s");
            EXPECT_FALSE(contents(*store, "kept").contains("echo.1"));
            EXPECT_TRUE(contents(*store, "kept").contains("echo.2"));
            EXPECT_THAT(runs(*store), ElementsAre("kept"));
            sys::File left;
            EXPECT_TRUE(
                stores.files().open_root(stores.folder() + "/s/gone/.resumable.removing", left))
                << "of a removal that was interrupted";
          }};
}

TEST(CollectGarbage, KilledAtEveryChangeCompletesWhenCalledAgain) {
  expect_survives_kills(collecting(), 10);
}

TEST(CollectGarbage, WithoutPowerAtEveryChangeCompletesWhenCalledAgain) {
  expect_survives_power_losses(collecting(), 50);
}

// ---- merge -------------------------------------------------------------------------------------

TEST(MergeRuns, AddsWhatTheOtherRunHasWorkedOut) {
  MemoryStore one;
  MemoryStore two;
  ASSERT_TRUE(Story{}.run(one));
  fork_run(one, "r", "part", {.from_stage = "parts"});
  copy_run(one, "part", two, "part");
  const MergeResult result = merge_runs(one, "r", two, "part");
  EXPECT_THAT(result.conflicts, IsEmpty());
  EXPECT_GT(result.merged, 3U);
  EXPECT_GT(result.same, 3U);
  Calls calls;
  ASSERT_TRUE((Story{.calls = &calls}.run(two, "part")));
  EXPECT_EQ(calls.take(), "") << "all of it was merged";
  EXPECT_EQ(merge_runs(one, "r", two, "part").merged, 0U) << "once";
}

TEST(MergeRuns, ReportsConflictsAndResolvesThemOnlyAsTold) {
  MemoryStore store;
  ASSERT_TRUE(Story{}.run(store, "a"));
  ASSERT_TRUE((Story{.topic = "sky"}.run(store, "b")));
  const auto before = contents(store, "b");
  const MergeResult refused = merge_runs(store, "a", store, "b");
  EXPECT_EQ(refused.merged, 0U);
  EXPECT_EQ(contents(store, "b"), before);
  std::vector<std::string> keys;
  for (const auto& one : refused.conflicts) keys.push_back(one.key);
  EXPECT_THAT(keys, ::testing::IsSupersetOf({"@input/topic", "notes", "outline", "whole"}));
  merge_runs(store, "a", store, "b", {.conflicts = MergeConflicts::keep});
  EXPECT_FALSE(contents(store, "b").contains("notes.2"));
  merge_runs(store, "a", store, "b", {.conflicts = MergeConflicts::take});
  EXPECT_TRUE(contents(store, "b").contains("notes.2"));
  EXPECT_TRUE(verify_run(store, "b").ok());
  Calls calls;
  ASSERT_TRUE((Story{.calls = &calls}.run(store, "b")));
  EXPECT_EQ(calls.take(), "") << "it is what a was";
}

TEST(MergeRuns, WhatIsTakenIsExportedAndAFileThatAPersonHasChangedStays) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  ASSERT_TRUE(Story{}.run(store, "a"));
  ASSERT_TRUE((Story{.topic = "sky"}.run(store, "b")));
  ASSERT_TRUE((Story{.topic = "sky"}.run(store, "c")));
  merge_runs(store, "a", store, "b", {.conflicts = MergeConflicts::take});
  const Report report = Story{}.run(store, "b");
  ASSERT_TRUE(report) << report.text();
  EXPECT_EQ(artifacts(folder / "store/b"), artifacts(folder / "store/a"));
  write_file(folder / "store/c/notes.md", "my own");
  merge_runs(store, "a", store, "c", {.conflicts = MergeConflicts::take});
  EXPECT_EQ(Story{}.run(store, "c").exit_code(), 3);
  EXPECT_EQ(read_file(folder / "store/c/notes.md"), "my own");
}

TEST(MergeRuns, OfAnotherPipelineAreRefused) {
  MemoryStore store;
  ASSERT_TRUE(Story{}.run(store, "a"));
  make_two(store, "b");
  EXPECT_EQ(errc_of([&] { merge_runs(store, "a", store, "b"); }), Errc::foreign);
  EXPECT_EQ(errc_of([&] { merge_runs(store, "a", store, "a"); }), Errc::bad_option);
}

Broken merging() {
  return {
      .prepare =
          [](const Stores& stores) {
            const auto store = stores.open("s");
            ASSERT_TRUE(Story{}.run(*store, "r", &stores.files()));
            fork_run(*store, "r", "part", {.from_stage = "parts"});
          },
      .call =
          [](const Stores& stores) {
            const auto store = stores.open("s");
            merge_runs(*store, "r", *store, "part");
          },
      .check_after_break =
          [](const Stores& stores) {
            EXPECT_TRUE(verify_run(*stores.open("s"), "r").ok());
            EXPECT_TRUE(verify_run(*stores.open("s"), "part").ok());
          },
      .check_when_done =
          [](const Stores& stores) {
            Calls calls;
            ASSERT_TRUE((Story{.calls = &calls}.run(*stores.open("s"), "part", &stores.files())));
            EXPECT_EQ(calls.take(), "");
          }};
}

TEST(MergeRuns, KilledAtEveryChangeCompletesWhenCalledAgain) {
  expect_survives_kills(merging(), 5);
}

TEST(MergeRuns, WithoutPowerAtEveryChangeCompletesWhenCalledAgain) {
  expect_survives_power_losses(merging(), 20);
}

// ---- back up -----------------------------------------------------------------------------------

Broken backing_up() {
  return {
      .prepare =
          [](const Stores& stores) {
            const record::TestEnvironment environment{{.file_system = &stores.files()}};
            make_two(*stores.open("s"), "a");
            make_two(*stores.open("s"), "b");
          },
      .call =
          [](const Stores& stores) { back_up_store(*stores.open("s"), *stores.open("backup")); },
      .check_after_break = {},
      .check_when_done =
          [](const Stores& stores) {
            for (const char* run : {"a", "b"}) {
              EXPECT_EQ(contents(*stores.open("backup"), run), contents(*stores.open("s"), run));
            }
          }};
}

TEST(BackUpStore, KilledAtEveryChangeCompletesWhenCalledAgain) {
  expect_survives_kills(backing_up(), 20);
}

TEST(BackUpStore, WithoutPowerAtEveryChangeCompletesWhenCalledAgain) {
  expect_survives_power_losses(backing_up(), 50);
}

}  // namespace
}  // namespace resumable::test
