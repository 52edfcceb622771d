// What a run's results survive, and what its events say of it.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "resumable/error.hpp"
#include "resumable/forwarding_store.hpp"
#include "resumable/journal_store.hpp"
#include "run/run_support.hpp"
#include "support/faulty_file_system.hpp"
#include "support/run_log.hpp"

namespace resumable::test {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr int items = 40;

/// A list, a value of each item with a step inside, and all of them.
Pipeline pipeline_of_items(Calls& calls) {
  Pipeline p{"items"};
  std::vector<std::string> names;
  for (int i = 0; i < items; ++i) names.push_back("n" + std::to_string(i));
  const auto list = p.input("list", names);
  const auto made = p.stage("made", inputs(each(list)), [&](Context& c, const std::string& name) {
    calls("made");
    return c.step("step", [&] {
      calls("step");
      return name + "!";
    });
  });
  const auto all = p.stage("all", inputs(made), [&](const std::vector<std::string>& values) {
    calls("all");
    return values.size();
  });
  static_cast<void>(all);
  return p;
}

/// How many syncs a whole run takes on a journal.
std::uint64_t syncs_of(Durability durability) {
  const TempFolder folder;
  const auto posix = sys::posix_file_system();
  FaultyFileSystem files{*posix};
  JournalStore store{folder / "store", {.folder = {.files = &files}}};
  Calls calls;
  const Pipeline p = pipeline_of_items(calls);
  EXPECT_EQ(resume(p, store, {.run = "r", .durability = durability}).outcome(), Outcome::done);
  EXPECT_EQ(calls.of("made"), items);
  return files.syncs();
}

TEST(RunDurability, WithDataNoCommitOfAResultIsSynced) {
  const std::uint64_t full = syncs_of(Durability::full);
  const std::uint64_t data = syncs_of(Durability::data);
  EXPECT_GE(full, std::uint64_t{2 * items});  // each item and each step
  EXPECT_LE(data + 2 * items, full);
}

class EveryDurability : public ::testing::TestWithParam<Durability> {};

TEST_P(EveryDurability, WhatIsDoneIsKeptByTheNextCall) {
  const TempFolder folder;
  Calls calls;
  const Pipeline p = pipeline_of_items(calls);
  for (const unsigned concurrency : {1U, 4U}) {
    const std::string run = "r" + std::to_string(concurrency);
    for (const bool first : {true, false}) {
      FileStore store{folder / "store"};
      const Report report =
          resume(p, store, {.run = run, .concurrency = concurrency, .durability = GetParam()});
      ASSERT_EQ(report.outcome(), Outcome::done);
      EXPECT_EQ(calls.take(), first ? "all, made x40, step x40" : "");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, EveryDurability,
                         ::testing::Values(Durability::full, Durability::data, Durability::queued),
                         [](const auto& test) { return std::string{to_string(test.param)}; });

/// The events of commits, as JSON.
std::vector<std::string> commits_told(Durability durability) {
  MemoryStore store;
  std::vector<std::string> told;
  EventLog log([&](const Event& event) {
    if (event.kind == EventKind::committed) told.push_back(event.json());
  });
  Calls calls;
  const Pipeline p = pipeline_of_items(calls);
  static_cast<void>(resume(p, store, {.run = "r", .durability = durability, .observers = {&log}}));
  return told;
}

TEST(RunDurability, EventsNameWhatMayYetBeLost) {
  EXPECT_THAT(commits_told(Durability::full), Each(Not(HasSubstr("durability"))));
  EXPECT_THAT(commits_told(Durability::data), Each(HasSubstr(R"("durability":"data")")));
}

TEST(RunDurability, QueuedCommitsAreAllToldOnceTheyAreDurable) {
  const auto told = commits_told(Durability::queued);
  EXPECT_EQ(told.size(), std::size_t{2 * items + 1});
  EXPECT_THAT(told, Each(Not(HasSubstr("durability"))));
}

/// Whether a record has been committed by the store itself when an event tells of it.
TEST(RunDurability, QueuedCommitsAreInTheStoreWhenTheyAreTold) {
  MemoryStore store;
  std::vector<std::string> missing;
  EventLog log([&](const Event& event) {
    if (event.kind != EventKind::committed || !event.step.empty()) return;
    const std::string path = event.item.empty() ? event.stage : event.stage + "/" + event.item;
    if (!store.get("r", {path, 1})) missing.push_back(path);
  });
  Calls calls;
  const Pipeline p = pipeline_of_items(calls);
  static_cast<void>(resume(
      p, store,
      {.run = "r", .concurrency = 4, .durability = Durability::queued, .observers = {&log}}));
  EXPECT_THAT(missing, ::testing::IsEmpty());
}

/// Refuses batches once this many records are stored. How many batches a queue makes of them is a
/// matter of speed.
class FullStore final : public ForwardingStore {
 public:
  FullStore(CheckpointStore& next, std::size_t records)
      : ForwardingStore{next}, records_{records} {}

 private:
  class Refusing final : public ForwardingLease {
   public:
    Refusing(std::unique_ptr<Lease> next, std::size_t& records)
        : ForwardingLease{std::move(next)}, records_{records} {}

   private:
    Ticket do_commit(const Batch& batch, const CommitOptions& options) override {
      if (batch.puts.size() > records_) {
        throw Error(Errc::store_failed, {.what = "the disk is full"});
      }
      records_ -= batch.puts.size();
      return next().commit(batch, options);
    }
    std::size_t& records_;
  };
  std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) override {
    return std::make_unique<Refusing>(next().lease(run, request), records_);
  }
  std::size_t records_;
};

TEST(RunDurability, AQueueThatCannotBeWrittenFailsTheRunAndTheNextOneFinishes) {
  for (const std::size_t records : {3U, 4U, 5U, 6U}) {
    MemoryStore memory;
    Calls calls;
    const Pipeline p = pipeline_of_items(calls);
    {
      FullStore store{memory, records};
      const Report report = resume(p, store, {.run = "r", .durability = Durability::queued});
      ASSERT_EQ(report.outcome(), Outcome::failed) << records;
      ASSERT_NE(report.error(), nullptr);
      EXPECT_EQ(report.error()->errc(), Errc::store_failed);
    }
    const Report report = resume(p, memory, {.run = "r", .durability = Durability::queued});
    EXPECT_EQ(report.outcome(), Outcome::done) << records;
  }
}

TEST(RunDurability, ValuesAreLoadedThroughTheReportAfterAQueuedRun) {
  MemoryStore store;
  Pipeline p{"one"};
  const auto value = p.stage("value", [] { return std::string{"loaded"}; });
  const Report report = resume(p, store, {.run = "r", .durability = Durability::queued});
  EXPECT_EQ(report[value], "loaded");
}

}  // namespace
}  // namespace resumable::test
