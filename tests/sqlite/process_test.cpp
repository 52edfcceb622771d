// Several processes on one database, and processes that are killed.
#include <array>
#include <atomic>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>

#include "resumable/error.hpp"
#include "resumable/sqlite_store.hpp"
#include "sqlite/database.hpp"
#include "support/child_process.hpp"
#include "support/temp_folder.hpp"
#include "testing/records.hpp"

namespace resumable::test {
namespace {

using testing::payload;
using testing::Puts;
using testing::scan;

constexpr int threads = 3;

/// How many commits each thread of a child has had acknowledged: left to the parent by a kill.
class Acknowledged {
 public:
  Acknowledged()
      : place_(::mmap(nullptr, sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                      -1, 0)),
        counts_(new (place_) Counts{}) {}
  ~Acknowledged() { ::munmap(place_, sizeof(Counts)); }
  Acknowledged(const Acknowledged&) = delete;
  Acknowledged& operator=(const Acknowledged&) = delete;

  std::atomic<int>& of(int thread) { return counts_->at(static_cast<std::size_t>(thread)); }
  [[nodiscard]] int sum() const {
    int sum = 0;
    for (const auto& count : *counts_) sum += count;
    return sum;
  }

 private:
  using Counts = std::array<std::atomic<int>, threads>;
  void* place_;
  Counts* counts_;
};

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

}  // namespace
}  // namespace resumable::test
