// Durability::queued: what waits is bounded, written in order, read by those who ask for it, and
// told of truthfully.
#include "store/queued_store.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "resumable/error.hpp"
#include "resumable/forwarding_store.hpp"
#include "resumable/memory_store.hpp"
#include "store/records.hpp"
#include "support/child_process.hpp"
#include "support/slow_store.hpp"

namespace resumable::test {
namespace {

using store::QueuedStore;
using store::QueueLimits;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Le;

/// Called with each batch, before it is committed; may block, or throw.
using Before = std::function<void(const Batch&)>;

class WatchedLease final : public ForwardingLease {
 public:
  WatchedLease(std::unique_ptr<Lease> next, const Before& before)
      : ForwardingLease{std::move(next)}, before_{before} {}

 private:
  Ticket do_commit(const Batch& batch, const CommitOptions& options) override {
    before_(batch);
    return next().commit(batch, options);
  }
  const Before& before_;
};

class WatchedStore final : public ForwardingStore {
 public:
  WatchedStore(CheckpointStore& next, Before before)
      : ForwardingStore{next}, before_{std::move(before)} {}

 private:
  std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) override {
    return std::make_unique<WatchedLease>(next().lease(run, request), before_);
  }
  Before before_;
};

TEST(ForwardingStoreTest, ReadsManyRecordsInOneCall) {
  MemoryStore memory;
  SlowStore slow{memory};
  ForwardingStore store{static_cast<CheckpointStore&>(slow)};
  EXPECT_EQ(calls_to_read_many(slow, store), 1);
}

/// Commits wait here until the test lets them pass.
class Gate {
 public:
  void pass() {
    std::unique_lock lock{guard_};
    ++arrived_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return open_; });
  }
  void open() {
    const std::scoped_lock lock{guard_};
    open_ = true;
    changed_.notify_all();
  }
  void await_arrival() {
    std::unique_lock lock{guard_};
    changed_.wait(lock, [&] { return arrived_ > 0; });
  }

 private:
  std::mutex guard_;
  std::condition_variable changed_;
  int arrived_ = 0;
  bool open_ = false;
};

Ticket queue(Lease& lease, const std::string& path, std::uint64_t generation = 1,
             const std::string& bytes = "value", const std::vector<RecordId>& erases = {}) {
  Puts puts{1};
  puts.add(path, generation, bytes);
  return lease.commit({.puts = puts.all(), .erases = erases},
                      {.durability = Durability::queued, .wait = {}});
}

/// A store of which each commit takes until nothing more can be queued.
void expect_bounded(const QueueLimits& limits, std::size_t most, const std::string& bytes) {
  constexpr std::size_t commits = 60;
  MemoryStore memory;
  std::mutex guard;
  std::condition_variable changed;
  std::size_t pushed = 0;
  std::size_t written = 0;
  std::vector<std::size_t> waited;
  WatchedStore slow{memory, [&](const Batch& batch) {
                      std::unique_lock lock{guard};
                      changed.wait(lock,
                                   [&] { return pushed == commits || pushed - written >= most; });
                      waited.push_back(pushed - written);
                      written += batch.puts.size();
                    }};
  QueuedStore store{slow, limits};
  {
    const auto lease = store.lease("run");
    for (std::size_t i = 0; i < commits; ++i) {
      queue(*lease, "item/" + std::to_string(i), 1, bytes);
      const std::scoped_lock lock{guard};
      ++pushed;
      changed.notify_all();
    }
  }
  EXPECT_EQ(written, commits);
  EXPECT_THAT(waited, Each(Le(most)));
  EXPECT_EQ(scan(memory, "run").size(), commits);
}

TEST(QueuedStore, SoManyCommitsWaitAndNoMore) { expect_bounded({.commits = 7}, 7, "value"); }

TEST(QueuedStore, SoManyBytesWaitAndNoMore) {
  // The bytes of 5 records fit; a header counts, too.
  expect_bounded({.commits = 1000, .bytes = 5'100}, 5, std::string(1'000, 'b'));
}

