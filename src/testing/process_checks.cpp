// Several readers and processes at once, and killed processes.
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include "resumable/error.hpp"
#include "testing/child_process.hpp"
#include "testing/promises.hpp"
#include "testing/records.hpp"
#include "testing/store_check.hpp"

namespace resumable {
inline namespace v0 {
namespace testing {
namespace {

constexpr std::size_t batch_size = 3;

/// What the records of batch `number` hold.
std::string value_of(int number) {
  return fmt::format("value {} {}", number,
                     std::string(static_cast<std::size_t>(number % 50) * 700, 'v'));
}

std::string path_of(int number, std::size_t part) { return fmt::format("b{}/{}", number, part); }

Ticket commit_batch(Lease& lease, int number, Durability durability = Durability::full) {
  Puts batch(batch_size);
  for (std::size_t i = 0; i < batch_size; ++i) batch.add(path_of(number, i), 1, value_of(number));
  return lease.commit({.puts = batch.all(), .erases = {}}, {.durability = durability, .wait = {}});
}

/// How many records of each batch a scan finds.
std::map<std::string, std::size_t> batches_of(const CheckpointStore& store, std::string_view run) {
  std::map<std::string, std::size_t> found;
  store.scan(run, {}, [&](const RecordHead& head) {
    ++found[std::string{head.id.path.substr(0, head.id.path.find('/'))}];
    return true;
  });
  return found;
}

void promise_whole(const CheckpointStore& store, std::string_view run = "run") {
  for (const auto& [batch, records] : batches_of(store, run)) {
    expect_same(records, batch_size,
                fmt::format("the records of batch {} that a reader sees", batch));
  }
}

void readers_see_whole_batches(StoreUnderTest& test) {
  constexpr int batches = 40;
  const auto reader = test.another();
  const auto lease = test.store().lease("run");
  std::atomic<bool> done{false};
  std::optional<Violation> broken;
  std::thread reads{[&] {
    try {
      while (!done) promise_whole(*reader);
    } catch (const std::exception& error) {
      broken.emplace(error.what());
    }
  }};
  try {
    for (int i = 1; i <= batches; ++i) commit_batch(*lease, i);
  } catch (...) {
    done = true;
    reads.join();
    throw;
  }
  done = true;
  reads.join();
  if (broken) throw *broken;
  promise_whole(*reader);
}

void readers_see_what_is_acknowledged(StoreUnderTest& test) {
  const auto reader = test.another();
  const auto lease = test.store().lease("run");
  promise(scan(*reader, "run").empty(), "a new run has no records");
  for (const std::uint64_t generation : {1U, 2U, 3U}) {
    commit(*lease, "draft", generation, fmt::format("{}", generation));
    expect_same(payload(*reader, "run", {"draft", generation}),
                std::optional(fmt::format("{}", generation)), "another reader's get");
    expect_same(scan(*reader, "run").size(), std::size_t{generation}, "another reader's scan");
  }
  const RecordId old{"draft", 1};
  lease->commit({.puts = {}, .erases = {&old, 1}});
  expect_same(scan(*reader, "run"), std::vector<std::string>{"draft.2", "draft.3"},
              "another reader's scan after an erase");
}

void tickets_tell_the_truth(StoreUnderTest& test) {
  const auto lease = test.store().lease("run");
  expect_same(lease->durable(), Ticket{0}, "before the first commit nothing is durable");
  Ticket last = 0;
  for (int i = 1; i <= 5; ++i) {
    const Ticket ticket = commit_batch(*lease, i);
    promise(ticket > last, "tickets rise");
    expect_same(lease->durable(), ticket,
                "a full commit is durable on return, and no later one is");
    lease->wait(ticket);
    last = ticket;
  }
}

void weaker_tickets_tell_the_truth(StoreUnderTest& test) {
  const auto lease = test.store().lease("run");
  int number = 0;
  for (const auto durability : {Durability::data, Durability::queued}) {
    for (int i = 0; i < 3; ++i) {
      const Ticket ticket = commit_batch(*lease, ++number, durability);
      promise(payload(test.store(), "run", {path_of(number, 0), 1}) == value_of(number),
              "what is acknowledged is read at once");
      promise(lease->durable() <= ticket, "nothing is durable that was not committed");
      if (i == 1) continue;  // the next one makes it durable, too
      lease->wait(ticket);
      expect_same(lease->durable(), ticket, "durable after the wait for the last ticket");
    }
    commit_batch(*lease, ++number, durability);
    const Ticket full = commit_batch(*lease, ++number);
    expect_same(lease->durable(), full, "durable after a full commit");
  }
}

/// Counts what a child has acknowledged, however it ends.
class Acknowledgements {
 public:
  Acknowledgements() {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) < 0) throw Violation("no pipe for the child process");
    reads_ = ends[0];
    writes_ = ends[1];
  }
  ~Acknowledgements() {
    ::close(reads_);
    only_read();
  }
  Acknowledgements(const Acknowledgements&) = delete;
  Acknowledgements& operator=(const Acknowledgements&) = delete;

  void say() const {
    const char byte = '!';
    if (::write(writes_, &byte, 1) != 1) ::_exit(1);
  }
  /// In the parent, once the child runs: the end of the child is the end of the pipe.
  void only_read() {
    if (writes_ >= 0) ::close(writes_);
    writes_ = -1;
  }
  /// Waits for one more; false when the child has ended.
  bool await() {
    char byte = 0;
    ssize_t count = 0;
    while ((count = ::read(reads_, &byte, 1)) < 0 && errno == EINTR) {
    }
    if (count == 1) ++count_;
    return count == 1;
  }
  [[nodiscard]] int count() const noexcept { return count_; }

 private:
  int reads_ = -1;
  int writes_ = -1;
  int count_ = 0;
};

/// For a store that learns late that a process has ended.
const LeaseRequest patient{.wait = std::chrono::minutes{1}, .ttl = std::chrono::seconds{1}};

/// A child that commits batch after batch until it is killed; it never ends by itself.
class Writer {
 public:
  Writer(StoreUnderTest& test, std::string_view run, Durability durability = Durability::full) {
    test.close();
    child_ = std::make_unique<ChildProcess>([&] {
      const auto lease = test.store().lease(run, patient);
      for (int i = 1; i < most; ++i) {
        commit_batch(*lease, i, durability);
        said_.say();
      }
      return 0;
    });
    said_.only_read();
  }

  void await(int count) {
    while (said_.count() < count) {
      if (!said_.await()) throw Violation("a child process could not take the lease and commit");
    }
  }
  /// How many batches it has acknowledged.
  int kill() {
    child_->kill(SIGKILL);
    child_->wait();
    while (said_.await()) {
    }
    return said_.count();
  }
  [[nodiscard]] std::int64_t pid() const { return child_->pid(); }

 private:
  static constexpr int most = 1'000'000;

  Acknowledgements said_;
  std::unique_ptr<ChildProcess> child_;
};

void expect_acknowledged(const CheckpointStore& store, std::string_view run, int acknowledged) {
  promise_whole(store, run);
  for (int i = 1; i <= acknowledged; ++i) {
    for (std::size_t part = 0; part < batch_size; ++part) {
      promise(payload(store, run, {path_of(i, part), 1}) == value_of(i),
              fmt::format("batch {} of {} that a killed process had acknowledged is there", i,
                          acknowledged));
    }
  }
  const std::size_t found = batches_of(store, run).size();
  promise(found <= static_cast<std::size_t>(acknowledged) + 1, "no batch that was not begun");
}

void survives_a_kill(StoreUnderTest& test, Durability durability) {
  if (!test.survives_process()) throw NotOffered{};
  for (const int commits : {1, 2, 5, 13}) {
    const std::string run = fmt::format("run-{}", commits);
    Writer writer{test, run, durability};
    writer.await(commits);
    const int acknowledged = writer.kill();
    test.reopen();
    expect_acknowledged(test.store(), run, acknowledged);
    const auto lease = test.store().lease(run, patient);
    promise(lease->fence() > 1, "a lease after a killed one has a higher fence");
    commit(*lease, "after", 1, "the kill");
    expect_same(payload(test.store(), run, {"after", 1}), std::optional<std::string>("the kill"),
                "a commit after the kill");
  }
}

void acknowledged_survives_a_kill(StoreUnderTest& test) { survives_a_kill(test, Durability::full); }

void data_survives_a_kill(StoreUnderTest& test) { survives_a_kill(test, Durability::data); }

void another_process_is_kept_out(StoreUnderTest& test) {
  if (!test.survives_process()) throw NotOffered{};
  Writer writer{test, "run"};
  writer.await(1);
  CheckpointStore& store = test.store();
  const auto owner = store.owner("run");
  promise(owner.has_value(), "a run that another process writes has an owner");
  expect_same(owner->pid, writer.pid(), "the owner's process");
  refuses(
      Errc::busy, [&] { static_cast<void>(store.lease("run")); },
      "a run that another process owns");
  promise(payload(store, "run", {"b1/0", 1}) == value_of(1), "what it commits is read meanwhile");
  promise_whole(store);
  writer.kill();
  const auto lease = store.lease("run", patient);
  promise(lease->fence() > owner->fence, "its lease ends with it");
}

void a_forked_child_disturbs_nothing(StoreUnderTest& test) {
  if (!test.survives_process()) throw NotOffered{};
  auto lease = test.store().lease("run");
  commit(*lease, "before", 1, "x");
  ChildProcess idle([] { return 0; });
  expect_same(idle.wait(), Ended{0, 0}, "a child that uses no store");
  ChildProcess tidy([&] {  // as one does that leaves through the end of main()
    lease.reset();
    test.close();
    return 0;
  });
  expect_same(tidy.wait(), Ended{0, 0}, "a child that destroys its copy of a store");
  refuses(
      Errc::busy, [&] { static_cast<void>(test.another()->lease("run")); },
      "a run whose owner had a child");
  commit(*lease, "after", 1, "x");
  promise(payload(*test.another(), "run", {"after", 1}).has_value(),
          "what was committed after a child has ended");
}

constexpr std::array of_process{
    Check{{"isolated", "ReadersSeeWholeBatches"}, readers_see_whole_batches},
    Check{{"fresh", "ReadersSeeWhatIsAcknowledged"}, readers_see_what_is_acknowledged},
    Check{{"durable", "TicketsTellTheTruth"}, tickets_tell_the_truth},
    Check{{"durable", "WeakerTicketsTellTheTruth"}, weaker_tickets_tell_the_truth},
    Check{{"durable", "AcknowledgedSurvivesAKill"}, acknowledged_survives_a_kill},
    Check{{"durable", "DataSurvivesAKill"}, data_survives_a_kill},
    Check{{"processes", "AnotherProcessIsKeptOut"}, another_process_is_kept_out},
    Check{{"processes", "AForkedChildDisturbsNothing"}, a_forked_child_disturbs_nothing},
};

}  // namespace

std::span<const Check> process_checks() { return of_process; }

}  // namespace testing
}  // namespace v0
}  // namespace resumable
