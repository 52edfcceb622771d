// Tasks and workers in a PostgreSQL database: its tables, and answers that are lost.
#include <atomic>
#include <chrono>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <libpq-fe.h>
#include <signal.h>

#include "postgres/server.hpp"
#include "resumable/error.hpp"
#include "resumable/postgres_store.hpp"
#include "resumable/resumable.hpp"
#include "support/child_process.hpp"
#include "testing/promises.hpp"
#include "testing/records.hpp"

namespace resumable::test {
namespace {

using std::chrono::milliseconds;
using testing::code_of;
using testing::commit;
using ::testing::IsEmpty;
using testing::payload;
using testing::scan;
using ::testing::SizeIs;

constexpr milliseconds long_ttl{60'000};

ClaimState commit_claimed(WorkQueue& queue, const WorkClaim& claim, std::string_view path,
                          std::uint64_t generation = 1) {
  const StringPayload bytes{"once"};
  const Put put{{path, generation}, testing::tag_of(generation), "{}", &bytes};
  return queue.commit(claim, {.puts = {&put, 1}, .erases = {}}, {});
}

class PostgresWork : public ::testing::Test {
 protected:
  void SetUp() override {
    if (server_ == nullptr) GTEST_SKIP() << PostgresServer::missing;
    schema_ = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    schema_.resize(std::min<std::size_t>(schema_.size(), 48));
  }
  [[nodiscard]] std::unique_ptr<PostgresStore> open() const {
    return std::make_unique<PostgresStore>(server_->url(), PostgresStoreOptions{.schema = schema_});
  }
  std::string sql(const std::string& statements) const {
    return server_->sql("SET search_path TO \"" + schema_ + "\"; " + statements);
  }
  static void publish(PostgresStore& store, const Lease& lease, const std::string& item) {
    const WorkTask task{.stage = "draft",
                        .item = item,
                        .pipeline = "p",
                        .program = "p",
                        .identity = "1",
                        .task = "t"};
    store.publish("run", lease.fence(), {&task, 1});
  }
  static std::uint64_t join(PostgresStore& store) {
    return store.join({.host = "h", .pid = ::getpid(), .slots = 1}, long_ttl);
  }
  static std::optional<WorkClaim> claim(PostgresStore& store, std::uint64_t worker) {
    auto found = store.claim(worker, "p", "p", "", 1);
    return found.claims.empty() ? std::nullopt : std::optional{found.claims.front()};
  }
  /// How many sessions wait for a lock of another one.
  [[nodiscard]] int waiting() const {
    return std::stoi(
        server_->sql("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"));
  }

  const PostgresServer* server_ = PostgresServer::shared();
  std::string schema_;
};

TEST_F(PostgresWork, OlderTablesAreReadAsTheyAreAndAWriterBringsThemUpToDate) {
  for (const bool by_worker : {false, true}) {
    sql("SET client_min_messages = warning; DROP SCHEMA IF EXISTS \"" + schema_ + "\" CASCADE");
    commit(*open()->lease("run"), "draft", 1, "x");
    sql("DROP VIEW work_list, worker_list; DROP TRIGGER fence_raised ON runs;"
        " DROP FUNCTION fence_raised; DROP TABLE work, workers; ALTER TABLE runs DROP calls;"
        " UPDATE version SET version = 1");
    const auto early = open();
    EXPECT_EQ(payload(*early, "run", {"draft", 1}), "x");
    EXPECT_TRUE(early->stamp("run"));
    EXPECT_THAT(early->work("run"), IsEmpty());
    EXPECT_THAT(early->workers(), IsEmpty());
    EXPECT_EQ(sql("SELECT version FROM version"), "1");
    const auto writer = open();
    if (by_worker) {
      EXPECT_NE(join(*writer), 0U);
    }
    const auto lease = writer->lease("run");
    EXPECT_EQ(sql("SELECT version FROM version"), "2");
    publish(*writer, *lease, "a");
    EXPECT_THAT(early->work("run"), SizeIs(1));
    EXPECT_EQ(payload(*early, "run", {"draft", 1}), "x");
  }
}

TEST_F(PostgresWork, ALeaseWaitsForACommitInFlightAndShutsOutThoseBehindIt) {
  const auto store = open();
  auto lease = store->lease("run");
  publish(*store, *lease, "a");
  const auto held = claim(*store, join(*store));
  ASSERT_TRUE(held);
  lease.reset();
  const std::unique_ptr<PGconn, decltype(&PQfinish)> other{PQconnectdb(server_->url().c_str()),
                                                           &PQfinish};
  // Another session is about to insert the same record: the commit waits for what becomes of that.
  PQclear(PQexec(other.get(), ("BEGIN; SET search_path TO \"" + schema_ +
                               "\"; INSERT INTO records SELECT id, 'draft', 1, false, 0, '', '', ''"
                               " FROM runs")
                                  .c_str()));
  std::optional<ClaimState> state;
  std::thread worker{[&] { state = commit_claimed(*store, *held, "draft"); }};
  while (waiting() < 1) std::this_thread::yield();
  const auto second = open();
  std::atomic<bool> taken{false};
  bool was_there = false;
  std::thread owner{[&] {
    lease = second->lease("run");
    was_there = second->get("run", {"draft", 1}).has_value();
    taken = true;
  }};
  while (waiting() < 2 && !taken) std::this_thread::yield();
  PQclear(PQexec(other.get(), "ROLLBACK"));
  owner.join();
  worker.join();
  EXPECT_EQ(state, ClaimState::held);
  EXPECT_TRUE(was_there) << "the new owner would compute it again";
  EXPECT_EQ(commit_claimed(*store, *held, "late"), ClaimState::other_owner);
  EXPECT_FALSE(store->get("run", {"late", 1}));
}

TEST_F(PostgresWork, ACommitOfAWorkerWhoseAnswerIsLostIsFoundAndNotRepeated) {
  const PostgresServer own{"fsync = off"};
  PostgresStore store{own.url()};
  const auto lease = store.lease("run");
  publish(store, *lease, "a");
  const auto held = claim(store, join(store));
  ASSERT_TRUE(held);
  std::atomic<bool> answer_lost{false};
  std::uint64_t commits = 0;
  std::optional<Errc> code;
  ClaimState state = ClaimState::held;
  std::thread worker{[&] {
    code = code_of([&] {
      while (!answer_lost && state == ClaimState::held) {
        state = commit_claimed(store, *held, "draft", ++commits);
      }
    });
    answer_lost = true;
  }};
  // The server commits, and then waits for a standby that will never answer.
  own.sql("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
  own.sql("SELECT pg_reload_conf()");
  std::string pid;
  while (pid.empty() && !answer_lost) {
    pid = own.sql("SELECT min(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
  }
  answer_lost = true;
  own.sql("SELECT pg_terminate_backend(" + pid + ")");
  while (own.sql("SELECT count(*) FROM pg_stat_activity WHERE pid = " + pid) != "0") {
    std::this_thread::yield();
  }
  own.sql("ALTER SYSTEM RESET synchronous_standby_names");
  own.sql("SELECT pg_reload_conf()");
  worker.join();
  EXPECT_EQ(code, std::nullopt);
  EXPECT_EQ(state, ClaimState::held);
  EXPECT_EQ(scan(store, "run").size(), commits);
  EXPECT_EQ(own.sql("SELECT epoch > 1 FROM resumable.work"), "t");
}

TEST_F(PostgresWork, WhatAnOwnerSentBeforeALaterCallDoesNothing) {
  const auto store = open();
  const auto lease = store->lease("run");
  publish(*store, *lease, "a");
  store->withdraw("run", lease->fence(), false);
  publish(*store, *lease, "b");
  // As if another process had sent more since: what this one sends was overtaken.
  sql("UPDATE runs SET calls = 1000");
  EXPECT_EQ(code_of([&] { publish(*store, *lease, "late"); }), Errc::fenced);
  EXPECT_EQ(code_of([&] { store->withdraw("run", lease->fence(), true); }), Errc::fenced);
  EXPECT_EQ(sql("SELECT item, state FROM work WHERE state < 2"), "b|0");
}

TEST_F(PostgresWork, WhatIsHandedOutStaysUntilTheOwnerAsksForMore) {
  const auto store = open();
  const auto lease = store->lease("run");
  const auto worker = join(*store);
  publish(*store, *lease, "a");
  publish(*store, *lease, "b");
  ASSERT_EQ(store->finish(*claim(*store, worker), "of a"), ClaimState::held);
  EXPECT_THAT(store->withdraw("run", lease->fence(), false), SizeIs(1));
  EXPECT_THAT(store->collect("run", lease->fence()), SizeIs(1));
  EXPECT_EQ(sql("SELECT item FROM work ORDER BY seq"), "a");
  EXPECT_THAT(store->collect("run", lease->fence()), IsEmpty());
  EXPECT_EQ(sql("SELECT count(*) FROM work"), "0");
  // Another store object, as after lost answers: it did not get them.
  publish(*store, *lease, "c");
  publish(*store, *lease, "d");
  ASSERT_EQ(store->finish(*claim(*store, worker), "of c"), ClaimState::held);
  sql("UPDATE work SET state = 4 WHERE item = 'd'");
  EXPECT_THAT(store->collect("run", lease->fence()), SizeIs(1));
  const auto gone = store->withdraw("run", lease->fence(), false);
  ASSERT_THAT(gone, SizeIs(1));
  EXPECT_EQ(gone.front().item, "d");
}

TEST_F(PostgresWork, ATaskThatItsWorkerDoesNotKnowOfIsReadyAgain) {
  const auto store = open();
  const auto lease = store->lease("run");
  const auto worker = join(*store);
  publish(*store, *lease, "a");
  const auto first = claim(*store, worker);
  ASSERT_TRUE(first);
  // It is finished, and the server crashes before that is on its disk.
  ASSERT_EQ(store->finish(*first, "result"), ClaimState::held);
  sql("UPDATE work SET state = 1, result = NULL");
  EXPECT_TRUE(store->beat(worker, long_ttl, {}).known);
  EXPECT_FALSE(claim(*store, worker)) << "it may be on its way to the worker";
  sql("UPDATE work SET since = since - interval '1 hour'");
  EXPECT_TRUE(store->beat(worker, long_ttl, {}).known);
  const auto again = claim(*store, worker);
  ASSERT_TRUE(again);
  EXPECT_NE(again->token, first->token);
  EXPECT_EQ(store->work("run").front().losses, 0U) << "nobody was lost";
}

TEST_F(PostgresWork, AProcessThatEndedOnThisHostIsKnownToBeGoneAtOnce) {
  const auto store = open();
  const auto lease = store->lease("run");
  publish(*store, *lease, "a");
  const Signpost claimed;
  ChildProcess child{[&] {
    const auto own = open();
    if (!claim(*own, join(*own))) return 1;
    claimed.say();
    while (true) ::pause();
  }};
  claimed.await();
  const auto worker = join(*store);
  EXPECT_THAT(store->collect("run", lease->fence()), IsEmpty());
  EXPECT_FALSE(claim(*store, worker));
  child.kill(SIGKILL);
  child.wait();
  // A store object looks for the dead every 100 ms; another one looks now.
  EXPECT_THAT(open()->collect("run", lease->fence()), IsEmpty());
  EXPECT_TRUE(claim(*store, worker));
  EXPECT_EQ(store->work("run").front().losses, 1U);
}

TEST_F(PostgresWork, WhatIsRecordedOfAnItemIsReadInOneStatement) {
  const PostgresServer own{
      "fsync = off\nshared_preload_libraries = 'pg_stat_statements'\n"
      "pg_stat_statements.track = top"};
  own.sql("CREATE EXTENSION pg_stat_statements");
  constexpr int items = 100;
  std::vector<int> all(items);
  std::iota(all.begin(), all.end(), 0);
  Pipeline pipeline{"many"};
  const auto numbers = pipeline.input("numbers", all);
  pipeline.stage("twice", inputs(each(numbers)), [](int n) { return 2 * n; });
  {
    PostgresStore store{own.url()};
    // The owner claims its items as any worker does.
    ASSERT_EQ(resume(pipeline, store, {.run = "run", .share = true}).exit_code(), 0);
  }
  const int scans = std::stoi(own.sql(
      "SELECT sum(calls) FROM pg_stat_statements WHERE query LIKE '%SELECT path, generation%'"));
  EXPECT_GE(scans, items) << "are those of another form?";
  EXPECT_LE(scans, items + 10);
  // Their plan is made when there are no records.
  const int read = std::stoi(
      own.sql("SELECT idx_tup_read FROM pg_stat_user_indexes WHERE indexrelname = 'records_pkey'"));
  EXPECT_LE(read, 5 * items) << "each statement reads what it asks for, not the whole run";
}

TEST_F(PostgresWork, NoStampOfARunComesTwice) {
  const auto store = open();
  const auto lease = store->lease("run");
  const auto worker = join(*store);
  std::set<std::uint64_t> stamps;
  std::size_t commits = 0;
  for (int round = 0; round < 5; ++round) {
    publish(*store, *lease, "a");
    publish(*store, *lease, "b");
    std::vector<WorkClaim> claims{*claim(*store, worker), *claim(*store, worker)};
    for (int i = 0; i < 6; ++i) {
      ASSERT_EQ(commit_claimed(*store, claims[i % 2 == 0 ? 0 : 1], "draft", ++commits),
                ClaimState::held);
      stamps.insert(*open()->stamp("run"));
    }
    for (const WorkClaim& one : claims) EXPECT_EQ(store->finish(one, ""), ClaimState::held);
    EXPECT_THAT(store->collect("run", lease->fence()), SizeIs(2));
    EXPECT_THAT(store->collect("run", lease->fence()), IsEmpty());
    commit(*lease, "draft", ++commits, "by the owner");
    stamps.insert(*open()->stamp("run"));
  }
  EXPECT_EQ(stamps.size(), commits);
}

}  // namespace
}  // namespace resumable::test
