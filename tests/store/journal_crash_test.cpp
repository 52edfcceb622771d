// A journal whose process is killed, whose disk fails or loses power, at every call.
#include <atomic>
#include <filesystem>
#include <memory>
#include <new>
#include <random>
#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>

#include "resumable/error.hpp"
#include "store/journal_story.hpp"
#include "support/child_process.hpp"
#include "support/faulty_file_system.hpp"
#include "support/power_loss.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
using ::testing::IsEmpty;

/// A number that a child leaves to its parent, however it ends.
class StepOfChild {
 public:
  StepOfChild()
      : place_(::mmap(nullptr, sizeof(Step), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                      0)),
        step_(new (place_) Step(0)) {}
  ~StepOfChild() { ::munmap(place_, sizeof(Step)); }
  StepOfChild(const StepOfChild&) = delete;
  StepOfChild& operator=(const StepOfChild&) = delete;
  void set(int step) { *step_ = step; }
  [[nodiscard]] int get() const { return *step_; }

 private:
  using Step = std::atomic<int>;
  void* place_;
  Step* step_;
};

/// Continues the story in a child that is killed at its nth call.
Ended tell_on_killed_at(const fs::path& path, std::uint64_t at, bool after, StepOfChild& told) {
  ChildProcess child([&] {
    const auto posix = sys::posix_file_system();
    FaultyFileSystem files(*posix);
    files.on_call([&](Op, std::uint64_t count, bool done) {
      if (count == at && done == after) ::raise(SIGKILL);
    });
    JournalStore store{path, story_options(&files)};
    tell_on(store, [&](int step) { told.set(step); });
    return 0;
  });
  return child.wait();
}

void journal_killed_at_every_call(bool after) {
  std::uint64_t at = 1;
  for (;; ++at) {
    const TempFolder folder;
    const fs::path path = folder / "store";
    StepOfChild told;
    const Ended first = tell_on_killed_at(path, at, after, told);
    // And once more while it recovers, somewhere else each time.
    if (first.signal == SIGKILL) tell_on_killed_at(path, at % 61 + 1, after, told);
    JournalStore store{path, story_options()};
    const int found = told_steps(store);
    ASSERT_GE(found, told.get()) << at;
    ASSERT_LE(found, told.get() + 1) << at;
    tell_on(store, [](int) {});
    ASSERT_EQ(told_steps(store), story_steps) << at;
    ASSERT_THAT(snapshot(path / "run/.resumable/tmp"), IsEmpty()) << at;
    if (first == Ended{0, 0}) break;
    ASSERT_EQ(first.signal, SIGKILL) << at;
  }
  EXPECT_GT(at, 100U);
}

TEST(JournalKilled, BeforeEveryCallLosesNothingAcknowledged) {
  journal_killed_at_every_call(false);
}

TEST(JournalKilled, AfterEveryCallLosesNothingAcknowledged) { journal_killed_at_every_call(true); }

// ---- power -------------------------------------------------------------------------------------

constexpr const char* journal_path = "/disk/store";

void expect_told(MemoryDisk& disk, int acknowledged, int begun, std::uint64_t at) {
  JournalStore store{journal_path, story_options(&disk)};
  const int found = told_steps(store);
  ASSERT_GE(found, acknowledged) << at;
  ASSERT_LE(found, begun) << at;
  tell_on(store, [](int) {});
  ASSERT_EQ(told_steps(store), story_steps) << at;
}

class JournalPowerLossOn : public ::testing::TestWithParam<CrossRename> {};

TEST_P(JournalPowerLossOn, AtEveryChangeLosesNothingAcknowledged) {
  std::mt19937 random{20261123};
  std::size_t states = 0;
  MemoryDisk disk{GetParam()};
  int acknowledged = 0;
  disk.on_change([&](std::uint64_t at) {
    if (::testing::Test::HasFatalFailure()) return;
    for (const auto& after : losses(disk, random, true)) {
      ++states;
      // And once more while it recovers, at some change.
      const std::uint64_t again_at = 1 + random() % 60;
      after->on_change([&, again_at](std::uint64_t change) {
        if (change != again_at) return;
        const auto twice = after->after_power_loss([&](std::size_t) { return random() % 2 == 0; });
        expect_told(*twice, acknowledged, story_steps, at);
      });
      expect_told(*after, acknowledged, acknowledged + 1, at);
      if (::testing::Test::HasFatalFailure()) return;
    }
  });
  JournalStore store{journal_path, story_options(&disk)};
  tell_on(store, [&](int step) { acknowledged = step; });
  EXPECT_EQ(acknowledged, story_steps);
  EXPECT_GT(states, 500U);
  RecordProperty("states", static_cast<int>(states));
}