TEST(QueuedStore, AFullQueueCanBeLeftByTheStopToken) {
  MemoryStore memory;
  Gate gate;
  WatchedStore slow{memory, [&](const Batch&) { gate.pass(); }};
  QueuedStore store{slow, {.commits = 1}};
  const auto lease = store.lease("run");
  queue(*lease, "a");
  gate.await_arrival();
  std::stop_source stop;
  std::thread waits{[&] {
    Puts puts{1};
    puts.add("b", 1, "too many");
    EXPECT_THROW(lease->commit({.puts = puts.all(), .erases = {}},
                               {.durability = Durability::queued, .wait = {stop.get_token(), {}}}),
                 Error);
  }};
  stop.request_stop();
  waits.join();
  gate.open();
  lease->wait(1);
  EXPECT_THAT(scan(memory, "run"), ElementsAre("a.1"));
}

TEST(QueuedStore, WhatArrivesWhileABatchIsWrittenIsTheNextBatch) {
  MemoryStore memory;
  Gate gate;
  std::vector<std::size_t> batches;
  WatchedStore slow{memory, [&](const Batch& batch) {
                      batches.push_back(batch.puts.size());
                      gate.pass();
                    }};
  QueuedStore store{slow};
  const auto lease = store.lease("run");
  queue(*lease, "first");
  gate.await_arrival();
  for (const char* path : {"b", "a", "c"}) queue(*lease, path);
  EXPECT_EQ(lease->durable(), Ticket{0});
  gate.open();
  lease->wait(4);
  EXPECT_EQ(lease->durable(), Ticket{4});
  EXPECT_THAT(batches, ElementsAre(1U, 3U));
}

TEST(QueuedStore, ARecordThatIsErasedBeforeItIsWrittenIsNotWritten) {
  MemoryStore memory;
  Gate gate;
  std::vector<std::string> written;
  WatchedStore slow{
      memory, [&](const Batch& batch) {
        for (const Put& put : batch.puts) {
          written.push_back(std::string{put.id.path} + "." + std::to_string(put.id.generation));
        }
        gate.pass();
      }};
  QueuedStore store{slow};
  const auto lease = store.lease("run");
  queue(*lease, "loop", 1);
  gate.await_arrival();
  for (std::uint64_t generation = 2; generation <= 5; ++generation) {
    queue(*lease, "loop", generation, "value", {{"loop", generation - 1}});
  }
  gate.open();
  lease->wait(5);
  EXPECT_THAT(written, ElementsAre("loop.1", "loop.5"));
  EXPECT_THAT(scan(memory, "run"), ElementsAre("loop.5"));
}

TEST(QueuedStore, AFullCommitIsWrittenAfterAllThatWaits) {
  MemoryStore memory;
  std::vector<std::string> order;
  WatchedStore watched{memory, [&](const Batch& batch) {
                         for (const Put& put : batch.puts) order.emplace_back(put.id.path);
                       }};
  QueuedStore store{watched};
  const auto lease = store.lease("run");
  for (const char* path : {"c", "b", "a"}) queue(*lease, path);
  commit(*lease, "full", 1, "now");
  EXPECT_THAT(order, ElementsAre("c", "b", "a", "full"));
  EXPECT_EQ(lease->durable(), Ticket{4});
}

TEST(QueuedStore, AFullCommitThatWaitsCanBeLeftByTheStopTokenOrTheDeadline) {
  MemoryStore memory;
  Gate gate;
  WatchedStore slow{memory, [&](const Batch&) { gate.pass(); }};
  QueuedStore store{slow};
  const auto lease = store.lease("run");
  queue(*lease, "a");
  gate.await_arrival();
  const auto left_with = [&](const Wait& wait) -> std::optional<Errc> {
    Puts puts{1};
    puts.add("b", 1, "now");
    try {
      lease->commit({.puts = puts.all(), .erases = {}},
                    {.durability = Durability::full, .wait = wait});
      return std::nullopt;
    } catch (const Error& error) {
      return error.errc();
    }
  };
  std::stop_source stop;
  std::thread stops{[&] { stop.request_stop(); }};
  EXPECT_EQ(left_with({stop.get_token(), {}}), Errc::cancelled);
  stops.join();
  EXPECT_EQ(left_with({{}, std::chrono::steady_clock::now() + std::chrono::milliseconds{1}}),
            Errc::cancelled);
  gate.open();
  lease->wait(1);
  EXPECT_THAT(scan(memory, "run"), ElementsAre("a.1"));
}

