// Commits of several threads are written together, and each caller gets its own answer.
#include "store/file/commit_queue.hpp"

#include <atomic>
#include <latch>
#include <mutex>
#include <random>
#include <set>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "resumable/error.hpp"
#include "resumable/file_store.hpp"
#include "store/records.hpp"
#include "support/memory_disk.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
using store::CommitQueue;
using store::WaitingCommit;
using ::testing::ElementsAre;

// ---- the queue ---------------------------------------------------------------------------------

/// One put, and what it erases.
class OneRecord {
 public:
  explicit OneRecord(std::string path, std::vector<RecordId> erases = {})
      : path_(std::move(path)), erases_(std::move(erases)) {}

  /// Valid as long as this stays where it is.
  [[nodiscard]] Batch batch() {
    put_ = {{path_, 1}, tag_of(1), "{}", &payload_};
    return {{&put_, 1}, erases_};
  }

 private:
  std::string path_;
  StringPayload payload_{"x"};
  Put put_;
  std::vector<RecordId> erases_;
};

/// The groups that were written while the first commit waited for all the others.
std::vector<std::string> groups_of(std::vector<OneRecord> records) {
  CommitQueue queue;
  std::latch first_writes{1};
  std::latch others_wait{1};
  std::vector<std::string> groups;
  const auto write = [&](CommitQueue::Group group) {
    if (groups.empty()) {
      first_writes.count_down();
      others_wait.wait();
    }
    std::vector<std::string> paths;
    for (const WaitingCommit* one : group) {
      for (const Put& put : one->batch.puts) paths.emplace_back(put.id.path);
    }
    std::ranges::sort(paths);
    std::string& text = groups.emplace_back();
    for (const std::string& path : paths) text += path;
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < records.size(); ++i) {
    threads.emplace_back([&, i] {
      const Batch batch = records[i].batch();
      queue.commit(batch, write);
    });
    if (i == 0) first_writes.wait();
    // In this order, so that the groups are certain.
    while (i > 0 && queue.waiting() < i) std::this_thread::yield();
  }
  others_wait.count_down();
  for (std::thread& thread : threads) thread.join();
  return groups;
}

TEST(CommitQueueTest, OneThatFindsNobodyWritingIsWrittenAtOnce) {
  CommitQueue queue;
  OneRecord record{"a"};
  const Batch batch = record.batch();
  std::size_t size = 0;
  queue.commit(batch, [&](CommitQueue::Group group) { size = group.size(); });
  EXPECT_EQ(size, 1U);
}

TEST(CommitQueueTest, ThoseThatArriveWhileOneIsWrittenAreWrittenTogether) {
  const std::vector<OneRecord> records{OneRecord{"a"}, OneRecord{"b"}, OneRecord{"c"},
                                       OneRecord{"d"}};
  EXPECT_THAT(groups_of(records), ElementsAre("a", "bcd"));
}

TEST(CommitQueueTest, ThoseThatReplaceRecordsAreNotWrittenWithOthers) {
  const std::vector<OneRecord> records{OneRecord{"a"}, OneRecord{"b"}, OneRecord{"C", {{"C", 1}}},
                                       OneRecord{"d", {{"progress", 1}}},
                                       OneRecord{"E", {{"E", 1}}}};
  EXPECT_THAT(groups_of(records), ElementsAre("a", "bd", "CE"));
}

TEST(CommitQueueTest, EachGetsItsOwnError) {
  CommitQueue queue;
  OneRecord record{"a"};
  const Batch batch = record.batch();
  const auto fail = [](CommitQueue::Group group) {
    group.front()->error = std::make_exception_ptr(std::runtime_error("full"));
  };
  EXPECT_THROW(queue.commit(batch, fail), std::runtime_error);
  EXPECT_NO_THROW(queue.commit(batch, [](CommitQueue::Group) {}));
}

