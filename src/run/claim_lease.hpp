/// @file
/// The right to commit what belongs to one claimed item.
#pragma once

#include <atomic>
#include <chrono>

#include "resumable/error.hpp"
#include "resumable/lease.hpp"
#include "resumable/work_queue.hpp"
#include "sys/clock.hpp"

namespace resumable::run {

/// Commits under a claim. Records have the fence under which the task was published: to the request
/// of a later owner they are as old as that. While the run has a new owner that has not taken the
/// tasks over, a commit waits for it, `patience` at most. Safe to use from several threads.
class ClaimLease final : public Lease {
 public:
  /// All must outlive it.
  ClaimLease(WorkQueue& queue, const WorkClaim& claim, sys::Clock& clock,
             std::chrono::milliseconds patience)
      : Lease(claim.fence), queue_(queue), claim_(claim), clock_(clock), patience_(patience) {}

  /// Whether a commit was refused: the item is somebody else's now.
  [[nodiscard]] bool is_lost() const noexcept { return lost_; }
  /// The task is through. false: the claim is lost.
  bool finish(std::string_view result);

 private:
  Ticket do_commit(const Batch& batch, const CommitOptions& options) override;
  void do_manifest(std::string_view json, const Wait& wait) override;
  std::string do_quarantine(RecordId id, const Wait& wait) override;
  void do_wait(Ticket ticket, const Wait& wait) override;

  template <class Call>
  [[nodiscard]] bool held(Call call);
  [[nodiscard]] Error refusal() const;

  WorkQueue& queue_;
  const WorkClaim& claim_;
  sys::Clock& clock_;
  std::chrono::milliseconds patience_;
  std::atomic<bool> lost_{false};
  std::atomic<Ticket> tickets_{0};
};

}  // namespace resumable::run
