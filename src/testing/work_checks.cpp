// Items of a run that several processes share: the capability WorkQueue.
#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "resumable/work_queue.hpp"
#include "testing/promises.hpp"
#include "testing/records.hpp"
#include "testing/store_check.hpp"

namespace resumable {
inline namespace v0 {
namespace testing {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds long_ttl{60'000};

WorkQueue& queue_of(CheckpointStore& store) {
  auto* queue = store.capability<WorkQueue>();
  if (queue == nullptr) throw NotOffered{};
  return *queue;
}

WorkTask task(std::string item, std::string identity = "1", std::string program = "p") {
  return {.stage = "draft",
          .item = std::move(item),
          .pipeline = "memo",
          .program = std::move(program),
          .identity = std::move(identity),
          .task = std::string("task\0of", 7)};
}

void publish(WorkQueue& queue, const Lease& lease, const std::vector<WorkTask>& tasks) {
  queue.publish("run", lease.fence(), tasks);
}

Claimed claim(WorkQueue& queue, std::uint64_t worker, std::size_t most = 10) {
  return queue.claim(worker, "memo", "p", "", most);
}

WorkClaim claim_one(WorkQueue& queue, std::uint64_t worker) {
  Claimed found = claim(queue, worker, 1);
  promise(found.claims.size() == 1, "a task that is ready can be claimed");
  return std::move(found.claims.front());
}

/// Commits one record under a claim.
ClaimState commit_claimed(WorkQueue& queue, const WorkClaim& claim, std::string_view path,
                          std::uint64_t generation = 1) {
  const StringPayload payload{"x"};
  const Put put{{path, generation}, tag_of(generation), R"({"header":1})", &payload};
  return queue.commit(claim, {.puts = {&put, 1}, .erases = {}}, {});
}

/// Commits two records under a claim.
ClaimState commit_two(WorkQueue& queue, const WorkClaim& claim, std::string_view path) {
  const StringPayload payload{"x"};
  const std::array puts{Put{{path, 1}, tag_of(1), R"({"header":1})", &payload},
                        Put{{path, 2}, tag_of(2), R"({"header":1})", &payload}};
  return queue.commit(claim, {.puts = puts, .erases = {}}, {});
}

std::uint64_t join(WorkQueue& queue, milliseconds silence = long_ttl) {
  return queue.join({.host = "h", .pid = 7, .slots = 2}, silence);
}

/// Until nobody has a claim: the worker, whose time is over, is known to be gone.
std::vector<FinishedWork> collect_until_gone(WorkQueue& queue, const Lease& lease) {
  std::vector<FinishedWork> all;
  for (int i = 0; i < 10'000; ++i) {
    for (FinishedWork& one : queue.collect("run", lease.fence())) all.push_back(std::move(one));
    if (std::ranges::all_of(queue.work("run"), [](auto& one) { return one.worker == 0; })) {
      return all;
    }
    std::this_thread::sleep_for(milliseconds{1});
  }
  throw Violation("a worker whose time is over is gone");
}

void a_task_is_claimed_once(StoreUnderTest& test) {
  CheckpointStore& store = test.store();
  WorkQueue& queue = queue_of(store);
  const auto lease = store.lease("run");
  publish(queue, *lease, {task("a"), task("b"), task("c"), task("d", "1", "other")});
  const std::uint64_t first = join(queue);
  const std::uint64_t second = join(queue);
  promise(first != second, "each worker has an id of its own");
  promise(claim(queue, second + 100).claims.empty(), "who has not joined claims nothing");
  const Claimed two = claim(queue, first, 2);
  promise(two.claims.size() == 2, "as many claims as were asked for");
  promise(two.claims[0].task.item == "a" && two.claims[1].task.item == "b",
          "in the order in which they were published");
  promise(two.claims[0].task.task == task("").task && two.claims[0].run == "run" &&
              two.claims[0].fence == lease->fence(),
          "a claim has what was published");
  const Claimed rest = claim(queue, second);
  promise(rest.claims.size() == 1 && rest.claims[0].task.item == "c", "the others get the rest");
  promise(rest.claims[0].token != two.claims[0].token, "each claim has a token of its own");
  const Claimed none = claim(queue, second);
  promise(none.claims.empty() && none.of_others == 1, "a task of others, where there is no other");
  promise(queue.claim(second, "memo", "other", "another run", 1).claims.empty(),
          "of one run alone, if asked");
  const auto open = queue.work("run");
  promise(open.size() == 4 && open[0].worker == first && open[2].worker == second &&
              open[3].worker == 0,
          "who has which item is known");
  promise(queue.workers().size() == 2 && queue.workers()[0].slots == 2, "and who works");
}

void threads_claim_each_task_once(StoreUnderTest& test) {
  CheckpointStore& store = test.store();
  WorkQueue& queue = queue_of(store);
  const auto lease = store.lease("run");
  constexpr std::size_t tasks = 100;
  for (std::size_t i = 0; i < tasks; ++i) publish(queue, *lease, {task(fmt::format("{}", i))});
  std::array<std::vector<WorkClaim>, 4> claims;
  std::vector<std::thread> threads;
  threads.reserve(claims.size());
  for (auto& own : claims) {
    threads.emplace_back([&] {
      const std::uint64_t worker = join(queue);
      for (std::size_t i = 0; i < tasks; ++i) {
        Claimed found = claim(queue, worker, 3);
        if (found.claims.empty()) return;
        for (WorkClaim& one : found.claims) own.push_back(std::move(one));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<std::uint64_t> tokens;
  std::set<std::string> items;
  std::size_t count = 0;
  for (const auto& own : claims) {
    count += own.size();
    for (const WorkClaim& one : own) {
      tokens.insert(one.token);
      items.insert(one.task.item);
    }
  }
  promise(count == tasks && items.size() == tasks && tokens.size() == tasks,
          "each task is claimed once");
}

void a_commit_needs_its_claim(StoreUnderTest& test) {
  CheckpointStore& store = test.store();
  WorkQueue& queue = queue_of(store);
  const auto lease = store.lease("run");
  publish(queue, *lease, {task("a")});
  const std::uint64_t worker = join(queue);
  const WorkClaim old = claim_one(queue, worker);
  promise(commit_claimed(queue, old, "draft/a/1") == ClaimState::held, "a claim commits");
  promise(payload(store, "run", {"draft/a/1", 1}) == "x", "its record is there");
  refuses(
      Errc::fenced, [&] { commit_claimed(queue, old, "draft/a/1"); }, "a record that exists");
  queue.give_back(old);
  const WorkClaim now = claim_one(queue, join(queue));
  promise(commit_claimed(queue, old, "draft/a/2") == ClaimState::lost,
          "a claim that was given back");
  promise(commit_two(queue, old, "draft/a/3") == ClaimState::lost, "of whatever batch");
  promise(!store.get("run", {"draft/a/3", 1}), "it leaves nothing");
  promise(queue.finish(old, "late") == ClaimState::lost, "finishes nothing");
  promise(!store.get("run", {"draft/a/2", 1}), "nothing of it is there");
  promise(queue.finish(now, "result") == ClaimState::held, "the new claim finishes the task");
  promise(commit_claimed(queue, now, "draft/a/2") == ClaimState::lost, "and is over then");
  const auto through = queue.collect("run", lease->fence());
  promise(through.size() == 1 && through[0].item == "a" && through[0].result == "result" &&
              through[0].lost.empty() && through[0].by.pid == 7,
          "what is through is collected");
  promise(queue.work("run").empty(), "nobody has it any more");
  publish(queue, *lease, {task("a")});
  promise(queue.collect("run", lease->fence()).empty(), "once");
  promise(commit_two(queue, claim_one(queue, worker), "draft/a/4") == ClaimState::held,
          "it may be published again");
}

void a_silent_worker_is_lost(StoreUnderTest& test) {
  CheckpointStore& store = test.store();
  WorkQueue& queue = queue_of(store);
  const auto lease = store.lease("run");
  publish(queue, *lease, {task("a")});
  for (unsigned i = 1; i <= WorkQueue::most_losses; ++i) {
    const std::uint64_t worker = join(queue, milliseconds{0});
    const WorkClaim one = claim_one(queue, worker);
    const auto through = collect_until_gone(queue, *lease);
    promise(commit_claimed(queue, one, "draft/a") == ClaimState::lost, "its claim is lost");
    const std::uint64_t token = one.token;
    const WorkBeat beat = queue.beat(worker, long_ttl, {&token, 1});
    promise(!beat.known && beat.lost.size() == 1, "it learns that from its next beat");
    const bool last = i == WorkQueue::most_losses;
    promise(through.size() == (last ? 1U : 0U), "the task is ready again, until the last loss");
    promise(queue.work("run").size() == (last ? 0U : 1U), "then nobody gets it any more");
    if (last) promise(through[0].lost.find("7 on h") != std::string::npos, "who had it is told");
  }
  promise(!store.get("run", {"draft/a", 1}), "nothing was committed");
  const std::uint64_t alive = join(queue);
  publish(queue, *lease, {task("b")});
  const std::uint64_t token = claim_one(queue, alive).token;
  const WorkBeat beat = queue.beat(alive, long_ttl, {&token, 1});
  promise(beat.known && beat.lost.empty() && beat.stopped.empty(), "a worker that lives keeps its");
}

void another_owner_shuts_claims_out(StoreUnderTest& test) {
  CheckpointStore& store = test.store();
  WorkQueue& queue = queue_of(store);
  auto lease = store.lease("run");
  const std::uint64_t former = lease->fence();
  publish(queue, *lease, {task("a"), task("b"), task("c")});
  const std::uint64_t worker = join(queue);
  const WorkClaim a = claim_one(queue, worker);
  const WorkClaim b = claim_one(queue, worker);
  promise(queue.finish(b, "r") == ClaimState::held, "one is through");
  lease.reset();
  lease = store.lease("run");
  promise(commit_claimed(queue, a, "draft/a") == ClaimState::other_owner,
          "a claim of the owner before");
  promise(commit_two(queue, a, "draft/a/2") == ClaimState::other_owner, "of whatever batch");
  promise(queue.finish(a, "r") == ClaimState::other_owner, "finishes nothing");
  promise(!store.get("run", {"draft/a", 1}) && !store.get("run", {"draft/a/2", 1}),
          "nothing of it is there");
  promise(claim(queue, worker).claims.empty(), "its tasks cannot be claimed");
  refuses(
      Errc::fenced, [&] { queue.publish("run", former, {}); }, "the owner before");
  refuses(
      Errc::fenced, [&] { static_cast<void>(queue.withdraw("run", former, true)); },
      "it withdraws nothing");
  queue.take_over("run", lease->fence());
  promise(queue.collect("run", lease->fence()).empty(), "what was through is forgotten");
  promise(commit_claimed(queue, a, "draft/a") == ClaimState::held,
          "a claim goes on under the new owner");
  promise(claim_one(queue, worker).fence == lease->fence(), "and so do tasks that were ready");
}

void a_task_of_the_same_identity_stays(StoreUnderTest& test) {
  CheckpointStore& store = test.store();
  WorkQueue& queue = queue_of(store);
  const auto lease = store.lease("run");
  const std::uint64_t worker = join(queue);
  publish(queue, *lease, {task("a"), task("b")});
  const WorkClaim a = claim_one(queue, worker);
  const WorkClaim b = claim_one(queue, worker);
  publish(queue, *lease, {task("a"), task("b", "2")});
  promise(commit_claimed(queue, a, "draft/a") == ClaimState::held,
          "the same task stays, with its claim");
  promise(commit_claimed(queue, b, "draft/b") == ClaimState::lost, "another one takes its place");
  const Claimed again = claim(queue, worker);
  promise(again.claims.size() == 1 && again.claims[0].task.identity == "2", "and is ready");
}

void tasks_are_withdrawn(StoreUnderTest& test) {
  CheckpointStore& store = test.store();
  WorkQueue& queue = queue_of(store);
  const auto lease = store.lease("run");
  const std::uint64_t worker = join(queue);
  publish(queue, *lease, {task("a"), task("b")});
  const WorkClaim a = claim_one(queue, worker);
  const std::uint64_t token = a.token;
  auto gone = queue.withdraw("run", lease->fence(), false);
  promise(gone.size() == 1 && gone[0].item == "b", "what nobody has claimed");
  publish(queue, *lease, {task("b")});
  const Claimed again = claim(queue, worker);
  promise(again.claims.size() == 1 && again.claims[0].task.item == "b", "until it is published");
  queue.finish(again.claims[0], "");
  promise(queue.beat(worker, long_ttl, {&token, 1}).stopped.empty(), "the others go on");
  queue.withdraw("run", lease->fence(), true);
  promise(queue.beat(worker, long_ttl, {&token, 1}).stopped.size() == 1, "or are asked to stop");
  promise(commit_claimed(queue, a, "draft/a") == ClaimState::held, "and may still commit");
  queue.leave(worker);
  promise(commit_claimed(queue, a, "draft/b") == ClaimState::lost, "who has left commits nothing");
  gone = queue.withdraw("run", lease->fence(), true);
  promise(gone.size() == 1 && gone[0].losses == 0, "what it had is ready, and not lost");
  publish(queue, *lease, {task("c")});
  queue.end("run", lease->fence());
  promise(queue.work("run").empty() && queue.workers().empty(), "at the end all are gone");
}

constexpr std::array of_work{
    Check{{"work", "ATaskIsClaimedOnce"}, a_task_is_claimed_once},
    Check{{"work", "ThreadsClaimEachTaskOnce"}, threads_claim_each_task_once},
    Check{{"work", "ACommitNeedsItsClaim"}, a_commit_needs_its_claim},
    Check{{"work", "ASilentWorkerIsLost"}, a_silent_worker_is_lost},
    Check{{"work", "AnotherOwnerShutsClaimsOut"}, another_owner_shuts_claims_out},
    Check{{"work", "ATaskOfTheSameIdentityStays"}, a_task_of_the_same_identity_stays},
    Check{{"work", "TasksAreWithdrawn"}, tasks_are_withdrawn},
};

}  // namespace

std::span<const Check> work_checks() { return of_work; }

}  // namespace testing
}  // namespace v0
}  // namespace resumable
