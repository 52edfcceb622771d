/// @file
/// Tasks and workers in memory: the WorkQueue of a MemoryStore.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "resumable/work_queue.hpp"
#include "store/work_state.hpp"

namespace resumable::store {

/// Not safe to use from several threads. Whoever owns it checks fences.
class WorkTable {
 public:
  using Now = std::chrono::steady_clock::time_point;
  /// The fence that a run has now.
  using FenceOf = std::function<std::uint64_t(std::string_view run)>;

  explicit WorkTable(FenceOf fence_of) : fence_of_(std::move(fence_of)) {}

  void take_over(std::string_view run, std::uint64_t fence);
  void publish(std::string_view run, std::uint64_t fence, std::span<const WorkTask> tasks);
  [[nodiscard]] std::vector<FinishedWork> collect(std::string_view run, Now now);
  std::vector<WorkItem> withdraw(std::string_view run, bool stop);
  void end(std::string_view run);

  [[nodiscard]] std::uint64_t join(WorkerInfo worker, Now until);
  [[nodiscard]] Claimed claim(std::uint64_t worker, std::string_view pipeline,
                              std::string_view program, std::string_view run, std::size_t most);
  WorkBeat beat(std::uint64_t worker, Now until, std::span<const std::uint64_t> held);
  [[nodiscard]] ClaimState state_of(const WorkClaim& claim) const;
  ClaimState finish(const WorkClaim& claim, std::string_view result);
  void give_back(const WorkClaim& claim);
  void leave(std::uint64_t worker);

  [[nodiscard]] std::vector<WorkerInfo> workers(Now now) const;
  [[nodiscard]] std::vector<WorkItem> work(std::string_view run) const;

 private:
  using State = WorkState;
  struct Row {
    std::string run;
    WorkTask task;
    std::uint64_t fence = 0;
    State state = State::ready;
    std::uint64_t token = 0;
    std::uint64_t worker = 0;
    std::chrono::sys_seconds since{};
    unsigned losses = 0;
    std::string told{};
    bool stop = false;
    std::string result{};
  };
  struct Joined {
    WorkerInfo info;
    Now until;
  };
  [[nodiscard]] Row* find(std::uint64_t token);
  [[nodiscard]] const Row* find(std::uint64_t token) const;
  void reap(Now now);
  static void free(Row& row);

  FenceOf fence_of_;
  std::deque<Row> rows_;  ///< in the order in which they were published
  std::map<std::uint64_t, Joined> workers_;
  std::uint64_t last_token_ = 0;
  std::uint64_t last_worker_ = 0;
};

}  // namespace resumable::store