INSTANTIATE_TEST_SUITE_P(Disks, JournalPowerLossOn,
                         ::testing::Values(CrossRename::with_its_folder,
                                           CrossRename::with_both_folders),
                         [](const auto& test) {
                           const bool strict = test.param == CrossRename::with_both_folders;
                           return std::string{strict ? "Strict" : "Usual"};
                         });

TEST(JournalPowerLoss, WhatAKilledOwnerLeftUnsyncedIsDurableBeforeItIsBuiltOn) {
  std::mt19937 random{20261123};
  MemoryDisk disk;
  {
    JournalStore store{journal_path, story_options(&disk)};
    commit(*store.lease("run"), "draft", 1, "kept");
  }
  {  // The kill: what was written is in the page cache alone.
    FaultyFileSystem files{disk};
    files.fail(
        Fault{.ops = {Op::sync_data}, .at = 2, .error = std::errc::io_error, .sticky = true});
    files.on_call([&](Op op, std::uint64_t, bool) {
      if (op == Op::sync_data && files.struck()) {
        files.fail(Fault{.ops = {Op::open, Op::create, Op::write, Op::truncate},
                         .at = 1,
                         .error = std::errc::io_error,
                         .sticky = true});
      }
    });
    JournalStore store{journal_path, story_options(&files)};
    const auto lease = store.lease("run");
    EXPECT_THROW(commit(*lease, "draft", 2, "unsynced"), Error);
  }
  JournalStore store{journal_path, story_options(&disk)};
  const bool found = payload(store, "run", {"draft", 2}).has_value();
  commit(*store.lease("run"), "built", 1, "on it");
  const auto after = disk.after_power_loss([](std::size_t) { return false; });
  JournalStore again{journal_path, story_options(after.get())};
  EXPECT_EQ(payload(again, "run", {"draft", 2}).has_value(), found);
  EXPECT_EQ(payload(again, "run", {"built", 1}), "on it");
}

// ---- removal -----------------------------------------------------------------------------------

/// The run is whole or gone, and what comes next does not find half of it.
void expect_whole_or_gone(CheckpointStore& store, std::uint64_t at) {
  const int found = told_steps(store);
  ASSERT_TRUE(found == story_steps || found == 0) << at << ": " << found;
  if (at % 2 == 0) {
    try {
      store.remove("run");
    } catch (const Error& error) {
      ASSERT_EQ(error.errc(), Errc::unknown_run) << at << error.explain();
    }
    ASSERT_EQ(told_steps(store), 0) << at;
  }
  tell_on(store, [](int) {});
  ASSERT_EQ(told_steps(store), story_steps) << at;
}

TEST(JournalRemoval, KilledAtEveryCallTheRunIsWholeOrGone) {
  std::uint64_t at = 1;
  for (bool again = true; again; ++at) {
    const TempFolder folder;
    const fs::path path = folder / "store";
    JournalStore store{path, story_options()};
    tell_on(store, [](int) {});
    ChildProcess child([&] {
      const auto posix = sys::posix_file_system();
      FaultyFileSystem files(*posix);
      files.on_call([&](Op, std::uint64_t count, bool done) {
        if (count == at && !done) ::raise(SIGKILL);
      });
      JournalStore{path, story_options(&files)}.remove("run");
      return 0;
    });
    const Ended ended = child.wait();
    again = ended.signal == SIGKILL;
    if (!again) {
      ASSERT_EQ(ended.exit_code, 0);
    }
    expect_whole_or_gone(store, at);
    ASSERT_FALSE(::testing::Test::HasFatalFailure());
  }
  EXPECT_GT(at, 30U);
}

