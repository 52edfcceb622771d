/// @file
/// Tasks and workers as rows: what PostgresStore offers as a WorkQueue, for any number of hosts.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "postgres/postgres_lease.hpp"
#include "resumable/work_queue.hpp"

namespace resumable::postgres {

/// Each call is one statement and one round trip; those of owners wait for the disk, those of
/// workers do not, except for commits. A call may be sent twice, when its answer is lost:
///
/// - Calls of an owner have numbers, and one that arrives behind a later one does nothing.
/// - What collect() and withdraw() hand out is removed by the next call, not by the same one.
/// - A claim that its worker does not know of is ready again once the worker's time has passed.
///   The same goes for what a crashed server has forgotten: that a task was through, or free.
///
/// A commit locks the row of its task alone, so those of many hosts flush side by side.
class Work {
 public:
  explicit Work(Shared& shared) : shared_(shared), here_(place_of_pids(shared.process())) {}

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
  using Clock = std::chrono::steady_clock;

  Rows run(const char* sql, const Parameters& parameters) const;
  Rows as_owner(std::string_view run, std::uint64_t fence, const char* sql, const Parameters& more);
  [[nodiscard]] std::optional<Rows> look(const char* sql, const Parameters& parameters) const;
  [[nodiscard]] ClaimState state_of(const WorkClaim& claim) const;
  void reap();
  [[nodiscard]] Array ended_here(Connection& connection, const Limit& limit) const;
  [[nodiscard]] bool silence_counts() const;
  void note_answer();
  [[nodiscard]] Array handed_out(std::string_view run);
  void hand_out(std::string_view run, std::vector<std::int64_t> rows);

  Shared& shared_;
  std::string here_;
  std::mutex beating_;
  std::unique_ptr<Connection> beats_;  ///< of its own: readers cannot keep it waiting

  mutable std::mutex guard_;
  std::int64_t calls_ = 0;  ///< of owners
  /// By run: to be removed by the owner's next call.
  std::map<std::string, std::vector<std::int64_t>, std::less<>> handed_out_;
  Clock::time_point answered_{};  ///< when the server was last seen to answer an owner
  Clock::time_point grace_until_{};
  Clock::time_point reaped_{};
};

}  // namespace resumable::postgres
