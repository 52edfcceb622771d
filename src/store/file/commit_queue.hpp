/// @file
/// Commits of several threads, written together.
///
/// One thread writes at a time. The commits that arrive meanwhile wait; the next writer writes all
/// of them with one pair of syncs. A thread that finds no other writing does not wait for others,
/// so a single writer is as fast as without the queue. LevelDB's writer queue and other group
/// commits work the same way.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <span>
#include <vector>

#include "resumable/function_ref.hpp"
#include "resumable/lease.hpp"

namespace resumable::store {

/// A commit whose caller is blocked until it is written.
struct WaitingCommit {
  const Batch& batch;
  std::uint64_t bytes = 0;  ///< of its headers and payloads
  /// Whether each of its puts replaces an older generation. Such commits are not written with
  /// others: their file is removed once all of its records are replaced, which would otherwise
  /// never happen.
  bool replaces = false;
  std::exception_ptr error{};
  bool done = false;
};

class CommitQueue {
 public:
  using Group = std::span<WaitingCommit* const>;

  /// Whether it is small enough to be written with others: a large one is worth its own syncs, and
  /// would hold them up.
  [[nodiscard]] static bool takes(const Batch& batch);

  /// Blocks until `write` was called for a group with this commit, in this thread or in another.
  /// `write` does not throw: it stores in each commit the error for its caller.
  /// @throws what `write` has left in WaitingCommit::error
  void commit(const Batch& batch, FunctionRef<void(Group)> write);

  /// How many wait for their turn.
  [[nodiscard]] std::size_t waiting() const;

 private:
  [[nodiscard]] std::vector<WaitingCommit*> take();

  mutable std::mutex guard_;
  std::condition_variable turn_;
  std::deque<WaitingCommit*> waiting_;
  bool writing_ = false;
};

}  // namespace resumable::store
