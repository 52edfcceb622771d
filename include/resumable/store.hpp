/// @file
/// The interface of stores: where checkpoints live.
///
/// A store keeps immutable records under (run, path, generation). It knows no pipelines: tags,
/// digests, headers and paths are the library's work, and so are generation numbers. Five different
/// answers are kept apart: absent (nullopt), damaged (Found::damage), unreadable, newer and foreign
/// (Error with that code). To write a store of your own derive from CheckpointStore and Lease; a
/// variation of an existing one derives from ForwardingStore.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "resumable/export.hpp"
#include "resumable/function_ref.hpp"
#include "resumable/record.hpp"

namespace resumable::inline v0 {

/// One record to be written. `header` is one line of JSON without a line feed, at most 64 KiB.
struct Put {
  RecordId id;
  Tag tag;
  std::string_view header;
  const Payload* payload = nullptr;
};

/// Puts and erases that commit as one. Erases are of records that are no longer current: they may
/// be done late, or again after a crash.
struct Batch {
  std::span<const Put> puts;
  std::span<const RecordId> erases;
};

/// What a commit survives once it is acknowledged.
enum class Durability : std::uint8_t {
  full,  ///< kill -9 and power loss
};

/// The number of a commit of one lease, in order.
using Ticket = std::uint64_t;

/// Who may write a run.
struct Owner {
  std::string host;
  std::int64_t pid = 0;
  std::string since;  ///< UTC, 2026-11-21T20:31:07Z
  std::uint64_t fence = 0;
};

/// The one right to write a run, given up when it is destroyed or its process ends.
/// Safe to use from several threads.
class RESUMABLE_EXPORT Lease {
 public:
  virtual ~Lease();
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  /// Higher than that of every lease before; stamped into every tag that is written under it.
  [[nodiscard]] std::uint64_t fence() const noexcept { return fence_; }

  /// Commits `batch`, all or nothing. With Durability::full it survives power loss on return.
  /// @pre paths are well formed, generations >= 1, headers are one line (checked: Errc::bad_name)
  /// @throws Error{Errc::store_failed}  nothing changed
  /// @throws Error{Errc::fenced}        another owner has this run, or the record exists
  /// @throws Error{Errc::forked}        called in a child of the process that took the lease
  Ticket commit(const Batch& batch, Durability durability = Durability::full);

  /// The highest ticket up to which everything is durable.
  [[nodiscard]] Ticket durable() const noexcept { return do_durable(); }

  /// Blocks until `ticket` is durable. An error of an earlier commit is thrown here, and stays.
  void wait(Ticket ticket) { do_wait(ticket); }

  /// Replaces the run's manifest: one JSON document for people and for list, a cache that is never
  /// read to decide. Not a record; durable at some later time.
  void manifest(std::string_view json) { do_manifest(json); }

  /// Moves a damaged record out of the way, keeping its bytes, and returns where they are now.
  /// Its generation stays used.
  std::string quarantine(RecordId id);

 protected:
  explicit Lease(std::uint64_t fence) noexcept : fence_(fence) {}

 private:
  virtual Ticket do_commit(const Batch& batch, Durability durability) = 0;
  [[nodiscard]] virtual Ticket do_durable() const noexcept = 0;
  virtual void do_wait(Ticket ticket) = 0;
  virtual void do_manifest(std::string_view json) = 0;
  virtual std::string do_quarantine(RecordId id) = 0;

  std::uint64_t fence_;
};

/// Whether a lease may bring a run into being.
enum class Create : std::uint8_t {
  never,      ///< the run must exist
  if_absent,  ///< resume it, or start it
  must,       ///< the run must not exist: reserves a new id atomically
};

struct LeaseRequest {
  Create create = Create::if_absent;
  std::chrono::milliseconds wait{0};  ///< how long to wait for another owner; polled, not fair
  std::stop_token stop{};             ///< ends the waiting
};

/// What a scan visits: one record's head.
struct Found {
  RecordId id;  ///< the path is valid during the visit
  Tag tag;      ///< all zero when damaged
  std::uint64_t header_bytes = 0;
  std::uint64_t payload_bytes = 0;
  Damage damage = Damage::none;
  bool quarantined = false;  ///< set aside earlier; reported so that its number is not used
  std::error_code cause{};   ///< with unreadable
};

/// Which records a scan visits.
struct Scan {
  std::string_view prefix = "";  ///< only paths that begin with it
  bool quarantined = true;       ///< also those that were set aside
};

/// A record as it is stored; the payload streams and outlives the store's changes.
struct Stored {
  Tag tag;
  std::string header;
  std::shared_ptr<const Payload> payload;
};

/// A place where checkpoints live. Reading is safe from several threads and processes, takes no
/// lock, writes nothing, works on read-only media and beside a running owner.
class RESUMABLE_EXPORT CheckpointStore {
 public:
  virtual ~CheckpointStore();
  CheckpointStore(const CheckpointStore&) = delete;
  CheckpointStore& operator=(const CheckpointStore&) = delete;

