#include "resumable/store.hpp"

#include <functional>
#include <utility>

#include <fmt/format.h>

#include "resumable/error.hpp"
#include "store/check.hpp"
#include "store/fetched.hpp"
#include "store/ranges.hpp"

namespace resumable {
inline namespace v0 {

CheckpointStore::~CheckpointStore() = default;

std::unique_ptr<Lease> CheckpointStore::lease(std::string_view run, const LeaseRequest& request) {
  store::check_run(run);
  return do_lease(run, request);
}

namespace {

/// The head as it is once its header was read by get(): nullopt when the record is gone.
std::optional<RecordHead> with_header(RecordHead head,
                                      const std::function<std::optional<StoredRecord>()>& get,
                                      std::string& header) {
  try {
    auto record = get();
    if (!record) return std::nullopt;
    header = std::move(record->header);
    head.header = header;
    return head;
  } catch (const Error& error) {
    switch (error.errc()) {
      case Errc::damaged: head.damage = Damage::torn; break;
      case Errc::newer: head.damage = Damage::newer; break;
      case Errc::foreign: head.damage = Damage::foreign; break;
      case Errc::unreadable:
        head.damage = Damage::unreadable;
        head.cause = error.info().cause;
        break;
      default: throw;
    }
  }
  head.tag = {};
  head.header_bytes = head.payload_bytes = 0;
  return head;
}

}  // namespace

void CheckpointStore::scan(std::string_view run, const ScanOptions& what,
                           FunctionRef<bool(const RecordHead&)> visit) const {
  store::check_run(run);
  store::check_wait(what.wait);
  std::string header;
  do_scan(run, what, [&](const RecordHead& head) {
    store::check_wait({.stop = what.wait.stop});  // it has answered in time
    if (!what.places.empty() && !store::is_wanted(what, head.id.path)) return true;
    const bool whole = head.damage == Damage::none && !head.quarantined;
    if (!what.headers || head.header || !whole) return visit(head);
    const auto get = [&] { return do_get(run, head.id, what.wait); };
    const auto full = with_header(head, get, header);
    return !full || visit(*full);
  });
}

std::optional<StoredRecord> CheckpointStore::get(std::string_view run, RecordId id,
                                                 const Wait& wait) const {
  store::check_run(run);
  store::check_found(id);
  store::check_wait(wait);
  return do_get(run, id, wait);
}

void CheckpointStore::get_many(std::string_view run, std::span<const RecordId> ids,
                               FunctionRef<bool(Fetched)> visit, const Wait& wait) const {
  store::check_run(run);
  for (const RecordId id : ids) store::check_found(id);
  store::check_wait(wait);
  do_get_many(run, ids, visit, wait);
}

void CheckpointStore::do_get_many(std::string_view run, std::span<const RecordId> ids,
                                  FunctionRef<bool(Fetched)> visit, const Wait& wait) const {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    store::check_wait(wait);
    if (!visit(store::fetched(i, [&] { return do_get(run, ids[i], wait); }))) return;
  }
}

std::optional<std::uint64_t> CheckpointStore::stamp(std::string_view run, const Wait& wait) const {
  store::check_run(run);
  store::check_wait(wait);
  return do_stamp(run, wait);
}

std::optional<std::uint64_t> CheckpointStore::do_stamp(std::string_view run,
                                                       const Wait& wait) const {
  static_cast<void>(run);
  static_cast<void>(wait);
  return std::nullopt;
}

std::vector<std::string> CheckpointStore::do_warnings(const Wait& wait) const {
  static_cast<void>(wait);
  return {};
}

RemoveResult CheckpointStore::remove(std::string_view run, const RemoveOptions& options) {
  store::check_run(run);
  return do_remove(run, options);
}

RemoveResult CheckpointStore::do_remove(std::string_view run, const RemoveOptions& options) {
  static_cast<void>(options);
  throw Error(Errc::bad_option, {.what = fmt::format("the store {} cannot remove runs", url()),
                                 .run = std::string{run},
                                 .kept = "nothing was changed",
                                 .next = "use a store that overrides CheckpointStore::do_remove"});
}

Leftovers CheckpointStore::do_remove_leftovers(bool dry_run) {
  static_cast<void>(dry_run);
  return {};
}

void CheckpointStore::runs(std::string_view prefix, FunctionRef<bool(std::string_view)> visit,
                           const Wait& wait) const {
  store::check_wait(wait);
  // Ids that begin with '@' are the library's own, not runs of a program.
  do_runs(
      prefix, [&](std::string_view run) { return run.starts_with('@') || visit(run); }, wait);
}

std::optional<Owner> CheckpointStore::owner(std::string_view run, const Wait& wait) const {
  store::check_run(run);
  store::check_wait(wait);
  return do_owner(run, wait);
}

std::optional<std::string> CheckpointStore::manifest(std::string_view run, const Wait& wait) const {
  store::check_run(run);
  store::check_wait(wait);
  return do_manifest(run, wait);
}

std::string CheckpointStore::locate(std::string_view run, RecordId id) const {
  store::check_run(run);
  store::check_found(id);
  return do_locate(run, id);
}

ArtifactFolder::~ArtifactFolder() = default;
RecordCounter::~RecordCounter() = default;
ContentCache::~ContentCache() = default;

RecordTotals RecordCounter::sums(std::string_view run, std::string_view prefix,
                                 const Wait& wait) const {
  store::check_run(run);
  store::check_wait(wait);
  return do_sums(run, prefix, wait);
}

std::optional<StoredRecord> ContentCache::find(std::string_view path, const Wait& wait) const {
  store::check_record({path, 1});
  store::check_wait(wait);
  return do_find(path, wait);
}

bool ContentCache::put_if_absent(const Put& put, const Wait& wait) {
  store::check_put(put);
  store::check_wait(wait);
  return do_put_if_absent(put, wait);
}

void ContentCache::replace(const Put& put, const Wait& wait) {
  store::check_put(put);
  store::check_wait(wait);
  do_replace(put, wait);
}

RecordTotals record_totals(const CheckpointStore& store, std::string_view run,
                           std::string_view prefix) {
  if (const auto* summary = store.capability<RecordCounter>()) return summary->sums(run, prefix);
  RecordTotals sums;
  store.scan(run, {.prefix = prefix, .quarantined = false}, [&](const RecordHead& head) {
    ++sums.records;
    sums.header_bytes += head.header_bytes;
    sums.payload_bytes += head.payload_bytes;
    return true;
  });
  return sums;
}

}  // namespace v0
}  // namespace resumable
