/// @file
/// The right to write to a run, and what is written under it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "resumable/digest.hpp"
#include "resumable/export.hpp"
#include "resumable/function_ref.hpp"
#include "resumable/record.hpp"

namespace resumable {
inline namespace v0 {

/// How long a call may wait for the store. A store that waits for a network checks it while it
/// waits, at least ten times a second; a call that ends because of it throws
/// Error{Errc::cancelled}, or Errc::outcome_unknown if a commit had already been sent. resume()
/// passes one to every call: see ResumeOptions::store_timeout.
struct Wait {
  std::stop_token stop{};
  std::optional<std::chrono::steady_clock::time_point> deadline{};

  [[nodiscard]] bool is_over() const noexcept {
    return stop.stop_requested() || (deadline && std::chrono::steady_clock::now() >= *deadline);
  }
};

/// The parts of a record that contain the digest of its payload.
struct Seal {
  Tag tag;
  std::string header;
};

/// One record to be written. `header` is one line of JSON without a line feed, at most 64 KiB.
struct Put {
  RecordId id;
  Tag tag;
  std::string_view header;
  const Payload* payload = nullptr;
  /// When set, this function makes the tag and the header from the payload's digest, and the two
  /// fields above are ignored: a store that digests while it writes reads a large payload only
  /// once. The headers that it makes all have the same length, whatever the digest. It must outlive
  /// the commit. Only stores whose Lease::do_supports_seal() returns true see it.
  std::optional<FunctionRef<Seal(const Digest&)>> seal{};
};

/// Puts and erases that are committed together. Only records that are no longer current are erased,
/// which may happen late, or again after a crash.
struct Batch {
  std::span<const Put> puts;
  std::span<const RecordId> erases;
};

/// What a commit survives once commit() has returned. A store may do more than it is asked for.
enum class Durability : std::uint8_t {
  full,    ///< kill -9 and power loss; so do all commits before it
  data,    ///< kill -9; a power loss may lose the latest commits, each as a whole
  queued,  ///< nothing yet: it is written later, in order. Stores take it for `full`; the library
           ///< keeps the queue (ResumeOptions::durability)
};

[[nodiscard]] RESUMABLE_EXPORT std::string_view to_string(Durability durability) noexcept;

/// The number of a commit of one lease, in order.
using Ticket = std::uint64_t;

struct CommitOptions {
  Durability durability = Durability::full;
  Wait wait{};
};

/// The process that may write to a run.
struct Owner {
  std::string host;
  std::int64_t pid = 0;
  std::chrono::sys_seconds since{};  ///< when it took the lease; 1970 if unknown
  std::uint64_t fence = 0;
  /// When the lease ends unless it is renewed; empty if it ends with its process.
  std::optional<std::chrono::sys_seconds> until{};
};

/// Whether a lease may create a run.
enum class Create : std::uint8_t {
  never,      ///< the run must exist
  if_absent,  ///< resume it, or start it
  must,       ///< the run must not exist: reserves a new id atomically
};

struct LeaseRequest {
  Create create = Create::if_absent;
  std::chrono::milliseconds wait{0};  ///< how long to wait for another owner; polled, not fair
  std::stop_token stop{};             ///< ends the waiting
  /// How long the lease outlives the last heartbeat of its process, in a store that cannot see a
  /// process end; the store renews it. 0: the store decides. FileStore and MemoryStore ignore it.
  std::chrono::milliseconds ttl{0};
  /// The new fence is also higher than this: set it before copying in records that have such
  /// fences. If a store ignores it, the caller takes leases until the fence is high enough.
  std::uint64_t fence_above = 0;
  /// When to give up on a store that does not answer, as Wait::deadline; `wait` is included.
  std::optional<std::chrono::steady_clock::time_point> deadline{};
};

/// The exclusive right to write to a run, released when this object is destroyed or its process
/// ends. Safe to use from several threads.
class RESUMABLE_EXPORT Lease {
 public:
  virtual ~Lease();
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  /// Higher than that of every earlier lease; written into every tag under this lease.
  [[nodiscard]] std::uint64_t fence() const noexcept { return fence_; }

  /// Commits `batch`, all or nothing. With Durability::full it survives power loss on return, and
  /// so does everything that this lease has committed before.
  /// @pre paths are well formed, generations >= 1, headers are one line (checked: Errc::bad_name)
  /// @throws Error{Errc::store_failed}     nothing changed
  /// @throws Error{Errc::outcome_unknown}  it may be committed; a scan or a new lease will show
  /// @throws Error{Errc::cancelled}        options.wait was over; nothing changed
  /// @throws Error{Errc::fenced}           another owner has this run, or the record exists
  /// @throws Error{Errc::forked}           called in a child of the process that took the lease
  Ticket commit(const Batch& batch, const CommitOptions& options = {});

  /// The highest ticket up to which everything is durable.
  [[nodiscard]] Ticket durable() const noexcept { return do_durable(); }

  /// Blocks until everything up to `ticket` survives power loss. If that is impossible, this call
  /// and every later one throw the error.
  /// @throws Error{Errc::store_failed}, Error{Errc::outcome_unknown}, Error{Errc::forked}
  /// @throws Error{Errc::cancelled}  `wait` was over; a later call may succeed
  void wait(Ticket ticket, const Wait& wait = {}) { do_wait(ticket, wait); }

  /// Requested once this lease is known to be lost: another owner has taken the run over, or the
  /// lease has ended because it could not be renewed in time. resume() then stops, and what it runs
  /// is asked to stop. Never requested by a store whose leases end with their process.
  [[nodiscard]] std::stop_token lost() const noexcept { return do_lost(); }

  /// The run's stamp at the moment this lease was taken. If CheckpointStore::stamp() returned the
  /// same number before, nothing was committed in between. nullopt: the store cannot tell.
  [[nodiscard]] std::optional<std::uint64_t> stamp_when_taken() const { return do_stamp(); }

  /// Replaces the run's manifest: one JSON document for people and for lists; nothing is ever
  /// decided by it. It is not a record, and becomes durable at some later time.
  /// @throws Error{Errc::store_failed}, Error{Errc::fenced}, Error{Errc::forked};
  /// Error{Errc::cancelled}, Error{Errc::outcome_unknown}  `wait` was over
  void manifest(std::string_view json, const Wait& wait = {});

  /// Moves a damaged record out of the way, keeping its bytes, and returns where they are now. Its
  /// generation is not used again.
  /// @throws Error{Errc::bad_name}, Error{Errc::store_failed}, Error{Errc::fenced},
  /// Error{Errc::forked}; Error{Errc::cancelled}, Error{Errc::outcome_unknown}  `wait` was over
  std::string quarantine(RecordId id, const Wait& wait = {});

 protected:
  explicit Lease(std::uint64_t fence) noexcept : fence_(fence) {}

 private:
  virtual Ticket do_commit(const Batch& batch, const CommitOptions& options) = 0;
  virtual void do_manifest(std::string_view json, const Wait& wait) = 0;
  virtual std::string do_quarantine(RecordId id, const Wait& wait) = 0;
  /// The defaults are those of a store whose commits are durable when they return.
  [[nodiscard]] virtual Ticket do_durable() const noexcept { return last_; }
  virtual void do_wait(Ticket ticket, const Wait& wait);
  [[nodiscard]] virtual std::stop_token do_lost() const noexcept { return {}; }
  [[nodiscard]] virtual std::optional<std::uint64_t> do_stamp() const { return std::nullopt; }
  /// Whether do_commit() obeys Put::seal. If not, commit() reads the payload beforehand and passes
  /// finished tags and headers.
  [[nodiscard]] virtual bool do_supports_seal() const noexcept { return false; }

  std::uint64_t fence_;
  std::atomic<Ticket> last_{0};
};

}  // namespace v0
}  // namespace resumable
