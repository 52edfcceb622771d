/// @file
/// Tasks and workers as rows: what SqliteStore offers as a WorkQueue.
///
/// All processes are of one host: they share the clock that counts from the start of the machine.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "resumable/work_queue.hpp"
#include "sqlite/sqlite_lease.hpp"

namespace resumable::sqlite {

class Work {
 public:
  explicit Work(Shared& shared) noexcept : shared_(shared) {}

  void take_over(std::string_view run, std::uint64_t fence);
  void publish(std::string_view run, std::uint64_t fence, std::span<const WorkTask> tasks);
  [[nodiscard]] std::vector<FinishedWork> collect(std::string_view run, std::uint64_t fence);
  std::vector<WorkItem> withdraw(std::string_view run, std::uint64_t fence, bool stop);
  void end(std::string_view run, std::uint64_t fence);
  [[nodiscard]] std::uint64_t join(const WorkerInfo& worker, std::chrono::milliseconds ttl);
  [[nodiscard]] Claimed claim(std::uint64_t worker, std::string_view pipeline,
                              std::string_view program, std::string_view run, std::size_t most);
  WorkBeat beat(std::uint64_t worker, std::chrono::milliseconds ttl,
                std::span<const std::uint64_t> held);
  ClaimState commit(const WorkClaim& claim, const Batch& batch, const CommitOptions& options);
  ClaimState finish(const WorkClaim& claim, std::string_view result);
  void give_back(const WorkClaim& claim);
  void leave(std::uint64_t worker);
  [[nodiscard]] std::vector<WorkerInfo> workers() const;
  [[nodiscard]] std::vector<WorkItem> work(std::string_view run) const;

 private:
  /// Runs work(connection, row of the run) in a transaction, if the run's fence is this one.
  template <class Action>
  void as_owner(std::string_view run, std::uint64_t fence, Action action);
  /// A worker that has missed its beats, or whose process has ended.
  struct Dead {
    std::int64_t id = 0;
    std::int64_t until = 0;
    std::string told;  ///< for people
  };
  [[nodiscard]] std::vector<Dead> dead_workers(Connection& connection);
  [[nodiscard]] static bool has_finished(Connection& connection, std::string_view run);
  [[nodiscard]] ClaimState state_of(Connection& connection, const WorkClaim& claim) const;
  [[nodiscard]] std::int64_t now() const;

  Shared& shared_;
  std::atomic<std::int64_t> last_look_{0};    ///< for the dead
  std::atomic<std::int64_t> grace_until_{0};  ///< nobody is dead for having missed a beat
};

}  // namespace resumable::sqlite
