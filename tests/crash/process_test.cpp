// Real processes: killed at every call, two at once, signals, forks.
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "crash/draft_run.hpp"
#include "resumable/error.hpp"
#include "resumable/stop.hpp"
#include "support/child_process.hpp"
#include "support/faulty_file_system.hpp"
#include "support/store_in.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// ---- killed at every call ----------------------------------------------------------------------

struct Kill {
  const char* name;
  bool after;                        ///< the change, or before it
  std::optional<DraftRun> before{};  ///< what had been finished
  DraftRun wanted{};
  In in = In::files;
};

void PrintTo(const Kill& kill, std::ostream* out) { *out << kill.name; }

class KillTest : public ::testing::TestWithParam<Kill> {};

/// Between two of these nothing on the disk is different.
const std::set<Op> changing{Op::make_folder, Op::write, Op::truncate,
                            Op::rename,      Op::link,  Op::unlink};

Ended run_killed_at(const Kill& kill, const fs::path& folder, std::uint64_t at) {
  ChildProcess child([&] {
    const auto posix = sys::posix_file_system();
    FaultyFileSystem files(*posix);
    std::uint64_t count = 0;
    files.on_call([&](Op op, std::uint64_t, bool done) {
      if (done != kill.after || !changing.contains(op)) return;
      if (++count == at) ::raise(SIGKILL);
    });
    const auto store = open_store(kill.in, folder / "store", &files);
    return kill.wanted.run(*store, Journal{folder / "journal"}, &files).exit_code();
  });
  return child.wait();
}

TEST_P(KillTest, AtEveryChangeTheNextStartFinishesAndRunsNothingTwice) {
  const Kill& kill = GetParam();
  const DraftRun& wanted = kill.wanted;
  const auto expected = undisturbed(wanted);
  const TempFolder finished;
  if (kill.before) {
    const auto store = open_store(kill.in, finished / "store");
    ASSERT_EQ(kill.before->run(*store, Journal{finished / "journal"}).exit_code(), 0);
  }
  std::uint64_t at = 1;
  for (;; ++at) {
    const TempFolder folder;
    const Journal journal{folder / "journal"};
    if (kill.before) fs::copy(finished / "store", folder / "store", fs::copy_options::recursive);
    const Ended first = run_killed_at(kill, folder.path(), at);
    // And once more while it recovers, somewhere else each time.
    if (first.signal == SIGKILL) run_killed_at(kill, folder.path(), at % 41 + 1);
    const auto store = open_store(kill.in, folder / "store");
    const Report report = wanted.run(*store, journal);
    ASSERT_EQ(report.exit_code(), 0) << at << (report.error() ? report.error()->explain() : "");
    ASSERT_EQ(artifacts(folder / "store/r1"), expected) << at;
    ASSERT_EQ(ran_twice(journal), "") << at;
    ASSERT_THAT(snapshot(folder / "store/r1/.resumable/tmp"), IsEmpty()) << at;
    ASSERT_THAT(snapshot(folder / "store/r1/.resumable/publish"), IsEmpty()) << at;
    if (first == Ended{0, 0}) break;
    ASSERT_EQ(first.signal, SIGKILL) << at;
  }
  EXPECT_GT(at, 30U);
  RecordProperty("points", static_cast<int>(at));
}

DraftRun with(std::string words, std::vector<std::string> items, bool links_repeat = true) {
  return {.words = std::move(words), .items = std::move(items), .links_repeat = links_repeat};
}

std::vector<Kill> kills() {
  std::vector<Kill> all;
  for (const bool after : {false, true}) {
    all.push_back({after ? "AfterWhenNew" : "BeforeWhenNew", after, {}, {}});
    // Other words, another order, an item less: everything is made again and moves.
    all.push_back({after ? "AfterWhenRewriting" : "BeforeWhenRewriting",
                   after,
                   with("zero", {"b", "c", "a"}),
                   {}});
    // Another order alone: nothing is made, all moves.
    all.push_back({after ? "AfterWhenMoving" : "BeforeWhenMoving", after,
                   with("one", {"b", "c", "a"}), with("one", {"a", "b", "c"})});
    // The first of a chain is made again, the last one's content comes back.
    all.push_back({after ? "AfterWhenCutOff" : "BeforeWhenCutOff", after,
                   with("zero", {"a", "b"}, false), with("one", {"a", "b"}, false)});
  }
  for (const auto& [name, mode] :
       {std::pair{"AfterWithData", Durability::data}, {"AfterWhenQueued", Durability::queued}}) {
    all.push_back({name, true, {}, {.durability = mode}});
  }
  const DraftRun other = with("zero", {"b", "c", "a"});
  for (const bool after : {false, true}) {
    all.push_back({after ? "AfterInAJournal" : "BeforeInAJournal", after, {}, {}, In::journal});
    all.push_back({after ? "AfterWhenRewritingInAJournal" : "BeforeWhenRewritingInAJournal",
                   after,
                   other,
                   {},
                   In::journal});
  }
  all.push_back(
      {"AfterWithDataInAJournal", true, other, {.durability = Durability::data}, In::journal});
  all.push_back(
      {"AfterWhenQueuedInAJournal", true, other, {.durability = Durability::queued}, In::journal});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Changes, KillTest, ::testing::ValuesIn(kills()),
                         [](const auto& test) { return std::string(test.param.name); });

