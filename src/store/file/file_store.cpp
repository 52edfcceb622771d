#include "resumable/file_store.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

#include "core/run_id.hpp"
#include "store/check.hpp"
#include "store/fetched.hpp"
#include "store/file/backend.hpp"
#include "store/file/batch_index.hpp"
#include "store/file/content_cache.hpp"
#include "store/file/file_lease.hpp"
#include "store/file/folder_cursor.hpp"
#include "store/file/record_file.hpp"
#include "store/file/run_scan.hpp"
#include "store/file/runs.hpp"
#include "store/names.hpp"

namespace resumable {
inline namespace v0 {
namespace {

using namespace store;

/// By folder, so that an open folder serves all of its records.
std::vector<std::size_t> by_folder(std::span<const RecordId> ids) {
  std::vector<std::pair<Place, std::size_t>> places;
  places.reserve(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) places.emplace_back(place_of(ids[i]), i);
  std::ranges::sort(places, {},
                    [](const auto& one) { return std::tie(one.first.folder, one.first.name); });
  std::vector<std::size_t> order;
  order.reserve(ids.size());
  for (const auto& [place, index] : places) order.push_back(index);
  return order;
}

}  // namespace

struct FileStore::State {
  State(const std::filesystem::path& folder, const FileStoreOptions& options)
      : backend(std::make_shared<Backend>(folder, options)), cache(backend) {}

  std::shared_ptr<BatchIndex> batches_of(const std::string& name) {
    const std::lock_guard lock(guard);
    auto& batches = indexes[name];
    if (!batches) batches = std::make_shared<BatchIndex>();
    return batches;
  }

  /// Where records are looked for, one after the other.
  struct Cursors {
    FolderCursor single;
    FolderCursor batch;
    Cursors(const Backend& backend, const sys::File& own)
        : single(backend, own), batch(backend, own) {}
  };

  std::optional<StoredRecord> get(const RunSite& site, RecordId id, const OpenRun& run,
                                  Cursors& cursors) {
    if (batch_of_nameless(id.path)) throw site.bad(id, site.record(id), Damage::torn, {});
    const bool batched = batches_of(site.name)->find(id).has_value();
    if (!batched) {
      if (auto stored = get_single(site, id, cursors.single)) return stored;
    }
    if (auto stored = get_batched(site, id, run.own, cursors.batch)) return stored;
    return batched ? get_single(site, id, cursors.single) : std::nullopt;
  }

  /// A record that has a file to itself.
  std::optional<StoredRecord> get_single(const RunSite& site, RecordId id,
                                         FolderCursor& cursor) const {
    const Place place = place_of(id);
    const std::string where = site.record(id);
    sys::File file;
    Front front;
    auto error = cursor.enter(names::checkpoints, place.folder);
    if (!error)
      error =
          read_front(backend->files(), cursor.folder(), place.name, FileOf::record, file, front);
    if (is_absent(error)) return {};
    if (error) throw site.unreadable("open", where, error);
    const Front::Record record = only_record(front, id);
    if (record.damage != Damage::none) throw site.bad(id, where, record.damage, front.cause);
    return read_stored(backend, site, where, std::move(file), record.frame, front.head);
  }

  /// A record of a batch. If its file is not the one that was read, the index is out of date.
  std::optional<StoredRecord> get_batched(const RunSite& site, RecordId id, const sys::File& own,
                                          FolderCursor& cursor) {
    const auto batches = batches_of(site.name);
    for (int look = 0; look < 2; ++look) {
      auto spot = batches->find(id);
      if (!spot) {
        refresh(site, own, *batches);
        spot = batches->find(id);
      }
      if (!spot) return {};
      if (auto stored = read_batched(site, id, *spot, cursor)) return stored;
      batches->drop(spot->file->name);
    }
    return {};
  }

  std::optional<StoredRecord> read_batched(const RunSite& site, RecordId id,
                                           const BatchIndex::Spot& spot,
                                           FolderCursor& cursor) const {
    const std::string where =
        site.own(names::checkpoints + '/' + names::batch + '/' + spot.file->name);
    sys::File file;
    sys::Stat stat;
    auto error = cursor.enter(names::checkpoints, names::batch);
    if (!error) {
      error = backend->files().open(cursor.folder(), spot.file->name, sys::Open::read, file);
    }
    if (!error) error = backend->files().stat(file, stat);
    if (is_absent(error)) return {};
    if (error) throw site.unreadable("open", where, error);
    const sys::Stat& known = spot.file->front.stat;
    if (!stat.same_file(known) || stat.size != known.size || stat.modified != known.modified) {
      return {};
    }
    const Front::Record& record = spot.record();
    if (record.damage != Damage::none) throw site.bad(id, where, record.damage, {});
    return read_stored(backend, site, where, std::move(file), record.frame);
  }

  void refresh(const RunSite& site, const sys::File& own, BatchIndex& batches) const {
    sys::File checkpoints;
    auto error = backend->files().open(own, names::checkpoints, sys::Open::folder, checkpoints);
    if (!error) error = batches.refresh(backend->files(), checkpoints);
    if (error && !is_absent(error)) {
      throw site.unreadable("read", site.own(names::checkpoints + '/' + names::batch), error);
    }
  }

  std::shared_ptr<Backend> backend;
  std::mutex guard;
  std::map<std::string, std::shared_ptr<BatchIndex>> indexes;
  FileContentCache cache;
};

FileStore::FileStore(const std::filesystem::path& folder, const FileStoreOptions& options)
    : state_(std::make_shared<State>(folder, options)) {}

FileStore::~FileStore() = default;

std::string FileStore::artifact_folder(std::string_view run) const {
  return state_->backend->path() + '/' + core::encode_run(run);
}

std::unique_ptr<Lease> FileStore::do_lease(std::string_view run, const LeaseRequest& request) {
  const RunSite site = state_->backend->site(run);
  return take_lease(state_->backend, site, request, state_->batches_of(site.name));
}

void FileStore::do_scan(std::string_view run, const ScanOptions& what,
                        FunctionRef<bool(const RecordHead&)> visit) const {
  const RunSite site = state_->backend->site(run);
  const auto run_folder = state_->backend->open_run(site);
  if (!run_folder) return;
  const auto batches = state_->batches_of(site.name);
  for (const Head& head : scan_run(*state_->backend, site, run_folder->own, what, batches.get())) {
    const RecordHead found{.id = {head.path, head.generation},
                           .tag = head.tag,
                           .header_bytes = head.header_bytes,
                           .payload_bytes = head.payload_bytes,
                           .damage = head.damage,
                           .quarantined = head.quarantined,
                           .cause = head.cause,
                           .header = head.header};
    if (!visit(found)) return;
  }
}

std::optional<StoredRecord> FileStore::do_get(std::string_view run, RecordId id,
                                              const Wait& /*a disk answers*/) const {
  const RunSite site = state_->backend->site(run);
  const auto folder = state_->backend->open_run(site);
  if (!folder) return {};
  State::Cursors cursors(*state_->backend, folder->own);
  return state_->get(site, id, *folder, cursors);
}

void FileStore::do_get_many(std::string_view run, std::span<const RecordId> ids,
                            FunctionRef<bool(Fetched)> visit, const Wait& wait) const {
  const RunSite site = state_->backend->site(run);
  const auto folder = state_->backend->open_run(site);
  std::optional<State::Cursors> cursors;
  if (folder) cursors.emplace(*state_->backend, folder->own);
  for (const std::size_t index : by_folder(ids)) {
    check_wait(wait);
    const auto get = [&]() -> std::optional<StoredRecord> {
      if (!cursors) return {};
      return state_->get(site, ids[index], *folder, *cursors);
    };
    if (!visit(fetched(index, get))) return;
  }
}

std::optional<StoredRecord> FileStore::do_find(std::string_view path,
                                               const Wait& /*a disk answers*/) const {
  return state_->cache.find(path);
}

bool FileStore::do_put_if_absent(const Put& put, const Wait& /*a disk answers*/) {
  return state_->cache.put(put, false);
}

void FileStore::do_replace(const Put& put, const Wait& /*a disk answers*/) {
  static_cast<void>(state_->cache.put(put, true));
}

std::optional<std::uint64_t> FileStore::do_stamp(std::string_view run,
                                                 const Wait& /*a disk answers*/) const {
  return stamp_of(*state_->backend, run);
}

std::vector<std::string> FileStore::do_warnings(const Wait& /*a disk answers*/) const {
  return state_->backend->warnings();
}

RemoveResult FileStore::do_remove(std::string_view run, const RemoveOptions& options) {
  return remove_run(*state_->backend, *this, run, options);
}

void FileStore::do_runs(std::string_view prefix, FunctionRef<bool(std::string_view)> visit,
                        const Wait& /*a disk answers*/) const {
  visit_runs(*state_->backend, prefix, visit);
}

std::optional<Owner> FileStore::do_owner(std::string_view run,
                                         const Wait& /*a disk answers*/) const {
  return owner_of(*state_->backend, run);
}

std::optional<std::string> FileStore::do_manifest(std::string_view run,
                                                  const Wait& /*a disk answers*/) const {
  return read_manifest(*state_->backend, run);
}

std::string FileStore::do_locate(std::string_view run, RecordId id) const {
  const RunSite site = state_->backend->site(run);
  const std::string folder = names::checkpoints + '/' + names::batch + '/';
  if (const auto batch = batch_of_nameless(id.path)) return site.own(folder + *batch);
  if (const auto spot = state_->batches_of(site.name)->find(id)) {
    return site.own(folder + spot->file->name);
  }
  return site.record(id);
}

std::string FileStore::do_url() const { return "file:" + state_->backend->in_url(); }

}  // namespace v0
}  // namespace resumable
