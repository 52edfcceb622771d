// Connections that are cut, servers that crash, processes that are killed or suspended: nothing
// that was acknowledged is lost, and nothing is there twice.
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
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
#include "support/acknowledged.hpp"
#include "support/child_process.hpp"
#include "testing/promises.hpp"
#include "testing/records.hpp"

namespace resumable::test {
namespace {

using ::testing::AllOf;
using testing::code_of;
using testing::commit;
using ::testing::HasSubstr;
using testing::payload;
using testing::Puts;
using testing::scan;

constexpr const char* cut =
    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name ="
    " 'resumable'";

const LeaseRequest patient{.wait = std::chrono::minutes{1}, .ttl = std::chrono::seconds{1}};

std::string path_of(int thread, int number) {
  return "t" + std::to_string(thread) + '/' + std::to_string(number);
}

std::string value_of(int thread, int number) {
  return path_of(thread, number) + std::string(static_cast<std::size_t>(number % 13) * 500, 'v');
}

void commit_two(Lease& lease, int thread, int number) {
  Puts batch(2);
  batch.add(path_of(thread, number) + "a", 1, value_of(thread, number));
  batch.add(path_of(thread, number) + "b", 1, value_of(thread, number));
  lease.commit({.puts = batch.all(), .erases = {}});
}

/// Commits in 8 threads until each has done `each`, while `disturb` is called after every few
/// commits. Returns how many errors reached a caller.
template <class Disturb>
int commit_while(Lease& lease, int each, const Disturb& disturb) {
  constexpr int threads = 8;
  std::atomic<int> running{threads};
  std::atomic<int> errors{0};
  std::atomic<int> done{0};
  std::atomic<int> allowed{60};  // then they wait to be disturbed
  std::vector<std::thread> writers;
  for (int thread = 0; thread < threads; ++thread) {
    writers.emplace_back([&, thread] {
      for (int number = 1; number <= each; ++number) {
        while (done >= allowed) std::this_thread::yield();
        try {
          commit_two(lease, thread, number);
          ++done;
        } catch (const Error& error) {
          ++errors;
          ADD_FAILURE() << error.explain();
        }
      }
      --running;
    });
  }
  for (int next = 0; running > 0;) {
    if (done < next) {
      std::this_thread::yield();
      continue;
    }
    disturb();
    next = done + 20;
    allowed = next + 40;
  }
  for (std::thread& writer : writers) writer.join();
  return errors;
}

void expect_all(const CheckpointStore& store, std::string_view run, int each) {
  EXPECT_EQ(scan(store, run).size(), static_cast<std::size_t>(8 * 2 * each));
  for (int thread = 0; thread < 8; ++thread) {
    for (int number = 1; number <= each; ++number) {
      for (const char* half : {"a", "b"}) {
        const std::string path = path_of(thread, number) + half;
        ASSERT_EQ(payload(store, run, {path, 1}), value_of(thread, number)) << path;
      }
    }
  }
}

class PostgresFaults : public ::testing::Test {
 protected:
  void SetUp() override {
    if (server_ == nullptr) GTEST_SKIP() << PostgresServer::missing;
  }
  [[nodiscard]] std::unique_ptr<PostgresStore> open(const std::string& schema) const {
    return std::make_unique<PostgresStore>(server_->url(), PostgresStoreOptions{.schema = schema});
  }
  const PostgresServer* server_ = PostgresServer::shared();
};

TEST_F(PostgresFaults, ConnectionsAreCutWhileThreadsCommitAndNoCallerNotices) {
  constexpr int each = 150;
  const auto store = open("cut");
  const auto lease = store->lease("run");
  int cuts = 0;
  const int errors = commit_while(*lease, each, [&] { cuts += std::stoi(server_->sql(cut)); });
  EXPECT_EQ(errors, 0);
  EXPECT_GT(cuts, 3);
  expect_all(*store, "run", each);
  EXPECT_EQ(lease->durable(), Ticket{8 * each});
}

TEST_F(PostgresFaults, ACrashedServerHasWhatWasAcknowledged) {
  constexpr int each = 150;
  const PostgresServer own{"fsync = off"};
  PostgresStore store{own.url()};
  const auto lease = store.lease("run");
  int crashes = 0;
  const int errors = commit_while(*lease, each, [&] {
    if (crashes == 6) return;
    own.stop("immediate");
    own.start();
    ++crashes;
  });
  EXPECT_EQ(errors, 0);
  EXPECT_GT(crashes, 0);
  expect_all(store, "run", each);
}

TEST_F(PostgresFaults, ACommitWhoseAnswerIsLostIsFoundAndNotRepeated) {
  const PostgresServer own{"fsync = off"};
  PostgresStore store{own.url()};
  const auto lease = store.lease("run");
  std::atomic<bool> answer_lost{false};
  std::uint64_t commits = 0;
  std::optional<Errc> code;
  std::thread writer{[&] {
    code = code_of([&] {
      while (!answer_lost) commit(*lease, "draft", ++commits, "once");
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
  writer.join();
  EXPECT_EQ(code, std::nullopt);
  EXPECT_EQ(scan(store, "run").size(), commits);
  EXPECT_EQ(own.sql("SELECT epoch > 0 FROM resumable.runs"), "t");
}

TEST_F(PostgresFaults, AServerThatStaysAwayIsReportedAndTheLeaseIsUsableWhenItIsBack) {
  const PostgresServer own{"fsync = off"};
  PostgresStore store{own.url(), {.timeout = std::chrono::milliseconds{300}}};
  const auto lease = store.lease("run");
  commit(*lease, "draft", 1, "before");
  own.stop("immediate");
  const auto code = code_of([&] { commit(*lease, "draft", 2, "meanwhile"); });
  EXPECT_TRUE(code == Errc::store_failed || code == Errc::outcome_unknown);
  EXPECT_EQ(code_of([&] { static_cast<void>(scan(store, "run")); }), Errc::unreadable);
  own.start();
  commit(*lease, "draft", 3, "after");
  EXPECT_EQ(payload(store, "run", {"draft", 1}), "before");
  EXPECT_EQ(payload(store, "run", {"draft", 3}), "after");
}

TEST_F(PostgresFaults, ADeadlineEndsACommitThatTheServerDoesNotAnswer) {
  const auto store = open("silent");
  const auto lease = store->lease("run");
  commit(*lease, "draft", 1, "before");
  // Another session holds the run's row: the commit waits for it.
  const std::unique_ptr<PGconn, decltype(&PQfinish)> other{PQconnectdb(server_->url().c_str()),
                                                           &PQfinish};
  PQclear(PQexec(other.get(), "BEGIN; SELECT * FROM silent.runs FOR UPDATE"));
  const StringPayload bytes{"x"};
  const Put put{{"draft", 2}, testing::tag_of(2), "{}", &bytes};
  const Wait wait{.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds{200}};
  EXPECT_EQ(code_of([&] {
              lease->commit({.puts = {&put, 1}, .erases = {}}, {.wait = wait});
            }),
            Errc::outcome_unknown);
  PQclear(PQexec(other.get(), "COMMIT"));
  commit(*lease, "draft", 3, "after");
  EXPECT_EQ(payload(*store, "run", {"draft", 3}), "after");
}

TEST_F(PostgresFaults, AServerThatIsSilentEndsACallOfResumeAndNothingIsLost) {
  PostgresStore store{server_->url(), {.schema = "suspended", .ttl = std::chrono::seconds{1}}};
  std::shared_ptr<const void> suspended;
  int calls = 0;
  Pipeline pipeline{"p"};
  const auto first = pipeline.stage("first", [] { return 1; });
  const auto second = pipeline.stage("second", inputs(first), [&](int one) {
    if (++calls == 1) suspended = server_->suspend();
    return one + 1;
  });
  const Report silent =
      resume(pipeline, store, {.run = "r", .store_timeout = std::chrono::milliseconds{300}});
  EXPECT_EQ(silent.outcome(), Outcome::failed);
  ASSERT_TRUE(silent.error());
  EXPECT_EQ(silent.error()->errc(), Errc::outcome_unknown);
  EXPECT_THAT(silent.error()->explain(),
              AllOf(HasSubstr(store.url()), HasSubstr("has not answered for"),
                    HasSubstr("everything that was committed")));
  const Report planned = resume(pipeline, store,
                                {.run = "r",
                                 .budget = std::chrono::milliseconds{300},
                                 .store_timeout = std::chrono::hours{1}});
  EXPECT_EQ(planned.outcome(), Outcome::suspended);
  suspended.reset();
  const Report report = resume(pipeline, store, {.run = "r", .lock_wait = std::chrono::minutes{1}});
  ASSERT_EQ(report.outcome(), Outcome::done) << report.text();
  EXPECT_EQ(report[second], 2);
  EXPECT_EQ(report.stage("first").outcome, StageOutcome::skipped);
  EXPECT_LE(calls, 2);
}

TEST_F(PostgresFaults, KilledAfterAnyNumberOfCommitsNothingAcknowledgedIsLost) {
  for (int kill_at = 0; kill_at < 60; kill_at += 3) {
    Acknowledged acknowledged;
    const std::string run = "run-" + std::to_string(kill_at);
    ChildProcess child{[&] {
      const auto store = open("killed");
      const auto lease = store->lease(run);
      std::vector<std::thread> writers;
      for (int thread = 0; thread < 3; ++thread) {
        writers.emplace_back([&, thread] {
          for (int number = 1; number < 10'000; ++number) {
            commit_two(*lease, thread, number);
            ++acknowledged.of(thread);
          }
        });
      }
      for (std::thread& writer : writers) writer.join();
      return 0;
    }};
    while (acknowledged.sum() < kill_at) std::this_thread::yield();
    child.kill(SIGKILL);
    ASSERT_EQ(child.wait(), (Ended{-1, SIGKILL}));
    const auto store = open("killed");
    // The process is gone, and this host can see that: nobody has to wait for the ttl.
    const auto lease = store->lease(run);
    for (int thread = 0; thread < 3; ++thread) {
      const int count = acknowledged.of(thread);
      for (int number = 1; number <= count; ++number) {
        for (const char* half : {"a", "b"}) {
          const std::string path = path_of(thread, number) + half;
          ASSERT_EQ(payload(*store, run, {path, 1}), value_of(thread, number)) << run << path;
        }
      }
      const std::string next = path_of(thread, count + 1);
      ASSERT_EQ(store->get(run, {next + "a", 1}).has_value(),
                store->get(run, {next + "b", 1}).has_value())
          << "half a batch";
    }
    commit(*lease, "after", 1, "the kill");
  }
}

TEST_F(PostgresFaults, AnOwnerThatWasSuspendedPastItsTimeIsFenced) {
  const Signpost begun;
  const Signpost resumed;
  ChildProcess child{[&] {
    const auto store = open("suspended");
    const auto lease = store->lease("run", patient);
    commit(*lease, "draft", 1, "by the first");
    begun.say();
    resumed.await();
    const bool fenced =
        code_of([&] { commit(*lease, "late", 1, "by the first"); }) == Errc::fenced &&
        code_of([&] { lease->manifest("{}"); }) == Errc::fenced &&
        code_of([&] {
          lease->quarantine({"draft", 1});
        }) == Errc::fenced;
    return fenced ? 0 : 1;
  }};
  begun.await();
  const auto store = open("suspended");
  EXPECT_EQ(code_of([&] { static_cast<void>(store->lease("run")); }), Errc::busy);
  child.kill(SIGSTOP);
  const auto lease = store->lease("run", patient);
  commit(*lease, "draft", 2, "by the second");
  child.kill(SIGCONT);
  resumed.say();
  EXPECT_EQ(child.wait(), (Ended{0, 0}));
  EXPECT_EQ(scan(*store, "run"), (std::vector<std::string>{"draft.1", "draft.2"}));
  EXPECT_FALSE(store->manifest("run"));
}

TEST_F(PostgresFaults, ALeaseThatIsNotUsedIsRenewed) {
  const auto store = open("idle");
  const auto lease = store->lease("run", patient);
  server_->sql("SELECT pg_sleep(2.5)");
  server_->sql(cut);
  server_->sql("SELECT pg_sleep(2.5)");
  const auto other = open("idle");
  EXPECT_EQ(code_of([&] { static_cast<void>(other->lease("run")); }), Errc::busy);
  commit(*lease, "draft", 1, "still the owner");
}

TEST_F(PostgresFaults, AForkedChildDisturbsNothing) {
  auto store = open("forked");
  auto lease = store->lease("run");
  commit(*lease, "draft", 1, "x");
  ChildProcess child{[&] {
    const bool refused = code_of([&] { commit(*lease, "draft", 2, "x"); }) == Errc::forked &&
                         code_of([&] { static_cast<void>(scan(*store, "run")); }) == Errc::forked;
    lease.reset();
    store.reset();
    return refused ? 0 : 1;
  }};
  EXPECT_EQ(child.wait(), (Ended{0, 0}));
  commit(*lease, "draft", 2, "x");
  EXPECT_EQ(scan(*store, "run").size(), 2U);
}

}  // namespace
}  // namespace resumable::test