TEST(JournalRemoval, WithoutPowerAtEveryChangeTheRunIsWholeOrGone) {
  std::mt19937 random{20261124};
  MemoryDisk disk;
  JournalStore store{journal_path, story_options(&disk)};
  tell_on(store, [](int) {});
  std::size_t states = 0;
  disk.on_change([&](std::uint64_t at) {
    for (const auto& after : losses(disk, random, true)) {
      if (::testing::Test::HasFatalFailure()) return;
      ++states;
      JournalStore there{journal_path, story_options(after.get())};
      expect_whole_or_gone(there, at);
    }
  });
  store.remove("run");
  disk.on_change({});
  EXPECT_EQ(told_steps(store), 0);
  EXPECT_GT(states, 50U);
}

// ---- failing calls -----------------------------------------------------------------------------

struct JournalFault {
  const char* name;
  std::errc error;
  bool sticky;
};

class JournalFaultTest : public ::testing::TestWithParam<JournalFault> {};

TEST_P(JournalFaultTest, AnyCallMayFailAndNothingAcknowledgedIsLost) {
  const JournalFault kind = GetParam();
  const auto posix = sys::posix_file_system();
  FaultyFileSystem files(*posix);
  for (std::uint64_t at = 1;; ++at) {
    const TempFolder folder;
    const fs::path path = folder / "store";
    const std::size_t descriptors = open_descriptors();
    int acknowledged = 0;
    files.fail(Fault{.ops = {}, .at = at, .error = kind.error, .sticky = kind.sticky});
    try {
      JournalStore store{path, story_options(&files)};
      tell_on(store, [&](int step) { acknowledged = step; });
    } catch (const Error& error) {
      EXPECT_TRUE(error.errc() == Errc::store_failed || error.errc() == Errc::unreadable ||
                  error.errc() == Errc::outcome_unknown)
          << error.explain();
      EXPECT_EQ(error.info().cause, kind.error) << error.explain();
      EXPECT_FALSE(error.info().file.empty()) << error.explain();
    }
    const bool struck = files.struck();
    files.fail({});
    ASSERT_EQ(open_descriptors(), descriptors) << at;
    ASSERT_EQ(files.open_files(), 0) << at;
    ASSERT_EQ(files.second_syncs(), 0U) << at;

    JournalStore store{path, story_options()};
    const int found = told_steps(store);
    ASSERT_GE(found, acknowledged) << at;
    ASSERT_LE(found, acknowledged + 1) << at;
    tell_on(store, [](int) {});
    ASSERT_EQ(told_steps(store), story_steps) << at;
    if (!struck) {
      EXPECT_EQ(acknowledged, story_steps);
      EXPECT_GT(at, 100U);
      return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Errors, JournalFaultTest,
    ::testing::Values(JournalFault{"NoSpaceOnce", std::errc::no_space_on_device, false},
                      JournalFault{"NoSpaceFromThenOn", std::errc::no_space_on_device, true},
                      JournalFault{"InputOutputOnce", std::errc::io_error, false},
                      JournalFault{"InputOutputFromThenOn", std::errc::io_error, true},
                      JournalFault{"NoDescriptorFromThenOn", std::errc::too_many_files_open, true}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(JournalFailure, AfterAFailedSyncTheNextCommitIsInANewSegment) {
  const TempFolder folder;
  const auto posix = sys::posix_file_system();
  FaultyFileSystem files(*posix);
  {
    JournalStore store{folder / "store", {.folder = {.files = &files}}};
    const auto lease = store.lease("run");
    commit(*lease, "draft", 1, "x");
    files.fail(Fault{.ops = {Op::sync_data}, .at = 1, .error = std::errc::io_error});
    EXPECT_THROW(commit(*lease, "draft", 2, "lost"), Error);
    EXPECT_THAT(scan(store, "run"), ::testing::ElementsAre("draft.1"));
    commit(*lease, "draft", 2, "again");
    EXPECT_EQ(files.second_syncs(), 0U);
  }
  const JournalStore store{folder / "store"};
  EXPECT_EQ(payload(store, "run", {"draft", 2}), "again");
  EXPECT_THAT(scan(store, "run"), ::testing::ElementsAre("draft.1", "draft.2"));
}

TEST(JournalFailure, ASegmentThatCouldNotBeMadeTakesNoRoom) {
  const TempFolder folder;
  const auto posix = sys::posix_file_system();
  FaultyFileSystem files(*posix);
  JournalStore store{folder / "store", story_options(&files)};
  const auto lease = store.lease("run");
  files.fail(
      Fault{.ops = {Op::sync}, .at = 1, .error = std::errc::no_space_on_device, .sticky = true});
  EXPECT_THROW(commit(*lease, "draft", 1, "x"), Error);
  files.fail({});
  EXPECT_THAT(snapshot(folder / "store/run/.resumable/tmp"), IsEmpty());
  commit(*lease, "draft", 1, "x");
}

TEST(JournalFailure, WhateverIsThrownWhileAGroupIsWrittenLeavesNobodyWaiting) {
  const TempFolder folder;
  const auto posix = sys::posix_file_system();
  FaultyFileSystem files(*posix);
  JournalStore store{folder / "store", {.folder = {.files = &files}}};
  auto lease = store.lease("run");
  commit(*lease, "draft", 1, "x");
  files.on_call([](Op op, std::uint64_t, bool) {
    if (op == Op::write) throw std::length_error("too long");
  });
  try {
    commit(*lease, "draft", 2, "?");
    FAIL() << "a commit";
  } catch (const Error& error) {
    EXPECT_EQ(error.errc(), Errc::outcome_unknown);
  } catch (const std::length_error&) {
    FAIL() << "the next commit would wait for ever";
  }
  files.on_call({});
  EXPECT_THROW(commit(*lease, "draft", 3, "x"), Error);
  lease.reset();
  lease = store.lease("run");
  commit(*lease, "draft", 4, "y");
  EXPECT_EQ(payload(store, "run", {"draft", 4}), "y");
}

TEST(JournalFailure, AnOldSegmentThatCannotBeReadStaysAndCommitsContinue) {
  const auto posix = sys::posix_file_system();
  FaultyFileSystem files(*posix);
  std::uint64_t at = 1;
  for (bool struck = true; struck; ++at) {
    const TempFolder folder;
    JournalStore store{folder / "store", story_options(&files)};
    const auto lease = store.lease("run");
    commit(*lease, "input", 1, "of the first segment");
    files.fail(Fault{.ops = {Op::read}, .at = at, .error = std::errc::io_error});
    for (std::uint64_t n = 1; n <= 20; ++n) {
      const StringPayload bytes{std::string(400, 'x')};
      const Put put{{"loop", n}, tag_of(n), "{}", &bytes};
      const RecordId old{"loop", n - 1};
      ASSERT_NO_THROW(lease->commit({.puts = {&put, 1}, .erases = {&old, n > 1 ? 1U : 0U}}))
          << at << " " << n;
    }
    struck = files.struck();
    files.fail({});
    ASSERT_EQ(payload(store, "run", {"input", 1}), "of the first segment") << at;
  }
  EXPECT_GT(at, 3U);
}

TEST(JournalFailure, WhereTheOutcomeIsUnknownTheLeaseWritesNoMore) {
  const TempFolder folder;
  const auto posix = sys::posix_file_system();
  FaultyFileSystem files(*posix);
  JournalStore store{folder / "store", {.folder = {.files = &files}}};
  auto lease = store.lease("run");
  commit(*lease, "draft", 1, "x");
  files.fail(Fault{.ops = {Op::write}, .at = 1, .error = std::errc::io_error, .sticky = true});
  try {
    commit(*lease, "draft", 2, "?");
    FAIL() << "a commit";
  } catch (const Error& error) {
    EXPECT_EQ(error.errc(), Errc::outcome_unknown);
  }
  files.fail({});
  EXPECT_THROW(commit(*lease, "draft", 3, "x"), Error);
  EXPECT_THROW(lease->wait(1), Error);
  lease.reset();
  lease = store.lease("run");
  commit(*lease, "draft", 4, "y");
  EXPECT_EQ(payload(store, "run", {"draft", 4}), "y");
}

}  // namespace
}  // namespace resumable::test