  /// The right to write `run`.
  /// @throws Error{Errc::bad_name}      not a run id
  /// @throws Error{Errc::busy}          another process owns it, and still does after request.wait
  /// @throws Error{Errc::unknown_run}   Create::never and it does not exist
  /// @throws Error{Errc::duplicate_name}  Create::must and it exists, or a twin in case or accents
  /// does
  /// @throws Error{Errc::store_failed}, Error{Errc::newer}, Error{Errc::foreign}
  [[nodiscard]] std::unique_ptr<Lease> lease(std::string_view run,
                                             const LeaseRequest& request = {});

  /// Visits the heads of a run's records, by path in byte order and then by generation, until
  /// `visit` returns false. A run that does not exist has none. Damaged records are reported to
  /// `visit` and do not end the scan. A batch is seen whole or not at all.
  /// @throws Error{Errc::unreadable}  the run's folder or index as a whole cannot be read
  void scan(std::string_view run, const Scan& what, FunctionRef<bool(const Found&)> visit) const;

  /// The record, or nullopt when there is none.
  /// @throws Error{Errc::damaged}, Error{Errc::unreadable}, Error{Errc::newer},
  /// Error{Errc::foreign}
  [[nodiscard]] std::optional<Stored> get(std::string_view run, RecordId id) const;

  /// Visits the ids of the runs that begin with `prefix`, in byte order.
  void runs(std::string_view prefix, FunctionRef<bool(std::string_view)> visit) const;

  /// Who owns the run now; nullopt when nobody does.
  [[nodiscard]] std::optional<Owner> owner(std::string_view run) const;

  /// The manifest that was last written, or nullopt when there is none.
  [[nodiscard]] std::optional<std::string> manifest(std::string_view run) const;

  /// Where a record is, for messages: a file's path, a row's key.
  [[nodiscard]] std::string locate(std::string_view run, RecordId id) const;

  /// The store itself, for messages: `file:output`.
  [[nodiscard]] std::string url() const { return do_url(); }

  /// An optional power, or nullptr: `store.power<ArtifactFolder>()`.
  template <class Power>
  [[nodiscard]] Power* power() {
    return dynamic_cast<Power*>(do_power());
  }

 protected:
  CheckpointStore() = default;

 private:
  virtual std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) = 0;
  virtual void do_scan(std::string_view run, const Scan& what,
                       FunctionRef<bool(const Found&)> visit) const = 0;
  virtual std::optional<Stored> do_get(std::string_view run, RecordId id) const = 0;
  virtual void do_runs(std::string_view prefix,
                       FunctionRef<bool(std::string_view)> visit) const = 0;
  virtual std::optional<Owner> do_owner(std::string_view run) const = 0;
  virtual std::optional<std::string> do_manifest(std::string_view run) const = 0;
  virtual std::string do_locate(std::string_view run, RecordId id) const = 0;
  virtual std::string do_url() const = 0;
  virtual CheckpointStore* do_power() noexcept { return this; }

  friend class ForwardingStore;
};

/// A power: the store has a folder per run in which people read and edit what was exported.
class RESUMABLE_EXPORT ArtifactFolder {
 public:
  virtual ~ArtifactFolder();
  /// The run's folder. It exists once the run was leased.
  [[nodiscard]] virtual std::string artifact_folder(std::string_view run) const = 0;
};

/// A store that passes everything on; derive from it and override what varies.
class RESUMABLE_EXPORT ForwardingStore : public CheckpointStore {
 public:
  explicit ForwardingStore(CheckpointStore& next) noexcept : next_(next) {}
  ~ForwardingStore() override;

 protected:
  [[nodiscard]] CheckpointStore& next() const noexcept { return next_; }

 private:
  std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) override;
  void do_scan(std::string_view run, const Scan& what,
               FunctionRef<bool(const Found&)> visit) const override;
  std::optional<Stored> do_get(std::string_view run, RecordId id) const override;
  void do_runs(std::string_view prefix, FunctionRef<bool(std::string_view)> visit) const override;
  std::optional<Owner> do_owner(std::string_view run) const override;
  std::optional<std::string> do_manifest(std::string_view run) const override;
  std::string do_locate(std::string_view run, RecordId id) const override;
  std::string do_url() const override;
  CheckpointStore* do_power() noexcept override;

  CheckpointStore& next_;
};

/// A lease that passes everything on; derive from it to see or change what a store commits.
class RESUMABLE_EXPORT ForwardingLease : public Lease {
 public:
  explicit ForwardingLease(std::unique_ptr<Lease> next)
      : Lease(next->fence()), next_(std::move(next)) {}
  ~ForwardingLease() override;

 protected:
  [[nodiscard]] Lease& next() const noexcept { return *next_; }

 private:
  Ticket do_commit(const Batch& batch, Durability durability) override;
  [[nodiscard]] Ticket do_durable() const noexcept override;
  void do_wait(Ticket ticket) override;
  void do_manifest(std::string_view json) override;
  std::string do_quarantine(RecordId id) override;

  std::unique_ptr<Lease> next_;
};

}  // namespace resumable::inline v0
