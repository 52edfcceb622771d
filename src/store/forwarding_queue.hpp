/// @file
/// A work queue that passes everything on to another one.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "resumable/export.hpp"
#include "resumable/work_queue.hpp"

namespace resumable::store {

/// Of a store in front of another one: derive from it and override commit(), so that what workers
/// commit is changed as what the owner commits.
class RESUMABLE_EXPORT ForwardingQueue : public WorkQueue {
 public:
  explicit ForwardingQueue(WorkQueue& next) noexcept : next_(next) {}
  ~ForwardingQueue() override;

  void take_over(std::string_view run, std::uint64_t fence) override;
  void publish(std::string_view run, std::uint64_t fence, std::span<const WorkTask> tasks) override;
  [[nodiscard]] std::vector<FinishedWork> collect(std::string_view run,
                                                  std::uint64_t fence) override;
  std::vector<WorkItem> withdraw(std::string_view run, std::uint64_t fence, bool stop) override;
  void end(std::string_view run, std::uint64_t fence) override;
  [[nodiscard]] std::uint64_t join(const WorkerInfo& worker,
                                   std::chrono::milliseconds ttl) override;
  [[nodiscard]] Claimed claim(std::uint64_t worker, std::string_view pipeline,
                              std::string_view program, std::string_view run,
                              std::size_t most) override;
  WorkBeat beat(std::uint64_t worker, std::chrono::milliseconds ttl,
                std::span<const std::uint64_t> held) override;
  ClaimState commit(const WorkClaim& claim, const Batch& batch,
                    const CommitOptions& options) override;
  ClaimState finish(const WorkClaim& claim, std::string_view result) override;
  void give_back(const WorkClaim& claim) override;
  void leave(std::uint64_t worker) override;
  [[nodiscard]] std::vector<WorkerInfo> workers() const override;
  [[nodiscard]] std::vector<WorkItem> work(std::string_view run) const override;

 protected:
  [[nodiscard]] WorkQueue& next() const noexcept { return next_; }

 private:
  WorkQueue& next_;
};

}  // namespace resumable::store
