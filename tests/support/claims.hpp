/// @file
/// What a worker holds of a run that it shares.
#pragma once

#include <chrono>
#include <string>

#include "resumable/store.hpp"
#include "resumable/work_queue.hpp"

namespace resumable::test {

/// The claim of a new worker to an item of `run`, which `lease` owns. @pre a WorkQueue
inline WorkClaim claim_of_item(CheckpointStore& store, const std::string& run, const Lease& lease) {
  auto* queue = store.capability<WorkQueue>();
  const WorkTask task{
      .stage = "draft", .item = "a", .pipeline = "p", .program = "p", .identity = "1", .task = "t"};
  queue->publish(run, lease.fence(), {&task, 1});
  const auto worker = queue->join({.host = "h", .pid = 7, .slots = 1}, std::chrono::minutes{1});
  return queue->claim(worker, "p", "p", run, 1).claims.at(0);
}

/// Commits one record under a claim.
inline ClaimState commit_claimed(CheckpointStore& store, const WorkClaim& claim, const Put& put) {
  return store.capability<WorkQueue>()->commit(claim, {.puts = {&put, 1}, .erases = {}}, {});
}

}  // namespace resumable::test
