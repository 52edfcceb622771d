// Removing a run: whole or gone, whatever happens meanwhile; a person's files stay.
#include <csignal>
#include <filesystem>
#include <future>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "resumable/context.hpp"
#include "resumable/error.hpp"
#include "resumable/file_store.hpp"
#include "resumable/memory_store.hpp"
#include "resumable/pipeline.hpp"
#include "resumable/resume.hpp"
#include "resumable/text.hpp"
#include "store/records.hpp"
#include "store/scenario.hpp"
#include "support/child_process.hpp"
#include "support/faulty_file_system.hpp"
#include "support/memory_disk.hpp"
#include "support/power_loss.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A run with two exported files, one of them in a folder, and a step.
Report export_two(CheckpointStore& store) {
  Pipeline pipeline{"p"};
  const auto draft = pipeline.stage(
      "draft", [](Context& ctx) { return ctx.step("words", [] { return Text{"a draft"}; }); });
  const auto notes = pipeline.stage("notes", [] { return Text{"some notes"}; });
  pipeline.artifact(draft, "draft.md");
  pipeline.artifact(notes, "more/notes.md");
  return resume(pipeline, store, {.run = "run"});
}

class RemovalTest : public ::testing::Test {
 protected:
  [[nodiscard]] fs::path run(std::string_view below = "") const {
    return folder_ / "store/run" / below;
  }
  TempFolder folder_;
  FileStore store_{folder_ / "store"};
};

TEST_F(RemovalTest, KeepsArtifactsUnlessAsked) {
  ASSERT_TRUE(export_two(store_));
  const auto before = artifacts(run());
  ASSERT_EQ(before.at("draft.md"), "a draft");
  EXPECT_THAT(store_.remove("run").kept, IsEmpty());
  EXPECT_EQ(snapshot(run()), before) << "the library's folder alone is gone";
  EXPECT_THAT(runs(store_), IsEmpty());
}

TEST_F(RemovalTest, TakesArtifactsAndTheirFoldersWhenAsked) {
  ASSERT_TRUE(export_two(store_));
  EXPECT_THAT(store_.remove("run", {.artifacts = RemoveArtifacts::remove}).kept, IsEmpty());
  EXPECT_FALSE(fs::exists(run()));
}

TEST_F(RemovalTest, LeavesWhatAPersonChangedOrAdded) {
  ASSERT_TRUE(export_two(store_));
  write_file(run("draft.md"), "a person's draft");
  write_file(run("more/todo.txt"), "a person's list");
  fs::create_symlink(folder_ / "elsewhere", run("link"));
  const auto result = store_.remove("run", {.artifacts = RemoveArtifacts::remove});
  EXPECT_THAT(result.kept, ElementsAre("draft.md", "link", "more/todo.txt"));
  EXPECT_EQ(read_file(run("draft.md")), "a person's draft");
  EXPECT_FALSE(fs::exists(run("more/notes.md")));
  EXPECT_FALSE(fs::exists(run(".resumable")));
  EXPECT_TRUE(export_two(store_).error()) << "the edited file is not overwritten";
}

TEST_F(RemovalTest, NeverFollowsAPathOutOfTheRunsFolder) {
  ASSERT_TRUE(export_two(store_));
  write_file(folder_ / "store/precious", "a draft");
  fs::create_directories(folder_ / "outside");
  write_file(folder_ / "outside/notes.md", "some notes");
  fs::remove_all(run("more"));
  fs::create_directory_symlink(folder_ / "outside", run("more"));
  const std::vector<KnownArtifact> known{
      {"../precious", digest("a draft")},
      {"/" + (folder_ / "store/precious").string(), digest("a draft")},
      {"", digest("a draft")}};
  store_.remove("run", {.artifacts = RemoveArtifacts::remove, .known = known});
  EXPECT_EQ(read_file(folder_ / "store/precious"), "a draft");
  EXPECT_EQ(read_file(folder_ / "outside/notes.md"), "some notes");
}

TEST_F(RemovalTest, TakesTheFilesThatTheCallerKnows) {
  ASSERT_TRUE(export_two(store_));
  write_file(run("extra.json"), "{}");
  const std::vector<KnownArtifact> known{{"extra.json", digest("{}")}};
  EXPECT_THAT(store_.remove("run", {.artifacts = RemoveArtifacts::remove, .known = known}).kept,
              IsEmpty());
  EXPECT_FALSE(fs::exists(run()));
}