// ---- two at once -------------------------------------------------------------------------------

TEST(TwoProcesses, OneWorksTheOtherIsToldWhoAndTheNextStartsAtOnceWhenThatIsKilled) {
  const TempFolder folder;
  const Signpost inside;
  const auto pipeline = [&](bool blocks) {
    Pipeline p{"p"};
    const auto a = p.stage("a", [] { return 1; });
    static_cast<void>(p.stage("b", inputs(a), [&inside, blocks](int n) {
      if (blocks) {
        inside.say();
        for (;;) ::pause();
      }
      return n + 1;
    }));
    return p;
  };
  ChildProcess owner([&] {
    FileStore store{folder / "store"};
    const Pipeline p = pipeline(true);
    return resume(p, store, {.run = "r1"}).exit_code();
  });
  inside.await();
  FileStore store{folder / "store"};
  const Pipeline p = pipeline(false);
  const auto begin = std::chrono::steady_clock::now();
  const Report busy = resume(p, store, {.run = "r1"});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
  EXPECT_EQ(busy.exit_code(), 4);
  ASSERT_NE(busy.error(), nullptr);
  EXPECT_EQ(busy.error()->errc(), Errc::busy);
  char host[256] = {};
  ::gethostname(host, sizeof host - 1);
  EXPECT_THAT(busy.error()->explain(),
              HasSubstr("pid " + std::to_string(owner.pid()) + " on " + host + " since 20"));

  owner.kill(SIGKILL);
  owner.wait();
  const Report done = resume(p, store, {.run = "r1"});
  EXPECT_EQ(done.exit_code(), 0);
  EXPECT_EQ(done.stage("a").outcome, StageOutcome::skipped);
}

// ---- signals -----------------------------------------------------------------------------------

class SignalTest : public ::testing::Test {
 protected:
  /// Eight stages; the fifth gets `signal`, waits until it is asked to stop, and then goes on as
  /// told.
  enum class Then { leaves, finishes, gets_another };
  [[nodiscard]] Pipeline eight(int signal, Then then) const {
    Pipeline p{"eight"};
    auto last = p.stage("s1", [j = journal_] {
      j.note("s1");
      return 1;
    });
    for (int i = 2; i <= 8; ++i) {
      last = p.stage(Name::checked("s" + std::to_string(i)), inputs(last),
                     [j = journal_, i, signal, then](Context& context, int n) {
                       j.note("s" + std::to_string(i));
                       if (i == 5 && signal != 0) {
                         ::raise(signal);
                         wait_for_stop(context.stop_token());
                         if (then == Then::leaves) throw std::runtime_error("asked to stop");
                         if (then == Then::gets_another) ::raise(signal);
                       }
                       return n + 1;
                     });
    }
    return p;
  }

  static void wait_for_stop(const std::stop_token& token) {
    std::mutex guard;
    std::condition_variable_any wake;
    std::unique_lock lock(guard);
    wake.wait(lock, token, [] { return false; });
  }

  Ended run(int signal, Then then) {
    ChildProcess child([&] {
      ::signal(SIGINT, SIG_DFL);
      ::signal(SIGTERM, SIG_DFL);
      StopOnSignal stop{SIGINT, SIGTERM};
      FileStore store{folder_ / "store"};
      const Pipeline p = eight(signal, then);
      return resume(p, store, {.run = "r1", .stop = stop.stop()}).exit_code();
    });
    return child.wait();
  }

  /// The stages that were committed, and what the manifest says.
  void expect_left(const std::vector<std::string>& committed, const std::string& status) {
    std::vector<std::string> found;
    FileStore store{folder_ / "store"};
    store.scan("r1", {}, [&](const RecordHead& head) {
      if (head.id.path.starts_with("s")) found.emplace_back(head.id.path);
      return true;
    });
    EXPECT_EQ(found, committed);
    const auto manifest = nlohmann::json::parse(store.manifest("r1").value());
    EXPECT_EQ(manifest.at("status"), status);
  }

  void expect_finishes_with(const std::vector<std::string>& bodies) {
    journal_.clear();
    EXPECT_EQ(run(0, Then::finishes), (Ended{0, 0}));
    EXPECT_EQ(journal_.lines(), bodies);
  }

