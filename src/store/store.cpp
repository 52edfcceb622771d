#include "resumable/store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "core/run_id.hpp"
#include "core/text.hpp"
#include "resumable/error.hpp"
#include "store/names.hpp"

namespace resumable::inline v0 {
namespace {

constexpr std::size_t max_header_bytes = std::size_t{64} << 10U;

[[noreturn]] void refuse(Errc code, std::string what) {
  throw Error(code, {.what = std::move(what),
                     .kept = "nothing was changed",
                     .next = "this is a mistake in the program that uses the store"});
}

void check(RecordId id) {
  if (id.generation > 0 && store::is_record_path(id.path)) return;
  refuse(Errc::bad_name, fmt::format("'{}', generation {}, cannot name a record",
                                     core::printable(id.path), id.generation));
}

/// Also what a scan calls a damaged record of a batch.
void check_found(RecordId id) {
  if (!store::batch_of_nameless(id.path)) check(id);
}

void check(const Put& put) {
  check(put.id);
  if (put.header.find('\n') != std::string_view::npos || put.payload == nullptr) {
    refuse(Errc::bad_name,
           fmt::format("the header of '{}' is not one line, or it has no payload", put.id.path));
  }
  if (put.header.size() > max_header_bytes) {
    refuse(Errc::too_large, fmt::format("the header of '{}' has {} bytes, {} are allowed",
                                        put.id.path, put.header.size(), max_header_bytes));
  }
}

void check(const Batch& batch) {
  std::set<std::pair<std::string_view, std::uint64_t>> ids;
  for (const Put& put : batch.puts) {
    check(put);
    if (batch.puts.size() > 1 && !ids.emplace(put.id.path, put.id.generation).second) {
      refuse(Errc::bad_name, fmt::format("a batch has '{}' twice", put.id.path));
    }
  }
  for (const RecordId id : batch.erases) check(id);
}

/// Every store refuses the same ids.
void check_run(std::string_view run) { static_cast<void>(core::encode_run(run)); }

}  // namespace

Lease::~Lease() = default;

Ticket Lease::commit(const Batch& batch, Durability durability) {
  check(batch);
  return do_commit(batch, durability);
}

std::string Lease::quarantine(RecordId id) {
  check_found(id);
  return do_quarantine(id);
}

CheckpointStore::~CheckpointStore() = default;

std::unique_ptr<Lease> CheckpointStore::lease(std::string_view run, const LeaseRequest& request) {
  check_run(run);
  return do_lease(run, request);
}

void CheckpointStore::scan(std::string_view run, const Scan& what,
                           FunctionRef<bool(const Found&)> visit) const {
  check_run(run);
  do_scan(run, what, visit);
}

std::optional<Stored> CheckpointStore::get(std::string_view run, RecordId id) const {
  check_run(run);
  check_found(id);
  return do_get(run, id);
}

void CheckpointStore::runs(std::string_view prefix,
                           FunctionRef<bool(std::string_view)> visit) const {
  // Those that begin with '@' are the library's own, not anybody's runs.
  do_runs(prefix, [&](std::string_view run) { return run.starts_with('@') || visit(run); });
}

std::optional<Owner> CheckpointStore::owner(std::string_view run) const {
  check_run(run);
  return do_owner(run);
}

std::optional<std::string> CheckpointStore::manifest(std::string_view run) const {
  check_run(run);
  return do_manifest(run);
}

std::string CheckpointStore::locate(std::string_view run, RecordId id) const {
  check_run(run);
  check_found(id);
  return do_locate(run, id);
}

ArtifactFolder::~ArtifactFolder() = default;

ForwardingStore::~ForwardingStore() = default;

std::unique_ptr<Lease> ForwardingStore::do_lease(std::string_view run,
                                                 const LeaseRequest& request) {
  return next_.do_lease(run, request);
}

void ForwardingStore::do_scan(std::string_view run, const Scan& what,
                              FunctionRef<bool(const Found&)> visit) const {
  next_.do_scan(run, what, visit);
}

std::optional<Stored> ForwardingStore::do_get(std::string_view run, RecordId id) const {
  return next_.do_get(run, id);
}

void ForwardingStore::do_runs(std::string_view prefix,
                              FunctionRef<bool(std::string_view)> visit) const {
  next_.do_runs(prefix, visit);
}

std::optional<Owner> ForwardingStore::do_owner(std::string_view run) const {
  return next_.do_owner(run);
}

std::optional<std::string> ForwardingStore::do_manifest(std::string_view run) const {
  return next_.do_manifest(run);
}

std::string ForwardingStore::do_locate(std::string_view run, RecordId id) const {
  return next_.do_locate(run, id);
}

std::string ForwardingStore::do_url() const { return next_.do_url(); }

CheckpointStore* ForwardingStore::do_power() noexcept { return next_.do_power(); }

ForwardingLease::~ForwardingLease() = default;
Ticket ForwardingLease::do_commit(const Batch& batch, Durability durability) {
  return next_->commit(batch, durability);
}
Ticket ForwardingLease::do_durable() const noexcept { return next_->durable(); }
void ForwardingLease::do_wait(Ticket ticket) { next_->wait(ticket); }
void ForwardingLease::do_manifest(std::string_view json) { next_->manifest(json); }
std::string ForwardingLease::do_quarantine(RecordId id) { return next_->quarantine(id); }

}  // namespace resumable::inline v0