TEST_F(RemovalTest, AWaitingLeaseBeginsTheRunAgain) {
  commit(*store_.lease("run"), "a", 1, "old");
  const auto posix = sys::posix_file_system();
  FaultyFileSystem files{*posix};
  FileStore remover{folder_ / "store", {.files = &files}};
  std::unique_ptr<Lease> lease;
  std::thread waits;
  // The other waits for the lock while the run is taken apart.
  files.on_call([&](Op op, std::uint64_t, bool done) {
    if (op != Op::rename || done || waits.joinable()) return;
    waits = std::thread{[&] { lease = store_.lease("run", {.wait = std::chrono::hours(1)}); }};
  });
  remover.remove("run");
  waits.join();
  ASSERT_NE(lease, nullptr);
  EXPECT_THAT(scan(store_, "run"), IsEmpty());
  commit(*lease, "a", 1, "new");
  EXPECT_EQ(payload(store_, "run", {"a", 1}), "new");
}

TEST_F(RemovalTest, AWaitingLeaseWaitsForARemovalThatIsUnderWay) {
  commit(*store_.lease("run"), "a", 1, "old");
  const auto posix = sys::posix_file_system();
  FaultyFileSystem removing{*posix};
  FaultyFileSystem waiting{*posix};
  FileStore remover{folder_ / "store", {.files = &removing}};
  FileStore waiter{folder_ / "store", {.files = &waiting}};
  std::promise<void> tried;
  bool told = false;
  waiting.on_call([&](Op op, std::uint64_t, bool done) {
    if (op == Op::lock && done && !std::exchange(told, true)) tried.set_value();
  });
  std::unique_ptr<Lease> lease;
  std::string problem;
  std::thread waits;
  // The run has lost its name, and its records are still there.
  removing.on_call([&](Op op, std::uint64_t, bool done) {
    if (op != Op::unlink || done || waits.joinable()) return;
    waits = std::thread{[&] {
      try {
        lease = waiter.lease("run", {.wait = std::chrono::hours(1)});
      } catch (const Error& error) {
        problem = error.what();
      }
    }};
    tried.get_future().wait();
  });
  remover.remove("run");
  waits.join();
  EXPECT_EQ(problem, "");
  ASSERT_NE(lease, nullptr);
  EXPECT_THAT(scan(store_, "run"), IsEmpty());
}

TEST_F(RemovalTest, AWaitingRemovalWaitsForOneThatIsUnderWay) {
  commit(*store_.lease("run"), "a", 1, "old");
  const auto posix = sys::posix_file_system();
  FaultyFileSystem removing{*posix};
  FaultyFileSystem waiting{*posix};
  FileStore remover{folder_ / "store", {.files = &removing}};
  FileStore waiter{folder_ / "store", {.files = &waiting}};
  std::promise<void> tried;
  bool told = false;
  waiting.on_call([&](Op op, std::uint64_t, bool done) {
    if (op == Op::lock && done && !std::exchange(told, true)) tried.set_value();
  });
  std::string problem;
  std::thread waits;
  removing.on_call([&](Op op, std::uint64_t, bool done) {
    if (op != Op::unlink || done || waits.joinable()) return;
    waits = std::thread{[&] {
      try {
        waiter.remove("run", {.wait = std::chrono::hours(1)});
      } catch (const Error& error) {
        problem = error.what();
      }
    }};
    tried.get_future().wait();
  });
  remover.remove("run");
  waits.join();
  EXPECT_EQ(problem, "");
  EXPECT_THAT(runs(store_), IsEmpty());
}

TEST_F(RemovalTest, ALeaseMakesTheFolderAgainThatARemovalTakesAwayJustThen) {
  fs::create_directories(run());
  const auto posix = sys::posix_file_system();
  FaultyFileSystem files{*posix};
  FileStore store{folder_ / "store", {.files = &files}};
  bool taken = false;
  files.on_call([&](Op op, std::uint64_t, bool done) {
    if (op == Op::make_folder && !done && !std::exchange(taken, true)) fs::remove_all(run());
  });
  commit(*store.lease("run"), "a", 1, "new");
  EXPECT_TRUE(taken);
  EXPECT_EQ(payload(store_, "run", {"a", 1}), "new");
}

TEST_F(RemovalTest, ARunThatBeginsAgainHasAnotherStamp) {
  MemoryStore memory;
  for (CheckpointStore* store :
       {static_cast<CheckpointStore*>(&store_), static_cast<CheckpointStore*>(&memory)}) {
    commit(*store->lease("run"), "a", 1, "old");
    const auto before = store->stamp("run");
    ASSERT_TRUE(before);
    store->remove("run");
    commit(*store->lease("run"), "a", 1, "new");
    EXPECT_NE(store->stamp("run"), before) << store->url() << ": or old facts pass for new ones";
  }
}

/// Removed altogether, or as it was. Without `records`: the run of the scenario, in which an erase
/// may come late.
void expect_whole_or_gone(FileStore& store, const std::map<std::string, std::string>& records,
                          std::uint64_t at) {
  const auto state = state_of(store);
  if (!state.empty()) {
    if (records.empty()) {
      ASSERT_EQ(steps_of(state), scenario_steps) << at << ": half a run";
    } else {
      ASSERT_EQ(state, records) << at << ": half a run";
    }
    ASSERT_THAT(runs(store), ElementsAre("run")) << at;
  } else {
    ASSERT_THAT(runs(store), IsEmpty()) << at;
  }
}

