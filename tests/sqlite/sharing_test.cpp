// Several processes share the items of one run; they are killed, suspended and continued.
#include <array>
#include <csignal>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "resumable/sqlite_store.hpp"
#include "run/run_support.hpp"
#include "support/child_process.hpp"
#include "testing/records.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using ::testing::IsEmpty;

/// Says something to other processes by the name of a file, and waits for what they say.
class Board {
 public:
  explicit Board(fs::path folder) : folder_(std::move(folder)) { fs::create_directories(folder_); }
  void say(const std::string& what) const { std::ofstream{folder_ / what}; }
  [[nodiscard]] bool has(const std::string& what) const { return fs::exists(folder_ / what); }
  [[nodiscard]] std::size_t count() const {
    const fs::directory_iterator all{folder_};
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
  }
  /// Looks whenever something in the test's folder has changed, which is where this one is. For a
  /// minute at most.
  void await(const std::function<bool()>& that) const {
    const int changes = ::inotify_init1(IN_CLOEXEC);
    ::inotify_add_watch(changes, folder_.c_str(), IN_CREATE);
    ::inotify_add_watch(changes, folder_.parent_path().c_str(), IN_CREATE | IN_MODIFY);
    while (!that()) {
      pollfd one{.fd = changes, .events = POLLIN, .revents = 0};
      std::array<char, 4096> events{};
      if (::poll(&one, 1, 60'000) <= 0 || ::read(changes, events.data(), events.size()) <= 0) {
        std::abort();
      }
    }
    ::close(changes);
  }
  void await(const std::string& what) const {
    await([&] { return has(what); });
  }

 private:
  fs::path folder_;
};

/// Items with a step each, in a list; what they make is appended to a file.
struct Job {
  using Visit = std::function<void(Context&, const std::string&)>;
  Job(Tally tally, std::size_t count, Visit visit) {
    Strings names;
    for (std::size_t i = 0; i < count; ++i) names.push_back("n" + std::to_string(i));
    const auto list = pipeline.input("list", names);
    const auto end = pipeline.stage("end", inputs(), [] { return "!"s; });
    items.emplace(
        pipeline.stage("items", inputs(each(list), end),
                       [=](Context& ctx, const std::string& name, const std::string& last) {
                         const auto text = ctx.step("text", [&] {
                           tally("step " + name);
                           return "text of " + name;
                         });
                         visit(ctx, name);
                         tally(name);
                         return text + last;
                       }));
    pipeline.append(*items, "all.txt", [](const std::string& text) { return text + "\n"; });
    whole.emplace(pipeline.stage("whole", inputs(*items), [](const Strings& all) {
      std::string text;
      for (const std::string& one : all) text += one + ";";
      return text;
    }));
  }
  Pipeline pipeline{"job"};
  std::optional<FanOut<std::string>> items;
  std::optional<Stage<std::string>> whole;
};

class SharingProcesses : public ::testing::Test {
 protected:
  [[nodiscard]] fs::path database() const { return folder / "runs.db"; }
  [[nodiscard]] ResumeOptions options() const {
    return {.run = "r", .share = true, .artifact_folder = folder / "files"};
  }
  /// Exit code of a process that owns the run.
  int own(const Job& job) const {
    SqliteStore store{database()};
    return resume(job.pipeline, store, options()).exit_code();
  }
  /// Of a worker that is stopped by SIGTERM: 10 + how many of its items were lost.
  int serve(const Job& job, milliseconds ttl = milliseconds{15'000}) const {
    const StopOnSignal signals{SIGTERM};
    SqliteStore store{database()};
    const WorkReport done = work(job.pipeline, store, {.stop = signals.stop(), .ttl = ttl});
    return 10 + static_cast<int>(done.lost);
  }
  /// The result is what one process makes, and each value was committed once.
  void expect_whole(std::size_t count) {
    const TempFolder alone;
    const Job job{Tally{alone / "tally"}, count, [](Context&, const std::string&) {}};
    MemoryStore memory;
    auto how = options();
    how.share = false;
    how.artifact_folder = alone / "files";
    const Report expected = resume(job.pipeline, memory, how);
    SqliteStore store{database()};
    const Report report = resume(job.pipeline, store, options());
    EXPECT_EQ(report.outcome(), Outcome::done);
    EXPECT_EQ(report[*job.whole], expected[*job.whole]);
    EXPECT_EQ(read_file(folder / "files/all.txt"), read_file(alone / "files/all.txt"));
    std::size_t values = 0;
    store.scan("r", {.prefix = "items/"}, [&](const RecordHead& found) {
      EXPECT_EQ(found.id.generation, 1U) << found.id.path;
      ++values;
      return true;
    });
    EXPECT_EQ(values, count);
    EXPECT_THAT(store.work("r"), IsEmpty());
  }

  TempFolder folder;
  Tally tally{folder / "tally"};
  Board board{folder / "board"};
};

TEST_F(SharingProcesses, ComputeEachOf200ItemsOnce) {
  constexpr std::size_t count = 200;
  // Nobody goes on before all three compute.
  const Job job{tally, count, [&](Context&, const std::string&) {
                  board.say(std::to_string(::getpid()));
                  board.await([&] { return board.count() == 3; });
                }};
  ChildProcess first{[&] { return serve(job); }};
  ChildProcess second{[&] { return serve(job); }};
  ChildProcess owner{[&] { return own(job); }};
  EXPECT_EQ(owner.wait(), (Ended{.exit_code = 0}));
  first.kill(SIGTERM);
  second.kill(SIGTERM);
  EXPECT_EQ(first.wait(), (Ended{.exit_code = 10}));
  EXPECT_EQ(second.wait(), (Ended{.exit_code = 10}));
  for (const auto& [name, times] : tally.counts()) EXPECT_EQ(times, 1) << name;
  expect_whole(count);
}

TEST_F(SharingProcesses, ContinueTheItemsOfAWorkerThatWasKilled) {
  pid_t doomed = 0;
  const Job job{tally, 4, [&](Context&, const std::string& name) {
                  if (doomed != 0) return board.await("dead");
                  board.say("doomed");
                  board.say("has " + name);
                  while (true) ::pause();
                }};
  ChildProcess worker{[&] { return serve(job); }};
  doomed = worker.pid();
  ChildProcess owner{[&] { return own(job); }};
  board.await("doomed");
  worker.kill(SIGKILL);
  worker.wait();
  board.say("dead");
  EXPECT_EQ(owner.wait(), (Ended{.exit_code = 0}));
  for (const auto& [name, times] : tally.counts()) EXPECT_EQ(times, 1) << name;
  expect_whole(4);
}

TEST_F(SharingProcesses, RefuseTheLateCommitOfASuspendedWorker) {
  pid_t suspended = 0;
  const Job job{tally, 3, [&](Context&, const std::string&) {
                  if (suspended != 0) return board.await("suspended");
                  board.say("begun");
                  board.await("done");
                }};
  ChildProcess worker{[&] { return serve(job, milliseconds{200}); }};
  suspended = worker.pid();
  ChildProcess owner{[&] { return own(job); }};
  board.await("begun");
  worker.kill(SIGSTOP);
  board.say("suspended");
  EXPECT_EQ(owner.wait(), (Ended{.exit_code = 0}));
  board.say("done");
  worker.kill(SIGCONT);
  const int late = [&] {  // it has called its function to the end
    board.await([&] {
      return tally.counts().size() == 6 && [&] {
        int all = 0;
        for (const auto& [name, times] : tally.counts()) all += times;
        return all == 7;
      }();
    });
    worker.kill(SIGTERM);
    return worker.wait().exit_code;
  }();
  EXPECT_EQ(late, 11) << "one item lost";
  expect_whole(3);
}

TEST_F(SharingProcesses, GoOnWhileTheOwnerIsKilledAndResumed) {
  bool is_worker = true;
  const Job job{tally, 6, [&](Context&, const std::string&) {
                  if (!is_worker) return board.await("second owner");
                  board.say("begun");
                  board.await("second owner");
                }};
  ChildProcess worker{[&] { return serve(job); }};
  is_worker = false;
  {
    ChildProcess owner{[&] { return own(job); }};
    board.await("begun");
    owner.kill(SIGKILL);
    owner.wait();
  }
  ChildProcess owner{[&] {
    // It owns the run, and has read what is there, before the worker commits.
    SqliteStore store{database()};
    Log log;
    log.on = [&](const Event& event) {
      if (event.kind == EventKind::items_listed) board.say("second owner");
    };
    auto how = options();
    how.observers = {&log};
    return resume(job.pipeline, store, how).exit_code();
  }};
  EXPECT_EQ(owner.wait(), (Ended{.exit_code = 0}));
  worker.kill(SIGTERM);
  EXPECT_EQ(worker.wait(), (Ended{.exit_code = 10}));
  // What the killed owner was calling is called again; what the worker had is not.
  const auto counts = tally.counts();
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(counts.at("n" + std::to_string(i)), 1);
    EXPECT_EQ(counts.at("step n" + std::to_string(i)), 1);
  }
  expect_whole(6);
}

TEST_F(SharingProcesses, LeaveARunAloneWhoseNewOwnerDoesNotShare) {
  bool is_worker = true;
  const Job job{tally, 3, [&](Context&, const std::string&) {
                  if (!is_worker) return board.await("begun");
                  board.say("begun");
                  board.await("done");
                }};
  ChildProcess worker{[&] { return serve(job, milliseconds{200}); }};
  is_worker = false;
  {
    ChildProcess owner{[&] { return own(job); }};
    board.await("begun");
    owner.kill(SIGKILL);
    owner.wait();
  }
  {
    SqliteStore store{database()};
    auto how = options();
    how.share = false;
    EXPECT_EQ(resume(job.pipeline, store, how).exit_code(), 0);
  }
  board.say("done");
  board.await([&] { return tally.of("n0") + tally.of("n1") + tally.of("n2") == 4; });
  worker.kill(SIGTERM);
  EXPECT_EQ(worker.wait(), (Ended{.exit_code = 11})) << "its commit was refused";
  expect_whole(3);
}

}  // namespace
}  // namespace resumable::test
