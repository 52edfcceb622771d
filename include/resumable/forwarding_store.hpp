/// @file
/// Base classes for variations of an existing store: what they do not override is passed on.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "resumable/export.hpp"
#include "resumable/store.hpp"

namespace resumable {
inline namespace v0 {

/// A store that passes everything on to the next store; derive from it and override what differs.
/// All reading of records goes through do_get_many(), so that what was one call to this store is
/// one call to the next; to change what was read, override do_restore() alone. Capabilities are
/// those of the next store, and bypass this one.
class RESUMABLE_EXPORT ForwardingStore : public CheckpointStore {
 public:
  explicit ForwardingStore(CheckpointStore& next) noexcept : next_(next) {}
  ~ForwardingStore() override;

 protected:
  [[nodiscard]] CheckpointStore& next() const noexcept { return next_; }

 private:
  std::unique_ptr<Lease> do_lease(std::string_view run, const LeaseRequest& request) override;
  void do_scan(std::string_view run, const ScanOptions& what,
               FunctionRef<bool(const RecordHead&)> visit) const override;
  std::optional<StoredRecord> do_get(std::string_view run, RecordId id,
                                     const Wait& wait) const final;
  void do_get_many(std::string_view run, std::span<const RecordId> ids,
                   FunctionRef<bool(Fetched)> visit, const Wait& wait) const override;
  /// Called with each record that the next store has read. What it throws gets the run and the
  /// place of the record.
  /// @throws Error{Errc::damaged}, Error{Errc::unreadable}, Error{Errc::newer},
  /// Error{Errc::foreign}
  virtual void do_restore(std::string_view run, RecordId id, StoredRecord& record) const;
  void do_runs(std::string_view prefix, FunctionRef<bool(std::string_view)> visit,
               const Wait& wait) const override;
  std::optional<Owner> do_owner(std::string_view run, const Wait& wait) const override;
  std::optional<std::string> do_manifest(std::string_view run, const Wait& wait) const override;
  std::string do_locate(std::string_view run, RecordId id) const override;
  std::string do_url() const override;
  std::optional<std::uint64_t> do_stamp(std::string_view run, const Wait& wait) const override;
  std::vector<std::string> do_warnings(const Wait& wait) const override;
  RemoveResult do_remove(std::string_view run, const RemoveOptions& options) override;
  Leftovers do_remove_leftovers(bool dry_run) override;
  CheckpointStore* do_capability() noexcept override;

  void restore(std::string_view run, RecordId id, StoredRecord& record) const;

  CheckpointStore& next_;
};

/// A lease that passes everything on; derive from it to see or change what a store commits. It does
/// not support Put::seal, so large payloads are read twice.
class RESUMABLE_EXPORT ForwardingLease : public Lease {
 public:
  explicit ForwardingLease(std::unique_ptr<Lease> next)
      : Lease(next->fence()), next_(std::move(next)) {}
  ~ForwardingLease() override;

 protected:
  [[nodiscard]] Lease& next() const noexcept { return *next_; }

 private:
  Ticket do_commit(const Batch& batch, const CommitOptions& options) override;
  [[nodiscard]] Ticket do_durable() const noexcept override;
  void do_wait(Ticket ticket, const Wait& wait) override;
  [[nodiscard]] std::stop_token do_lost() const noexcept override;
  [[nodiscard]] std::optional<std::uint64_t> do_stamp() const override;
  void do_manifest(std::string_view json, const Wait& wait) override;
  std::string do_quarantine(RecordId id, const Wait& wait) override;

  std::unique_ptr<Lease> next_;
};

}  // namespace v0
}  // namespace resumable
