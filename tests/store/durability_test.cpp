// Durability::data: no commit waits for the disk; what a power loss takes is what was committed
// last, whole.
#include <algorithm>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "resumable/error.hpp"
#include "resumable/file_store.hpp"
#include "store/journal_story.hpp"
#include "support/faulty_file_system.hpp"
#include "support/power_loss.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {
namespace {

using ::testing::ElementsAre;

constexpr const char* place = "/disk/store";

std::unique_ptr<CheckpointStore> open_store(bool journal, const std::string& path,
                                            sys::FileSystem* files) {
  if (journal) return std::make_unique<JournalStore>(path, story_options(files));
  return std::make_unique<FileStore>(path, FileStoreOptions{.files = files});
}

Ticket commit_data(Lease& lease, const std::string& path, std::uint64_t generation,
                   const std::string& bytes, const std::vector<RecordId>& erases = {}) {
  Puts puts{1};
  puts.add(path, generation, bytes);
  return lease.commit({.puts = puts.all(), .erases = erases},
                      {.durability = Durability::data, .wait = {}});
}

std::string path_of(int number) {
  return (number % 2 == 0 ? "even/" : "odd/") + std::to_string(number);
}

/// Some fill a segment of the journal.
std::string value_of(const std::string& path) { return "value of " + path + std::string(600, '.'); }

class DataTest : public ::testing::TestWithParam<bool> {};

TEST_P(DataTest, ACommitSyncsNothingAndTheWaitSyncsAll) {
  const TempFolder folder;
  const auto posix = sys::posix_file_system();
  FaultyFileSystem files{*posix};
  const auto store = open_store(GetParam(), (folder / "store").string(), &files);
  const auto lease = store->lease("run");
  commit(*lease, "item/first", 1, "makes the folder, or the segment");
  files.reset_counts();
  Ticket last = 0;
  for (int i = 0; i < 5; ++i) last = commit_data(*lease, "item/" + std::to_string(i), 1, "value");
  EXPECT_EQ(files.syncs(), 0U);
  EXPECT_EQ(lease->durable(), Ticket{1});
  lease->wait(last);
  EXPECT_EQ(lease->durable(), last);
  const std::uint64_t syncs = files.syncs();
  EXPECT_EQ(syncs, GetParam() ? 1U : 6U);  // the segment; each file and their folder
  lease->wait(last);
  EXPECT_EQ(files.syncs(), syncs);
}

TEST_P(DataTest, AFullCommitMakesAllBeforeItDurable) {
  MemoryDisk disk;
  const auto store = open_store(GetParam(), place, &disk);
  const auto lease = store->lease("run");
  commit_data(*lease, "a", 1, "first");
  commit_data(*lease, "b/c", 1, "second");
  commit(*lease, "d", 1, "full");
  const auto after = disk.after_power_loss([](std::size_t) { return false; });
  EXPECT_THAT(scan(*open_store(GetParam(), place, after.get()), "run"),
              ElementsAre("a.1", "b/c.1", "d.1"));
}

TEST_P(DataTest, WhatIsErasedIsThereUntilWhatReplacesItIsDurable) {
  MemoryDisk disk;
  const auto store = open_store(GetParam(), place, &disk);
  const auto lease = store->lease("run");
  commit(*lease, "draft", 1, std::string(300'000, '1'));
  const Ticket ticket = commit_data(*lease, "draft", 2, "2", {{"draft", 1}});
  std::mt19937 random{20261123};
  for (const auto& after : losses(disk, random, true)) {
    const auto again = open_store(GetParam(), place, after.get());
    const auto found = scan(*again, "run");
    const bool second =
        std::ranges::count(found, "draft.2") > 0 && payload(*again, "run", {"draft", 2}) == "2";
    if (!second) {
      EXPECT_EQ(payload(*again, "run", {"draft", 1}), std::string(300'000, '1'));
    }
  }
  lease->wait(ticket);
  for (const auto& after : losses(disk, random, true)) {
    EXPECT_EQ(payload(*open_store(GetParam(), place, after.get()), "run", {"draft", 2}), "2");
  }
}

TEST_P(DataTest, ASyncThatFailsIsToldByEveryLaterCall) {
  const TempFolder folder;
  const auto posix = sys::posix_file_system();
  FaultyFileSystem files{*posix};
  const auto store = open_store(GetParam(), (folder / "store").string(), &files);
  const auto lease = store->lease("run");
  commit(*lease, "first", 1, "durable");
  const Ticket ticket = commit_data(*lease, "second", 1, "not yet");
  files.fail(Fault{.ops = {Op::sync, Op::sync_data}, .at = 1, .error = std::errc::io_error});
  EXPECT_THROW(lease->wait(ticket), Error);
  EXPECT_TRUE(files.struck());
  EXPECT_THROW(lease->wait(ticket), Error);
  EXPECT_THROW(commit(*lease, "third", 1, "refused"), Error);
  EXPECT_THROW(commit_data(*lease, "third", 1, "refused"), Error);
  EXPECT_EQ(lease->durable(), Ticket{1});
  EXPECT_EQ(files.second_syncs(), 0U);
}

TEST(FileData, ManyFilesAreSyncedWithoutBeingAsked) {
  MemoryDisk disk;
  FileStore store{place, {.files = &disk}};
  const auto lease = store.lease("run");
  for (int i = 0; i < 1024; ++i) commit_data(*lease, "item/" + std::to_string(i), 1, "v");
  EXPECT_EQ(lease->durable(), Ticket{1024});
  commit_data(*lease, "item/more", 1, "v");
  EXPECT_EQ(lease->durable(), Ticket{1024});
}

/// What was lost may show as damage: then it is named, and set aside by the next resume.
TEST_P(DataTest, AtEveryChangeAPowerLossTakesOnlyWhatWasNotWaitedFor) {
  std::mt19937 random{20261123};
  std::size_t states = 0;
  MemoryDisk disk;
  std::set<std::string> durable;
  disk.on_change([&](std::uint64_t at) {
    if (::testing::Test::HasFatalFailure()) return;
    for (const auto& after : losses(disk, random, true)) {
      ++states;
      const auto store = open_store(GetParam(), place, after.get());
      for (const std::string& path : durable) {
        ASSERT_EQ(payload(*store, "run", {path, 1}), value_of(path)) << at;
      }
      commit(*store->lease("run"), "after", 1, "the loss");
      ASSERT_EQ(payload(*store, "run", {"after", 1}), "the loss") << at;
    }
  });
  const auto store = open_store(GetParam(), place, &disk);
  const auto lease = store->lease("run");
  for (int i = 1; i <= 9; ++i) {
    const std::string path = path_of(i);
    const Ticket ticket = commit_data(*lease, path, 1, value_of(path));
    if (i % 3 != 0) continue;
    lease->wait(ticket);
    for (int done = i - 2; done <= i; ++done) {
      durable.insert(path_of(done));
    }
  }
  EXPECT_GT(states, 300U);
  RecordProperty("states", static_cast<int>(states));
}

INSTANTIATE_TEST_SUITE_P(Stores, DataTest, ::testing::Values(false, true),
                         [](const auto& test) { return test.param ? "Journal" : "File"; });

}  // namespace
}  // namespace resumable::test
