#include "store/file/commit_queue.hpp"

#include <algorithm>

namespace resumable::store {
namespace {

constexpr std::uint64_t small_bytes = 64 << 10;
constexpr std::uint64_t group_bytes = 1 << 20;

std::uint64_t bytes_of(const Batch& batch) {
  std::uint64_t bytes = 0;
  for (const Put& put : batch.puts) bytes += put.header.size() + put.payload->size();
  return bytes;
}

bool replaces(const Batch& batch) {
  return std::ranges::all_of(batch.puts, [&](const Put& put) {
    return std::ranges::any_of(batch.erases,
                               [&](const RecordId& id) { return id.path == put.id.path; });
  });
}

}  // namespace

bool CommitQueue::takes(const Batch& batch) {
  const bool in_memory = std::ranges::all_of(
      batch.puts, [](const Put& put) { return put.payload->view().has_value(); });
  return in_memory && bytes_of(batch) <= small_bytes;
}

/// The oldest one, and what may be written with it. If it throws, nothing was taken.
std::vector<WaitingCommit*> CommitQueue::take() {
  std::vector<WaitingCommit*> group;
  group.reserve(waiting_.size());
  const bool replaces = waiting_.front()->replaces;
  std::uint64_t bytes = 0;
  for (auto at = waiting_.begin(); at != waiting_.end();) {
    bytes += (*at)->bytes;
    const bool fits = group.empty() || bytes <= group_bytes;
    if (!fits) break;
    if ((*at)->replaces != replaces) {
      bytes -= (*at)->bytes;
      ++at;
      continue;
    }
    group.push_back(*at);
    at = waiting_.erase(at);
  }
  return group;
}

std::size_t CommitQueue::waiting() const {
  const std::lock_guard lock{guard_};
  return waiting_.size();
}

void CommitQueue::commit(const Batch& batch, FunctionRef<void(Group)> write) {
  WaitingCommit own{.batch = batch, .bytes = bytes_of(batch), .replaces = replaces(batch)};
  std::unique_lock lock{guard_};
  waiting_.push_back(&own);
  while (!own.done) {
    if (writing_) {
      turn_.wait(lock);
      continue;
    }
    std::vector<WaitingCommit*> group;
    try {
      group = take();
    } catch (...) {
      std::erase(waiting_, &own);
      turn_.notify_all();  // another one writes for the rest
      throw;
    }
    writing_ = true;
    lock.unlock();
    std::exception_ptr error;
    try {
      write(group);
    } catch (...) {  // threads that wait for this group must learn of every error
      error = std::current_exception();
    }
    lock.lock();
    writing_ = false;
    for (WaitingCommit* one : group) {
      if (error && !one->error) one->error = error;
      one->done = true;
    }
    turn_.notify_all();
  }
  lock.unlock();
  if (own.error) std::rethrow_exception(own.error);
}

}  // namespace resumable::store
