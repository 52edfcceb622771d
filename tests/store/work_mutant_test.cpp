// Stores that break a promise of WorkQueue each: the conformance kit finds them.
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "resumable/forwarding_store.hpp"
#include "resumable/memory_store.hpp"
#include "resumable/testing/check_store.hpp"
#include "resumable/work_queue.hpp"

namespace resumable::test {
namespace {

using std::chrono::milliseconds;
using testing::check_store;
using ::testing::Contains;
using ::testing::IsSupersetOf;
using testing::Verdict;

/// Shares work as the store in memory does.
class Sharing : public ForwardingStore, public WorkQueue {
 public:
  Sharing() : ForwardingStore{memory_} {}

  void take_over(std::string_view run, std::uint64_t fence) override {
    memory_.take_over(run, fence);
  }
  void publish(std::string_view run, std::uint64_t fence,
               std::span<const WorkTask> tasks) override {
    memory_.publish(run, fence, tasks);
  }
  std::vector<FinishedWork> collect(std::string_view run, std::uint64_t fence) override {
    return memory_.collect(run, fence);
  }
  std::vector<WorkItem> withdraw(std::string_view run, std::uint64_t fence, bool stop) override {
    return memory_.withdraw(run, fence, stop);
  }
  void end(std::string_view run, std::uint64_t fence) override { memory_.end(run, fence); }
  std::uint64_t join(const WorkerInfo& worker, milliseconds ttl) override {
    return memory_.join(worker, ttl);
  }
  Claimed claim(std::uint64_t worker, std::string_view pipeline, std::string_view program,
                std::string_view run, std::size_t most) override {
    return memory_.claim(worker, pipeline, program, run, most);
  }
  WorkBeat beat(std::uint64_t worker, milliseconds ttl,
                std::span<const std::uint64_t> held) override {
    return memory_.beat(worker, ttl, held);
  }
  ClaimState commit(const WorkClaim& claim, const Batch& batch,
                    const CommitOptions& options) override {
    return memory_.commit(claim, batch, options);
  }
  ClaimState finish(const WorkClaim& claim, std::string_view result) override {
    return memory_.finish(claim, result);
  }
  void give_back(const WorkClaim& claim) override { memory_.give_back(claim); }
  void leave(std::uint64_t worker) override { memory_.leave(worker); }
  std::vector<WorkerInfo> workers() const override { return memory_.workers(); }
  std::vector<WorkItem> work(std::string_view run) const override { return memory_.work(run); }

 private:
  CheckpointStore* do_capability() noexcept override { return this; }
  MemoryStore memory_;
};

struct AcknowledgesLostCommits final : Sharing {
  ClaimState commit(const WorkClaim& claim, const Batch& batch,
                    const CommitOptions& options) override {
    const ClaimState state = Sharing::commit(claim, batch, options);
    return state == ClaimState::lost ? ClaimState::held : state;
  }
};

/// A former owner's claim commits like that of the present one.
struct IgnoresTheFence final : Sharing {
  ClaimState commit(const WorkClaim& claim, const Batch& batch,
                    const CommitOptions& options) override {
    const ClaimState state = Sharing::commit(claim, batch, options);
    return state == ClaimState::other_owner ? ClaimState::held : state;
  }
};

struct KeepsTheDead final : Sharing {
  std::uint64_t join(const WorkerInfo& worker, milliseconds ttl) override {
    return Sharing::join(worker, ttl + milliseconds{60'000});
  }
};

struct ClaimsTwice final : Sharing {
  Claimed claim(std::uint64_t worker, std::string_view pipeline, std::string_view program,
                std::string_view run, std::size_t most) override {
    Claimed found = Sharing::claim(worker, pipeline, program, run, most);
    const std::scoped_lock lock{guard};
    if (found.claims.empty()) return last;
    return last = found;
  }
  std::mutex guard;
  Claimed last;
};

struct KeepsWhatIsPublishedAnew final : Sharing {
  void publish(std::string_view run, std::uint64_t fence,
               std::span<const WorkTask> tasks) override {
    std::vector<WorkTask> same{tasks.begin(), tasks.end()};
    for (WorkTask& task : same) task.identity = "same";
    Sharing::publish(run, fence, same);
  }
};

struct StopsNobody final : Sharing {
  std::vector<WorkItem> withdraw(std::string_view run, std::uint64_t fence,
                                 bool /*stop*/) override {
    return Sharing::withdraw(run, fence, false);
  }
};

/// The checks of the section `work` that it breaks.
template <class Store>
std::vector<std::string> broken() {
  std::map<std::string, std::shared_ptr<Store>, std::less<>> stores;
  const auto report = check_store(
      [&](std::string_view place) {
        auto& store = stores[std::string{place}];
        if (!store) store = std::make_shared<Store>();
        return store;
      },
      {.survives_process = false, .sections = {"work"}});
  std::vector<std::string> names;
  for (const auto& check : report.find("work")->checks) {
    if (check.verdict == Verdict::broken) names.emplace_back(check.name);
  }
  return names;
}

TEST(WorkMutants, AreFound) {
  EXPECT_TRUE(broken<Sharing>().empty());
  EXPECT_THAT(broken<AcknowledgesLostCommits>(), Contains("ACommitNeedsItsClaim"));
  EXPECT_THAT(broken<IgnoresTheFence>(), Contains("AnotherOwnerShutsClaimsOut"));
  EXPECT_THAT(broken<ClaimsTwice>(),
              IsSupersetOf({"ATaskIsClaimedOnce", "ThreadsClaimEachTaskOnce"}));
  EXPECT_THAT(broken<KeepsWhatIsPublishedAnew>(), Contains("ATaskOfTheSameIdentityStays"));
  EXPECT_THAT(broken<StopsNobody>(), Contains("TasksAreWithdrawn"));
}

TEST(WorkMutants, ThatKeepTheDeadAreFound) {
  EXPECT_THAT(broken<KeepsTheDead>(), Contains("ASilentWorkerIsLost"));
}

}  // namespace
}  // namespace resumable::test