TEST(CommitQueueTest, TakesWhatIsSmallAndInMemory) {
  const std::string large(100'000, 'x');
  const StringPayload payload{large};
  const Put put{{"a", 1}, tag_of(1), "{}", &payload};
  EXPECT_FALSE(CommitQueue::takes({{&put, 1}, {}}));
  OneRecord small{"a"};
  EXPECT_TRUE(CommitQueue::takes(small.batch()));
}

// ---- the file store ----------------------------------------------------------------------------

TEST(FileLeaseOfManyThreads, WritesFewerFilesThanCommits) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  const auto lease = store.lease("run");
  constexpr int threads = 8;
  int round = 0;
  const auto files = [&] {
    std::size_t count = 0;
    const fs::path below = folder / "store/run/.resumable/checkpoints";
    for (const auto& one : fs::recursive_directory_iterator(below)) count += one.is_regular_file();
    return count;
  };
  // Which ones meet is up to the scheduler.
  do {
    std::latch start{threads};
    std::vector<std::thread> all;
    for (int t = 0; t < threads; ++t) {
      all.emplace_back([&, t] {
        start.arrive_and_wait();
        commit(*lease, "item/" + std::to_string(round) + "-" + std::to_string(t), 1, "x");
      });
    }
    for (std::thread& one : all) one.join();
    ++round;
  } while (round < 1000 && files() == static_cast<std::size_t>(round * threads));
  EXPECT_LT(files(), static_cast<std::size_t>(round * threads));
  EXPECT_EQ(scan(store, "run").size(), static_cast<std::size_t>(round * threads));
  FileStore again{folder / "store"};
  EXPECT_EQ(scan(again, "run").size(), static_cast<std::size_t>(round * threads));
}

TEST(FileLeaseOfManyThreads, ARecordIsCommittedOnceAndTheOtherCallersAreTold) {
  const TempFolder folder;
  FileStore store{folder / "store"};
  const auto lease = store.lease("run");
  constexpr int threads = 6;
  constexpr int rounds = 30;
  std::atomic<int> committed = 0;
  std::atomic<int> refused = 0;
  for (int round = 0; round < rounds; ++round) {
    std::latch start{threads};
    std::vector<std::thread> all;
    for (int t = 0; t < threads; ++t) {
      all.emplace_back([&, t] {
        start.arrive_and_wait();
        const std::string path = "r" + std::to_string(round) + "/" + std::to_string(t / 2);
        try {
          commit(*lease, path, 1, "x");
          ++committed;
        } catch (const Error& error) {
          EXPECT_EQ(error.errc(), Errc::fenced) << error.explain();
          ++refused;
        }
      });
    }
    for (std::thread& one : all) one.join();
  }
  EXPECT_EQ(committed, rounds * threads / 2);
  EXPECT_EQ(refused, rounds * threads / 2);
  EXPECT_EQ(scan(store, "run").size(), static_cast<std::size_t>(rounds * threads / 2));
}

/// Commits from many threads on a disk that loses power before each change. Returns how many files
/// held records of several threads.
std::size_t lose_power_under_many_threads(std::mt19937& random) {
  constexpr int threads = 6;
  constexpr int each = 4;
  MemoryDisk disk;
  std::mutex guard;
  std::set<std::string> acknowledged;
  FileStore store{"/disk/store", {.files = &disk}};
  auto lease = store.lease("run");
  disk.on_change([&](std::uint64_t at) {
    const std::lock_guard lock{guard};  // nothing more is acknowledged meanwhile
    const std::size_t all = disk.pending();
    for (int i = 0; i < 3; ++i) {
      const auto after = disk.after_power_loss(
          [&](std::size_t) { return i == 0 ? false : i == 1 || random() % 2 == 0; }, 512);
      FileStore found{"/disk/store", {.files = after.get()}};
      for (const std::string& path : acknowledged) {
        EXPECT_EQ(payload(found, "run", {path, 1}), path) << at << " of " << all;
      }
    }
  });
  std::latch start{threads};
  std::vector<std::thread> workers;
  for (int t = 0; t < threads; ++t) {
    workers.emplace_back([&, t] {
      start.arrive_and_wait();
      for (int i = 0; i < each; ++i) {
        const std::string path = "item/" + std::to_string(t) + "-" + std::to_string(i);
        commit(*lease, path, 1, path);
        const std::lock_guard lock{guard};
        acknowledged.insert(path);
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
  disk.on_change({});
  EXPECT_EQ(scan(store, "run").size(), std::size_t{threads * each});
  std::size_t together = 0;
  for (int t = 0; t < threads; ++t) {
    for (int i = 0; i < each; ++i) {
      const std::string path = "item/" + std::to_string(t) + "-" + std::to_string(i);
      together += store.locate("run", {path, 1}).find("@batch") != std::string::npos ? 1U : 0U;
    }
  }
  return together;
}

TEST(FileLeaseOfManyThreads, LosesNothingAcknowledgedWhenPowerIsLostAtAnyChange) {
  std::mt19937 random{20261123};
  std::size_t together = 0;
  for (int round = 0; round < 100 && together == 0; ++round) {
    together = lose_power_under_many_threads(random);
  }
  EXPECT_GT(together, 0U) << "some commits were written together";
}

}  // namespace
}  // namespace resumable::test
