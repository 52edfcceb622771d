#include "store/forwarding_queue.hpp"

namespace resumable::store {

ForwardingQueue::~ForwardingQueue() = default;

void ForwardingQueue::take_over(std::string_view run, std::uint64_t fence) {
  next_.take_over(run, fence);
}

void ForwardingQueue::publish(std::string_view run, std::uint64_t fence,
                              std::span<const WorkTask> tasks) {
  next_.publish(run, fence, tasks);
}

std::vector<FinishedWork> ForwardingQueue::collect(std::string_view run, std::uint64_t fence) {
  return next_.collect(run, fence);
}

std::vector<WorkItem> ForwardingQueue::withdraw(std::string_view run, std::uint64_t fence,
                                                bool stop) {
  return next_.withdraw(run, fence, stop);
}

void ForwardingQueue::end(std::string_view run, std::uint64_t fence) { next_.end(run, fence); }

std::uint64_t ForwardingQueue::join(const WorkerInfo& worker, std::chrono::milliseconds ttl) {
  return next_.join(worker, ttl);
}

Claimed ForwardingQueue::claim(std::uint64_t worker, std::string_view pipeline,
                               std::string_view program, std::string_view run, std::size_t most) {
  return next_.claim(worker, pipeline, program, run, most);
}

WorkBeat ForwardingQueue::beat(std::uint64_t worker, std::chrono::milliseconds ttl,
                               std::span<const std::uint64_t> held) {
  return next_.beat(worker, ttl, held);
}

ClaimState ForwardingQueue::commit(const WorkClaim& claim, const Batch& batch,
                                   const CommitOptions& options) {
  return next_.commit(claim, batch, options);
}

ClaimState ForwardingQueue::finish(const WorkClaim& claim, std::string_view result) {
  return next_.finish(claim, result);
}

void ForwardingQueue::give_back(const WorkClaim& claim) { next_.give_back(claim); }

void ForwardingQueue::leave(std::uint64_t worker) { next_.leave(worker); }

std::vector<WorkerInfo> ForwardingQueue::workers() const { return next_.workers(); }

std::vector<WorkItem> ForwardingQueue::work(std::string_view run) const { return next_.work(run); }

}  // namespace resumable::store
