/// @file
/// A capability of stores: several processes share the items of one run.
///
/// The owner of a run, which holds its lease, publishes tasks and collects what came of them. Any
/// process with the same program may join as a worker and claim tasks. A claim has a token that is
/// never used again; whoever commits under a claim shows the token, and the store refuses it once
/// the claim was given away, or another process has taken the run's lease. A worker shows with a
/// beat that it lives: what a worker claimed that has missed its beats becomes ready again.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "resumable/export.hpp"
#include "resumable/lease.hpp"

namespace resumable {
inline namespace v0 {

/// One item that any worker may compute. The store understands nothing of it.
struct WorkTask {
  std::string stage;
  std::string item;
  std::string pipeline;
  std::string program;   ///< which workers can compute it: they show the same
  std::string identity;  ///< of what it is computed from: a claim of the same task stays valid
  std::string task;      ///< for the worker
};

/// A process that computes tasks.
struct WorkerInfo {
  std::uint64_t id = 0;  ///< given by join(), never used again
  std::string host;
  std::int64_t pid = 0;
  unsigned slots = 1;  ///< how many tasks it computes at a time
  std::chrono::sys_seconds since{};
};

/// The right to compute a task, and to commit what belongs to it.
struct WorkClaim {
  std::string run;
  std::uint64_t fence = 0;  ///< of the lease under which the task was published
  std::uint64_t token = 0;
  WorkTask task;
};

/// What claim() found.
struct Claimed {
  std::vector<WorkClaim> claims;
  std::size_t of_others = 0;  ///< ready for another program, counted if there is no claim
};

enum class ClaimState : std::uint8_t {
  held,
  lost,         ///< the task was given to another worker, withdrawn, or published again
  other_owner,  ///< the run has another owner, which has not taken the tasks over, so far
};

/// What happened to the claims of a worker.
struct WorkBeat {
  bool known = true;                   ///< false: it missed its beats, and has to join again
  std::vector<std::uint64_t> stopped;  ///< tokens of claims whose owner wants them to stop
  std::vector<std::uint64_t> lost;     ///< tokens of its claims that are not its own any more
};

/// A task that is through.
struct FinishedWork {
  std::string stage;
  std::string item;
  WorkerInfo by;
  std::string result;  ///< as it was passed to finish()
  std::string lost;    ///< else how its workers were lost, one after the other
};

/// A task that is not through, for people.
struct WorkItem {
  std::string stage;
  std::string item;
  std::uint64_t worker = 0;  ///< 0: nobody has claimed it
  std::chrono::sys_seconds since{};
  unsigned losses = 0;  ///< how often its worker was lost
};

/// Safe to use from several threads and processes. Every call may throw Error{Errc::store_failed},
/// and the owner's calls Error{Errc::fenced} if the run has another owner.
class RESUMABLE_EXPORT WorkQueue {
 public:
  /// A task whose worker was lost this often is not given to another one.
  static constexpr unsigned most_losses = 3;

  virtual ~WorkQueue();

  // ---- the owner of a run: `fence` is its lease's

  /// Directly after the lease was taken, before records are read: tasks that are open go on under
  /// the new fence; what is through is forgotten.
  virtual void take_over(std::string_view run, std::uint64_t fence) = 0;
  /// Adds tasks. If the task of a stage and item is there already, it stays, with its claim, if it
  /// has the same identity and program; otherwise it is replaced, and its claim is lost.
  virtual void publish(std::string_view run, std::uint64_t fence,
                       std::span<const WorkTask> tasks) = 0;
  /// Makes the tasks of workers that have missed their beats ready again, then removes and returns
  /// the tasks that are through.
  [[nodiscard]] virtual std::vector<FinishedWork> collect(std::string_view run,
                                                          std::uint64_t fence) = 0;
  /// Removes the tasks that nobody has claimed, and returns them; with `stop`, workers are asked to
  /// stop the others.
  virtual std::vector<WorkItem> withdraw(std::string_view run, std::uint64_t fence, bool stop) = 0;
  /// Removes all tasks of the run.
  virtual void end(std::string_view run, std::uint64_t fence) = 0;

  // ---- a worker

  /// Adds a worker and returns its id. It lives until `ttl` after its last beat, 100 years at most.
  [[nodiscard]] virtual std::uint64_t join(const WorkerInfo& worker,
                                           std::chrono::milliseconds ttl) = 0;
  /// Up to `most` tasks that are ready, in the order in which they were published, of the run, or
  /// of all runs if that is empty. None if the worker is not known.
  [[nodiscard]] virtual Claimed claim(std::uint64_t worker, std::string_view pipeline,
                                      std::string_view program, std::string_view run,
                                      std::size_t most) = 0;
  /// `held`: the tokens of the worker's claims.
  virtual WorkBeat beat(std::uint64_t worker, std::chrono::milliseconds ttl,
                        std::span<const std::uint64_t> held) = 0;
  /// Commits a batch of the claim's run, all or nothing, unless the claim is not held: then nothing
  /// changes. @throws Error as Lease::commit()
  virtual ClaimState commit(const WorkClaim& claim, const Batch& batch,
                            const CommitOptions& options) = 0;
  /// The task is through. It need not be durable: a task without a result is claimed again.
  virtual ClaimState finish(const WorkClaim& claim, std::string_view result) = 0;
  /// The task is ready for another worker at once. This is no loss.
  virtual void give_back(const WorkClaim& claim) = 0;
  /// The worker is gone; what it has claimed is ready.
  virtual void leave(std::uint64_t worker) = 0;

  // ---- anybody

  /// Those that have not missed their beats, by id.
  [[nodiscard]] virtual std::vector<WorkerInfo> workers() const = 0;
  /// The tasks of the run's last owner that are not through, in the order in which they were
  /// published.
  [[nodiscard]] virtual std::vector<WorkItem> work(std::string_view run) const = 0;
};

}  // namespace v0
}  // namespace resumable
