/// @file
/// Commits that are written later, in order, by a thread of their own: Durability::queued.
///
/// The thread writes everything in the queue as one batch, with Durability::full, and what arrives
/// meanwhile waits for the next one: with a slow store the batches grow by themselves. A record
/// that a later commit of the same batch erases is not written at all. The queue is bounded; if it
/// is full, commits wait for room. After an error nothing more is written, and every caller gets
/// that error.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <thread>
#include <vector>

#include "resumable/lease.hpp"

namespace resumable::store {

/// How much may wait.
struct QueueLimits {
  std::size_t commits = 256;
  std::uint64_t bytes = std::uint64_t{16} << 20U;  ///< of headers and payloads
};

/// Safe to use from several threads.
class WriteBehind {
 public:
  /// `next` must outlive it. In a forked child, which has no thread, it is never destroyed, because
  /// its condition variable seems to have waiters there.
  [[nodiscard]] static std::shared_ptr<WriteBehind> make(Lease& next, const QueueLimits& limits);
  /// Writes what waits; an error is lost.
  ~WriteBehind();
  WriteBehind(const WriteBehind&) = delete;
  WriteBehind& operator=(const WriteBehind&) = delete;

  /// Copies the batch and returns, or waits for room. A batch that is large, or not in memory, is
  /// written at once, after everything in the queue.
  /// @throws Error{Errc::cancelled}; what an earlier commit has thrown
  Ticket push(const Batch& batch, const Wait& wait);
  /// Commits with Durability::full, after everything in the queue. @throws Error as push() and
  /// Lease::commit
  Ticket commit_now(const Batch& batch, const Wait& wait);
  /// All up to this ticket is written.
  [[nodiscard]] Ticket durable() const noexcept;
  /// @throws Error{Errc::cancelled}; what an earlier commit has thrown
  void wait(Ticket ticket, const Wait& wait);
  /// Waits until this record is written, if it still waits. @throws as wait()
  void wait_for(RecordId id, const Wait& wait);

 private:
  /// Bytes that its commit owns.
  class HeldPayload final : public Payload {
   public:
    explicit HeldPayload(std::string_view bytes) : bytes_(bytes) {}
    [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }
    std::size_t read(std::uint64_t at, std::span<char> to) const override;
    [[nodiscard]] std::optional<std::string_view> view() const override { return bytes_; }

   private:
    std::string_view bytes_;
  };
  struct Commit {
    Ticket ticket = 0;
    std::uint64_t bytes = 0;
    std::vector<Put> puts;
    std::vector<RecordId> erases;
    std::unique_ptr<char[]> held;  ///< the bytes that the puts and erases refer to
    std::vector<HeldPayload> payloads;
  };

  WriteBehind(Lease& next, const QueueLimits& limits);
  [[nodiscard]] static Commit copy_of(const Batch& batch);
  [[nodiscard]] bool has_room(std::uint64_t bytes) const;
  [[nodiscard]] bool is_over(Ticket ticket) const;
  void check_error() const;
  /// Until `ready()` or an error, which is thrown, as is the end of `wait`.
  template <class Ready>
  void await(std::unique_lock<std::mutex>& lock, const Wait& wait, Ready ready);
  void work();
  void write(const std::deque<Commit>& group);

  Lease& next_;
  QueueLimits limits_;
  std::int64_t pid_;
  mutable std::mutex guard_;
  std::condition_variable_any changed_;
  std::deque<Commit> waiting_;
  std::deque<Commit> writing_;
  std::uint64_t bytes_ = 0;  ///< of both
  Ticket last_ = 0;
  std::exception_ptr error_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace resumable::store
