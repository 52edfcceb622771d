#include "resumable/forwarding_store.hpp"

#include "resumable/error.hpp"
#include "store/fetched.hpp"

namespace resumable {
inline namespace v0 {

ForwardingStore::~ForwardingStore() = default;

std::unique_ptr<Lease> ForwardingStore::do_lease(std::string_view run,
                                                 const LeaseRequest& request) {
  return next_.do_lease(run, request);
}

void ForwardingStore::do_scan(std::string_view run, const ScanOptions& what,
                              FunctionRef<bool(const RecordHead&)> visit) const {
  next_.do_scan(run, what, visit);
}

std::optional<StoredRecord> ForwardingStore::do_get(std::string_view run, RecordId id,
                                                    const Wait& wait) const {
  Fetched found;
  do_get_many(
      run, {&id, 1},
      [&](Fetched one) {
        found = std::move(one);
        return true;
      },
      wait);
  if (found.error) throw Error(*found.error);
  return std::move(found.record);
}

void ForwardingStore::do_get_many(std::string_view run, std::span<const RecordId> ids,
                                  FunctionRef<bool(Fetched)> visit, const Wait& wait) const {
  next_.do_get_many(
      run, ids,
      [&](Fetched one) {
        if (!one.record) return visit(std::move(one));
        return visit(store::fetched(one.index, [&] {
          restore(run, ids[one.index], *one.record);
          return std::move(one.record);
        }));
      },
      wait);
}

void ForwardingStore::do_restore(std::string_view run, RecordId id, StoredRecord& record) const {
  static_cast<void>(run);
  static_cast<void>(id);
  static_cast<void>(record);
}

void ForwardingStore::restore(std::string_view run, RecordId id, StoredRecord& record) const {
  try {
    do_restore(run, id, record);
  } catch (const Error& error) {
    ErrorInfo info = error.info();
    info.run = run;
    if (info.file.empty()) info.file = next_.do_locate(run, id);
    throw Error(error.errc(), std::move(info));
  }
}

void ForwardingStore::do_runs(std::string_view prefix, FunctionRef<bool(std::string_view)> visit,
                              const Wait& wait) const {
  next_.do_runs(prefix, visit, wait);
}

std::optional<Owner> ForwardingStore::do_owner(std::string_view run, const Wait& wait) const {
  return next_.do_owner(run, wait);
}

std::optional<std::string> ForwardingStore::do_manifest(std::string_view run,
                                                        const Wait& wait) const {
  return next_.do_manifest(run, wait);
}

std::string ForwardingStore::do_locate(std::string_view run, RecordId id) const {
  return next_.do_locate(run, id);
}

std::string ForwardingStore::do_url() const { return next_.do_url(); }

std::optional<std::uint64_t> ForwardingStore::do_stamp(std::string_view run,
                                                       const Wait& wait) const {
  return next_.do_stamp(run, wait);
}

std::vector<std::string> ForwardingStore::do_warnings(const Wait& wait) const {
  return next_.do_warnings(wait);
}

RemoveResult ForwardingStore::do_remove(std::string_view run, const RemoveOptions& options) {
  return next_.do_remove(run, options);
}

Leftovers ForwardingStore::do_remove_leftovers(bool dry_run) {
  return next_.do_remove_leftovers(dry_run);
}

CheckpointStore* ForwardingStore::do_capability() noexcept { return next_.do_capability(); }

ForwardingLease::~ForwardingLease() = default;
Ticket ForwardingLease::do_commit(const Batch& batch, const CommitOptions& options) {
  return next_->commit(batch, options);
}
Ticket ForwardingLease::do_durable() const noexcept { return next_->durable(); }
void ForwardingLease::do_wait(Ticket ticket, const Wait& wait) { next_->wait(ticket, wait); }
std::stop_token ForwardingLease::do_lost() const noexcept { return next_->lost(); }
std::optional<std::uint64_t> ForwardingLease::do_stamp() const { return next_->stamp_when_taken(); }
void ForwardingLease::do_manifest(std::string_view json, const Wait& wait) {
  next_->manifest(json, wait);
}
std::string ForwardingLease::do_quarantine(RecordId id, const Wait& wait) {
  return next_->quarantine(id, wait);
}

}  // namespace v0
}  // namespace resumable
