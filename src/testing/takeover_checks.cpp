// Leases that end by themselves: an owner that was suspended for too long, and one that is idle.
#include <array>
#include <chrono>
#include <csignal>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "resumable/error.hpp"
#include "testing/child_process.hpp"
#include "testing/promises.hpp"
#include "testing/records.hpp"
#include "testing/store_check.hpp"

namespace resumable {
inline namespace v0 {
namespace testing {
namespace {

constexpr std::chrono::seconds ttl{1};
constexpr std::chrono::seconds patience{30};
const LeaseRequest brief{.ttl = ttl};

/// A store whose leases end with their process has none to take over.
void must_end_by_itself(StoreUnderTest& test) {
  if (!test.survives_process()) throw NotOffered{};
  const auto lease = test.store().lease("other", brief);
  const auto owner = test.store().owner("other");
  if (!owner || !owner->until) throw NotOffered{};
}

/// Whether the lease says that it is lost, before long.
bool is_known_to_be_lost(const Lease& lease) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!lease.lost().stop_requested()) {
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
  }
  return true;
}

/// What another process does after it was suspended, and another has taken over: 0, or the number
/// of the promise that its store has broken.
int write_late(Lease& lease) {
  const auto fenced = [](const auto& call) { return code_of(call) == Errc::fenced; };
  if (!fenced([&] { commit(lease, "late", 1, "x"); })) return 1;
  if (!fenced([&] { lease.manifest(R"({"late":true})"); })) return 2;
  if (!fenced([&] { static_cast<void>(lease.quarantine({"before", 1})); })) return 3;
  return is_known_to_be_lost(lease) ? 0 : 4;
}

void a_suspended_owner_is_fenced(StoreUnderTest& test) {
  must_end_by_itself(test);
  test.close();
  const Signpost owns;
  const Signpost taken_over;
  ChildProcess child([&] {
    const auto store = test.another();
    const auto lease = store->lease("run", brief);
    commit(*lease, "before", 1, "x");
    owns.say();
    taken_over.await();
    return write_late(*lease);
  });
  owns.await();
  child.kill(SIGSTOP);
  const auto lease = test.store().lease("run", {.wait = patience, .ttl = ttl});
  commit(*lease, "after", 1, "x");
  taken_over.say();
  child.kill(SIGCONT);
  const Ended ended = child.wait();
  promise(ended.exit_code != 1, "a commit of a former owner is fenced");
  promise(ended.exit_code != 2, "a manifest of a former owner is fenced");
  promise(ended.exit_code != 3, "a former owner sets nothing aside: it is fenced");
  promise(ended.exit_code != 4, "lost() of a former owner's lease is requested");
  promise(ended == Ended{0, 0}, "a former owner goes on until it is told that it is fenced");
  expect_same(scan(test.store(), "run"), std::vector<std::string>{"after.1", "before.1"},
              "nothing of a former owner is visible");
  promise(!test.store().manifest("run"), "nor is its manifest");
  promise(payload(test.store(), "run", {"before", 1}).has_value(), "and nothing is set aside");
  commit(*lease, "after", 2, "x");
  promise(!lease->lost().stop_requested(), "the new owner keeps its lease");
}

void an_idle_owner_keeps_its_lease(StoreUnderTest& test) {
  must_end_by_itself(test);
  const auto lease = test.store().lease("run", brief);
  const auto other = test.another();
  refuses(
      Errc::busy, [&] { static_cast<void>(other->lease("run", {.wait = 3 * ttl, .ttl = ttl})); },
      "the run of a lease that was not used for three times its ttl");
  commit(*lease, "after", 1, "x");
  promise(!lease->lost().stop_requested(), "a lease that is renewed is not lost");
}

constexpr std::array of_takeover{
    Check{{"takeover", "ASuspendedOwnerIsFenced"}, a_suspended_owner_is_fenced},
    Check{{"takeover", "AnIdleOwnerKeepsItsLease"}, an_idle_owner_keeps_its_lease},
};

}  // namespace

std::span<const Check> takeover_checks() { return of_takeover; }

}  // namespace testing
}  // namespace v0
}  // namespace resumable
