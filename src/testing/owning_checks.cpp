// Leases and runs.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "resumable/error.hpp"
#include "resumable/time.hpp"
#include "testing/promises.hpp"
#include "testing/records.hpp"
#include "testing/store_check.hpp"

namespace resumable {
inline namespace v0 {
namespace testing {
namespace {

using Names = std::vector<std::string>;

constexpr std::size_t seconds_length = std::string_view{"2026-11-21T20:44:01"}.size();

void one_writer(StoreUnderTest& test) {
  auto lease = test.store().lease("run");
  const auto owner = test.store().owner("run");
  promise(owner.has_value(), "owner() while there is a lease: expected an owner, got none");
  promise(owner->pid > 0 && !owner->host.empty() &&
              owner->since > std::chrono::sys_days{std::chrono::year{2026} / 1 / 1},
          fmt::format("owner(): expected a process id, a host and since when, got {}, '{}' and {}",
                      owner->pid, owner->host, to_string(Timestamp{owner->since})));
  expect_same(owner->fence, lease->fence(), "the owner's fence");
  try {
    static_cast<void>(test.store().lease("run"));
    throw Violation("two leases of one run");
  } catch (const Error& error) {
    promise(error.errc() == Errc::busy,
            fmt::format("a second lease: expected busy, got {}", to_string(error.errc())));
    const std::string text = error.explain();
    const std::string since = to_string(Timestamp{owner->since}).substr(0, seconds_length);
    promise(text.find(std::to_string(owner->pid)) != text.npos &&
                text.find(owner->host) != text.npos && text.find(since) != text.npos,
            fmt::format("the message of busy: expected pid {}, host '{}' and {} in it, got: {}",
                        owner->pid, owner->host, since, text));
  }
  const auto other = test.store().lease("other");
  promise(other != nullptr, "another run is free");
  lease.reset();
  promise(!test.store().owner("run"), "nobody owns it afterwards");
  promise(test.store().lease("run") != nullptr, "free again");
}

void fences_rise(StoreUnderTest& test) {
  std::uint64_t last = 0;
  for (int i = 0; i < 4; ++i) {
    const auto lease = test.store().lease("run");
    promise(lease->fence() > last, "a later lease has a higher fence");
    last = lease->fence();
  }
  test.reopen();
  promise(test.store().lease("run")->fence() > last, "also after the store was opened again");
}

void waiting_ends(StoreUnderTest& test) {
  auto lease = test.store().lease("run");
  std::stop_source stop;
  stop.request_stop();
  refuses(
      Errc::busy,
      [&] {
        static_cast<void>(
            test.store().lease("run", {.wait = std::chrono::hours(1), .stop = stop.get_token()}));
      },
      "a wait that was stopped");
  std::atomic<bool> got{false};
  std::thread waits(
      [&] { got = test.store().lease("run", {.wait = std::chrono::hours(1)}) != nullptr; });
  lease.reset();
  waits.join();
  promise(got, "who waits gets it");
}

void runs_begin_as_asked(StoreUnderTest& test) {
  CheckpointStore& store = test.store();
  const auto take = [&](std::string_view run, Create create) {
    return [&store, run, create] { static_cast<void>(store.lease(run, {.create = create})); };
  };
  refuses(Errc::unknown_run, take("new", Create::never), "a run that must exist");
  promise(runs(store).empty(), "that brought nothing into being");
  take("new", Create::must)();
  refuses(Errc::duplicate_name, take("new", Create::must), "a run that must not exist");
  take("new", Create::if_absent)();
  take("new", Create::never)();
  refuses(Errc::duplicate_name, take("NEW", Create::if_absent), "a twin in case");
  take("Caf\xC3\xA9", Create::must)();
  refuses(Errc::duplicate_name, take("Cafe\xCC\x81", Create::must), "a twin in normal form");
  expect_same(runs(store), Names{"Caf\xC3\xA9", "new"}, "runs in byte order");
}

void runs_are_listed(StoreUnderTest& test) {
  const Names ids{"a b", "a/b", "a%20b", "memo-v0.0.10", "memo-v0.0.9", "\xE5\x8C\x97", "~"};
  for (const std::string& id : ids) commit(*test.store().lease(id), "x", 1, id);
  test.reopen();
  Names sorted = ids;
  std::sort(sorted.begin(), sorted.end());
  expect_same(runs(test.store()), sorted, "all, in byte order");
  expect_same(runs(test.store(), std::string_view{}), sorted, "an empty prefix without a place");
  expect_same(runs(test.store(), "memo-"), Names{"memo-v0.0.10", "memo-v0.0.9"}, "by prefix");
  for (const std::string& id : ids) {
    expect_same(payload(test.store(), id, {"x", 1}), std::optional(id), "each its own");
  }
}

constexpr std::array of_owning{
    Check{{"leases", "OneWriter"}, one_writer},
    Check{{"leases", "FencesRise"}, fences_rise},
    Check{{"leases", "WaitingEnds"}, waiting_ends},
    Check{{"leases", "RunsBeginAsAsked"}, runs_begin_as_asked},
    Check{{"runs", "RunsAreListed"}, runs_are_listed},
};

}  // namespace

std::span<const Check> owning_checks() { return of_owning; }

}  // namespace testing
}  // namespace v0
}  // namespace resumable