TEST(Removal, KilledAtEveryCallTheRunIsWholeOrGone) {
  std::uint64_t at = 1;
  for (bool again = true; again; ++at) {
    const TempFolder folder;
    const fs::path path = folder / "store";
    {
      FileStore store{path};
      ASSERT_TRUE(export_two(store));
    }
    write_file(path / "run/mine.txt", "a person's");
    const auto whole = state_of(FileStore{path});
    ChildProcess child([&] {
      const auto posix = sys::posix_file_system();
      FaultyFileSystem files{*posix};
      files.on_call([&](Op, std::uint64_t count, bool done) {
        if (count == at && !done) ::raise(SIGKILL);
      });
      FileStore store{path, {.files = &files}};
      store.remove("run", {.artifacts = RemoveArtifacts::remove});
      return 0;
    });
    again = child.wait().signal == SIGKILL;
    FileStore store{path};
    expect_whole_or_gone(store, whole, at);
    if (at % 2 == 0) {
      // The next removal finishes. When the killed one had, there is nothing to remove.
      try {
        store.remove("run", {.artifacts = RemoveArtifacts::remove});
      } catch (const Error& error) {
        ASSERT_EQ(error.errc(), Errc::unknown_run) << at << error.explain();
      }
      ASSERT_THAT(snapshot(path / "run"), ElementsAre(::testing::Pair("mine.txt", "a person's")))
          << at;
    } else {
      // Or the run begins again, and nothing of the old one is in its way.
      const Report report = export_two(store);
      ASSERT_TRUE(report) << at << (report.error() ? report.error()->explain() : "");
      ASSERT_FALSE(fs::exists(path / "run/.resumable.removing")) << at;
    }
    ASSERT_FALSE(::testing::Test::HasFatalFailure());
  }
  EXPECT_GT(at, 60U);
}

class RemovalWithoutPower : public ::testing::TestWithParam<CrossRename> {};

TEST_P(RemovalWithoutPower, AtEveryChangeTheRunIsWholeOrGone) {
  std::mt19937 random{20261122};
  MemoryDisk disk{GetParam()};
  FileStore store{"/disk/store", {.files = &disk}};
  go_on(store, [](int) {});
  std::size_t states = 0;
  disk.on_change([&](std::uint64_t at) {
    if (::testing::Test::HasFatalFailure()) return;
    std::vector<std::unique_ptr<MemoryDisk>> all;
    all.push_back(disk.after_power_loss([](std::size_t) { return false; }));
    all.push_back(disk.after_power_loss([](std::size_t) { return true; }));
    for (int i = 0; i < 8; ++i) {
      all.push_back(disk.after_power_loss([&](std::size_t) { return random() % 2 == 0; }));
    }
    for (const auto& after : distinct(std::move(all))) {
      ++states;
      FileStore there{"/disk/store", {.files = after.get()}};
      expect_whole_or_gone(there, {}, at);
      go_on(there, [](int) {});
      ASSERT_EQ(steps_of(state_of(there)), scenario_steps) << at;
    }
  });
  store.remove("run");
  disk.on_change({});
  EXPECT_THAT(runs(store), IsEmpty());
  EXPECT_GT(states, 100U);
}

INSTANTIATE_TEST_SUITE_P(Disks, RemovalWithoutPower,
                         ::testing::Values(CrossRename::with_its_folder,
                                           CrossRename::with_both_folders));

TEST(Removal, AnyCallMayFailAndTheNextRemovalFinishes) {
  const auto posix = sys::posix_file_system();
  FaultyFileSystem files{*posix};
  bool struck = true;
  for (std::uint64_t at = 1; struck; ++at) {
    const TempFolder folder;
    const fs::path path = folder / "store";
    {
      FileStore store{path};
      go_on(store, [](int) {});
    }
    const auto whole = state_of(FileStore{path});
    files.fail(Fault{.ops = {}, .at = at, .error = std::errc::io_error});
    try {
      FileStore{path, {.files = &files}}.remove("run");
    } catch (const Error& error) {
      EXPECT_FALSE(error.info().next.empty()) << at << error.explain();
    }
    struck = files.struck();
    files.fail({});
    FileStore store{path};
    expect_whole_or_gone(store, whole, at);
    try {
      store.remove("run");
    } catch (const Error& error) {
      ASSERT_EQ(error.errc(), Errc::unknown_run) << at << error.explain();
    }
    ASSERT_FALSE(fs::exists(path / "run")) << at;
    ASSERT_EQ(files.open_files(), 0) << at;
  }
}

}  // namespace
}  // namespace resumable::test