  TempFolder folder_;
  Journal journal_{folder_ / "journal"};
};

TEST_F(SignalTest, AnInterruptInTheFifthStageKeepsTheFirstFourAndEndsWith130) {
  EXPECT_EQ(run(SIGINT, Then::leaves), (Ended{130, 0}));
  expect_left({"s1", "s2", "s3", "s4"}, "interrupted");
  expect_finishes_with({"s5", "s6", "s7", "s8"});
}

TEST_F(SignalTest, WhatTheInterruptedStageFinishesAllTheSameIsKept) {
  EXPECT_EQ(run(SIGINT, Then::finishes), (Ended{130, 0}));
  expect_left({"s1", "s2", "s3", "s4", "s5"}, "interrupted");
  expect_finishes_with({"s6", "s7", "s8"});
}

TEST_F(SignalTest, ATerminationEndsWith143) {
  EXPECT_EQ(run(SIGTERM, Then::leaves), (Ended{143, 0}));
  expect_left({"s1", "s2", "s3", "s4"}, "interrupted");
}

TEST_F(SignalTest, TheSecondInterruptHasItsFormerEffectAndLosesNothing) {
  EXPECT_EQ(run(SIGINT, Then::gets_another), (Ended{-1, SIGINT}));
  expect_left({"s1", "s2", "s3", "s4"}, "running");
  expect_finishes_with({"s5", "s6", "s7", "s8"});
}

// ---- a host that misbehaves --------------------------------------------------------------------

TEST(Fork, AChildOfAStageCanNeitherCommitNorTakeOrReleaseTheRun) {
  const TempFolder folder;
  const pid_t parent = ::getpid();
  Ended child;
  Ended second;
  Pipeline p{"p"};
  FileStore store{folder / "store"};
  const auto a = p.stage("a", [] { return 1; });
  const auto b = p.stage("b", inputs(a), [&](int n) {
    // This one opens the run for itself.
    second = ChildProcess([&] {
               FileStore own{folder / "store"};
               Pipeline other{"p"};
               static_cast<void>(other.stage("a", [] { return 1; }));
               return resume(other, own, {.run = "r1"}).exit_code();
             }).wait();
    // And this one goes on as if it were its parent.
    const pid_t pid = ::fork();
    if (pid == 0) return -1;
    int status = 0;
    ::waitpid(pid, &status, 0);
    child = {WIFEXITED(status) ? WEXITSTATUS(status) : -1,
             WIFSIGNALED(status) ? WTERMSIG(status) : 0};
    return n + 1;
  });
  EventLog log([&](const Event& event) {
    if (::getpid() != parent && event.kind == EventKind::committed) ::_exit(1);
  });
  const Report report = resume(p, store, {.run = "r1", .observers = {&log}});
  if (::getpid() != parent) {
    const bool refused = report.error() != nullptr && report.error()->errc() == Errc::forked;
    ::_exit(refused && report.exit_code() == 1 ? 62 : 2);
  }
  EXPECT_EQ(child, (Ended{62, 0}));
  EXPECT_EQ(second, (Ended{4, 0}));
  EXPECT_EQ(report.exit_code(), 0);
  EXPECT_EQ(report[b], 2);
}

TEST(HostEnds, ByAbortExitOrAnUncaughtExceptionNothingCommittedIsLost) {
  for (const char* how : {"abort", "_exit", "throw", "exit"}) {
    const TempFolder folder;
    const Journal journal{folder / "journal"};
    const auto pipeline = [&](std::string_view end) {
      Pipeline p{"p"};
      const auto a = p.stage("a", [=] {
        journal.note("a");
        return 1;
      });
      static_cast<void>(p.stage("b", inputs(a), [=](int n) {
        journal.note("b");
        if (end == "abort") std::abort();
        if (end == "_exit") ::_exit(7);
        if (end == "exit") std::quick_exit(7);
        if (end == "throw")
          std::thread([] { throw std::runtime_error("nobody catches me"); }).join();
        return n;
      }));
      return p;
    };
    ChildProcess child([&] {
      const rlimit none{0, 0};
      ::setrlimit(RLIMIT_CORE, &none);
      ::close(STDERR_FILENO);
      FileStore store{folder / "store"};
      const Pipeline p = pipeline(how);
      return resume(p, store, {.run = "r1"}).exit_code();
    });
    EXPECT_NE(child.wait(), (Ended{0, 0})) << how;
    FileStore store{folder / "store"};
    const Pipeline p = pipeline("");
    EXPECT_EQ(resume(p, store, {.run = "r1"}).exit_code(), 0) << how;
    EXPECT_THAT(journal.lines(), ElementsAre("a", "b", "b")) << how;
  }
}

}  // namespace
}  // namespace resumable::test