TEST(QueuedStore, ALargeBatchIsNotCopied) {
  MemoryStore memory;
  QueuedStore store{memory, {.commits = 10, .bytes = 1'000}};
  const auto lease = store.lease("run");
  const Ticket ticket = queue(*lease, "large", 1, std::string(2'000, 'l'));
  EXPECT_EQ(lease->durable(), ticket);
  EXPECT_EQ(payload(memory, "run", {"large", 1}), std::string(2'000, 'l'));
}

TEST(QueuedStore, WhoeverReadsWhatWaitsWaitsForIt) {
  MemoryStore memory;
  Gate gate;
  WatchedStore slow{memory, [&](const Batch&) { gate.pass(); }};
  QueuedStore store{slow};
  const auto lease = store.lease("run");
  queue(*lease, "a");
  gate.await_arrival();
  queue(*lease, "b");
  EXPECT_EQ(payload(memory, "run", {"a", 1}), std::nullopt);
  std::thread opens{[&] { gate.open(); }};
  EXPECT_EQ(payload(store, "run", {"b", 1}), "value");
  EXPECT_THAT(scan(store, "run"), ElementsAre("a.1", "b.1"));
  opens.join();
}

TEST(QueuedStore, AfterAnErrorNothingIsWrittenAndEverybodyGetsIt) {
  MemoryStore memory;
  int batches = 0;
  WatchedStore failing{memory, [&](const Batch&) {
                         if (++batches == 2) throw Error(Errc::store_failed, {.what = "full"});
                       }};
  QueuedStore store{failing};
  const auto lease = store.lease("run");
  lease->wait(queue(*lease, "a"));
  queue(*lease, "b");
  const auto refuses = [](const std::function<void()>& call) {
    try {
      call();
      ADD_FAILURE() << "it did not throw";
    } catch (const Error& error) {
      EXPECT_EQ(error.errc(), Errc::store_failed);
    }
  };
  refuses([&] { lease->wait(2); });
  refuses([&] { queue(*lease, "c"); });
  refuses([&] { commit(*lease, "d", 1, "full"); });
  refuses([&] { static_cast<void>(payload(store, "run", {"b", 1})); });
  EXPECT_EQ(lease->durable(), Ticket{1});
  EXPECT_THAT(scan(memory, "run"), ElementsAre("a.1"));
  EXPECT_EQ(batches, 2);
}

TEST(QueuedStore, TheEndOfALeaseWritesWhatWaits) {
  MemoryStore memory;
  QueuedStore store{memory};
  {
    const auto lease = store.lease("run");
    for (int i = 0; i < 20; ++i) queue(*lease, "item/" + std::to_string(i));
  }
  EXPECT_EQ(scan(memory, "run").size(), 20U);
  const auto lease = store.lease("run");
  EXPECT_GT(lease->fence(), 1U);
}

TEST(QueuedStore, AForkedChildCanNeitherCommitNorHang) {
  MemoryStore memory;
  QueuedStore store{memory};
  auto lease = store.lease("run");
  ChildProcess child([&] {
    try {
      queue(*lease, "child");
      return 1;
    } catch (const Error& error) {
      lease.reset();
      return error.errc() == Errc::forked ? 0 : 2;
    }
  });
  EXPECT_EQ(child.wait(), (Ended{0, 0}));
}

}  // namespace
}  // namespace resumable::test
