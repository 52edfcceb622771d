// Several processes on one database, and processes that are killed.
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <unistd.h>

#include "resumable/error.hpp"
#include "resumable/sqlite_store.hpp"
#include "sqlite/database.hpp"
#include "support/acknowledged.hpp"
#include "support/child_process.hpp"
#include "support/temp_folder.hpp"
#include "testing/promises.hpp"
#include "testing/records.hpp"

namespace resumable::test {
namespace {

using testing::code_of;
using ::testing::ElementsAre;
using testing::payload;
using testing::Puts;
using testing::runs;
using testing::scan;

constexpr int threads = 3;

/// Of various sizes: in their row, in one chunk, in several.
std::string value_of(int thread, int number) {
  const auto size = static_cast<std::size_t>(number % 7 == 0 ? 200'000 : 50 * number);
  return std::to_string(thread) + ' ' + std::to_string(number) + std::string(size, 'v');
}

std::string path_of(int thread, int number, const char* half) {
  return 't' + std::to_string(thread) + '/' + std::to_string(number) + half;
}

void commit_until_killed(const std::filesystem::path& file, const std::string& run,
                         Acknowledged& acknowledged) {
  SqliteStore store{file};
  const auto lease = store.lease(run);
  std::vector<std::thread> writers;
  for (int thread = 0; thread < threads; ++thread) {
    writers.emplace_back([&, thread] {
      for (int number = 1; number < 10'000; ++number) {
        Puts batch(2);
        batch.add(path_of(thread, number, "a"), 1, value_of(thread, number));
        batch.add(path_of(thread, number, "b"), 1, value_of(thread, number));
        lease->commit({.puts = batch.all(), .erases = {}});
        ++acknowledged.of(thread);
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
}

void expect_acknowledged(const SqliteStore& store, const std::string& run,
                         Acknowledged& acknowledged) {
  std::size_t expected = 0;
  for (int thread = 0; thread < threads; ++thread) {
    const int count = acknowledged.of(thread);
    expected += 2 * static_cast<std::size_t>(count);
    for (int number = 1; number <= count; ++number) {
      for (const char* half : {"a", "b"}) {
        const std::string path = path_of(thread, number, half);
        ASSERT_EQ(payload(store, run, {path, 1}), value_of(thread, number)) << run << path;
      }
    }
    const std::string next_a = path_of(thread, count + 1, "a");
    const std::string next_b = path_of(thread, count + 1, "b");
    const bool one = store.get(run, {next_a, 1}).has_value();
    ASSERT_EQ(one, store.get(run, {next_b, 1}).has_value()) << "half a batch";
    expected += one ? 2U : 0U;
  }
  ASSERT_EQ(scan(store, run).size(), expected);
}

TEST(SqliteProcess, KilledAfterAnyNumberOfCommitsNothingAcknowledgedIsLost) {
  const TempFolder folder;
  const auto file = folder / "store.db";
  for (int kill_at = 0; kill_at < 40; ++kill_at) {
    Acknowledged acknowledged;
    const std::string run = "run-" + std::to_string(kill_at);
    ChildProcess child{[&] {
      commit_until_killed(file, run, acknowledged);
      return 0;
    }};
    while (acknowledged.sum() < kill_at) std::this_thread::yield();
    child.kill(SIGKILL);
    ASSERT_EQ(child.wait(), (Ended{-1, SIGKILL}));
    SqliteStore store{file};
    expect_acknowledged(store, run, acknowledged);
    ASSERT_FALSE(store.owner(run));
    const auto lease = store.lease(run);
    testing::commit(*lease, "after", 1, "the kill");
  }
  sqlite::Connection connection{file.string(), sqlite::Mode::read};
  sqlite::Statement check = connection.prepare("PRAGMA integrity_check");
  ASSERT_TRUE(check.step());
  EXPECT_EQ(check.bytes(0), "ok");
}

TEST(SqliteProcess, SeveralCreateOneDatabaseAndWriteTheirRunsAtOnce) {
  const TempFolder folder;
  const auto file = folder / "below/store.db";
  constexpr int processes = 4;
  constexpr std::uint64_t commits = 25;
  std::vector<std::unique_ptr<ChildProcess>> children;
  for (int i = 0; i < processes; ++i) {
    children.push_back(std::make_unique<ChildProcess>([&, i] {
      SqliteStore store{file};
      const auto lease = store.lease("run-" + std::to_string(i));
      for (std::uint64_t n = 1; n <= commits; ++n) testing::commit(*lease, "draft", n, "x");
      return 0;
    }));
  }
  for (const auto& child : children) EXPECT_EQ(child->wait(), (Ended{0, 0}));
  SqliteStore store{file};
  for (int i = 0; i < processes; ++i) {
    EXPECT_EQ(scan(store, "run-" + std::to_string(i)).size(), commits) << i;
  }
}

TEST(SqliteProcess, ARunIsCreatedByOneOfSeveral) {
  const TempFolder folder;
  const auto file = folder / "store.db";
  std::vector<std::unique_ptr<ChildProcess>> children;
  for (int i = 0; i < 4; ++i) {
    children.push_back(std::make_unique<ChildProcess>([&] {
      SqliteStore store{file};
      try {
        const auto lease = store.lease("run", {.create = Create::must});
        testing::commit(*lease, "draft", 1, "x");
        return 7;
      } catch (const Error& error) {
        return error.errc() == Errc::duplicate_name || error.errc() == Errc::busy ? 8 : 9;
      }
    }));
  }
  std::vector<int> codes;
  for (const auto& child : children) codes.push_back(child->wait().exit_code);
  EXPECT_THAT(codes, ::testing::UnorderedElementsAre(7, 8, 8, 8));
}

// ---- removal -----------------------------------------------------------------------------------

int writes_left = 0;  ///< before this process ends

void count_write() {
  if (--writes_left == 0) ::raise(SIGKILL);
}
ssize_t counted_write(int file, const void* bytes, std::size_t size) {
  count_write();
  return ::write(file, bytes, size);
}
ssize_t counted_pwrite(int file, const void* bytes, std::size_t size, off_t at) {
  count_write();
  return ::pwrite(file, bytes, size, at);
}

/// Kills this process before SQLite's nth write to a file.
void kill_before_write(int nth) {
  writes_left = nth;
  sqlite3_vfs* const files = ::sqlite3_vfs_find(nullptr);
  const auto replace = [&](const char* call, auto* by) {
    files->xSetSystemCall(files, call, reinterpret_cast<sqlite3_syscall_ptr>(by));
  };
  replace("write", &counted_write);
  replace("pwrite", &counted_pwrite);
  replace("pwrite64", &counted_pwrite);
}

TEST(SqliteRemoval, KilledAtEveryWriteTheRunIsWholeOrGone) {
  constexpr std::uint64_t records = 8;
  const TempFolder folder;
  {
    SqliteStore store{folder / "before/store.db"};
    testing::commit(*store.lease("kept"), "draft", 1, "another run's");
    const auto lease = store.lease("run");
    for (std::uint64_t n = 1; n <= records; ++n) {
      testing::commit(*lease, "draft", n, std::string(n * 200, 'd'));
    }
  }
  int whole = 0;
  bool again = true;
  for (int at = 1; again; ++at) {
    const auto copy = folder / std::to_string(at);
    std::filesystem::copy(folder / "before", copy, std::filesystem::copy_options::recursive);
    ChildProcess child{[&] {
      kill_before_write(at);
      SqliteStore{copy / "store.db"}.remove("run");
      return 0;
    }};
    again = child.wait().signal == SIGKILL;
    SqliteStore store{copy / "store.db"};
    if (again && !scan(store, "run").empty()) {
      ++whole;
      ASSERT_EQ(scan(store, "run").size(), records) << at << ": half a run";
      ASSERT_EQ(payload(store, "run", {"draft", records}), std::string(records * 200, 'd')) << at;
      ASSERT_THAT(runs(store), ElementsAre("kept", "run")) << at;
      store.remove("run");
    }
    ASSERT_THAT(runs(store), ElementsAre("kept")) << at;
    ASSERT_EQ(code_of([&] { store.remove("run"); }), Errc::unknown_run) << at;
    ASSERT_EQ(payload(store, "kept", {"draft", 1}), "another run's") << at;
    testing::commit(*store.lease("run", {.create = Create::must}), "draft", 1, "begun again");
  }
  EXPECT_GT(whole, 5);
}

}  // namespace
}  // namespace resumable::test
