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
#include "store/file/removal.hpp"
#include "store/file/run_folder.hpp"
#include "store/file/run_scan.hpp"
#include "store/file/waiting.hpp"
#include "store/known_artifacts.hpp"
#include "store/names.hpp"

namespace resumable {
inline namespace v0 {
namespace {

using namespace store;

constexpr std::uint64_t max_manifest_bytes = std::uint64_t{64} << 20U;

/// By folder, so that one which is open serves all of its records.
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

/// Another process may be at it: that is waited for. Whoever finishes, the run is gone then.
bool finish_removal_waiting(Backend& backend, const RunSite& site, const sys::File& folder,
                            const RemoveOptions& options) {
  Waiting waiting{backend.clock(), options.wait, options.stop};
  for (bool waited = false;; waited = true) {
    try {
      return finish_removal(backend, site, folder) || waited;
    } catch (const Error& error) {
      if (error.errc() != Errc::busy || !waiting.again()) throw;
    }
  }
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

  /// A record of a batch. When its file is not the one that was read, the index is old.
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

  [[nodiscard]] bool is_run(const sys::File& root, const std::string& name) const {
    sys::File folder;
    sys::Stat found;
    auto error = backend->files().open(root, name, sys::Open::folder, folder);
    if (!error) error = backend->files().stat(folder, names::own, found);
    // What cannot be looked at is listed: whoever asks for it gets the error.
    return !error || (!is_absent(error) && error != std::errc::not_a_directory);
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

std::optional<StoredRecord> FileStore::find(std::string_view path) const {
  return state_->cache.find(path);
}

bool FileStore::put_if_absent(const Put& put) { return state_->cache.put(put, false); }

void FileStore::replace(const Put& put) { static_cast<void>(state_->cache.put(put, true)); }

std::optional<std::uint64_t> FileStore::do_stamp(std::string_view run) const {
  const RunSite site = state_->backend->site(run);
  const auto folder = state_->backend->open_run(site);
  return folder ? idle_stamp(*state_->backend, site, folder->own) : std::nullopt;
}

std::vector<std::string> FileStore::do_warnings() const { return state_->backend->warnings(); }

RemoveResult FileStore::do_remove(std::string_view run, const RemoveOptions& options) {
  Backend& backend = *state_->backend;
  const RunSite site = backend.site(run);
  const bool artifacts = options.artifacts == RemoveArtifacts::remove;
  const auto root = backend.root_for_writing(false);
  sys::File folder;
  if (!root || backend.files().open(*root, site.name, sys::Open::folder, folder)) {
    throw site.unknown();
  }
  // A removal that was interrupted here has removed the artifacts that it was asked to.
  if (!finish_removal_waiting(backend, site, folder, options)) {
    sys::Stat own;
    if (is_absent(backend.files().stat(folder, names::own, own))) {
      remove_if_empty(backend, site, *root);  // which an earlier removal could not
      throw site.unknown();
    }
    auto [folders, lock] = lock_run_folder(
        backend, site, {.create = Create::never, .wait = options.wait, .stop = options.stop});
    if (options.condition && !(*options.condition)()) return {.removed = false};
    std::vector<KnownArtifact> known;
    if (artifacts) known = known_artifacts(*this, run);
    if (artifacts) known.insert(known.end(), options.known.begin(), options.known.end());
    begin_removal(backend, site, folders, known);
    static_cast<void>(finish_removal(backend, site, folders.run, &lock));
  }
  RemoveResult result;
  if (artifacts) result.kept = files_of_run(backend, folder);
  remove_if_empty(backend, site, *root);
  return result;
}

void FileStore::do_runs(std::string_view prefix, FunctionRef<bool(std::string_view)> visit) const {
  const auto root = state_->backend->root();
  if (!root) return;
  std::vector<sys::Entry> entries;
  if (const auto error = state_->backend->files().list(*root, entries)) {
    throw Error(Errc::unreadable, {.what = "the runs of a store cannot be listed",
                                   .operation = "list",
                                   .file = state_->backend->shown(),
                                   .next = advice(error),
                                   .cause = error});
  }
  std::vector<std::string> runs;
  for (const sys::Entry& entry : entries) {
    auto run = core::decode_run(entry.name);
    if (run && run->starts_with(prefix) && state_->is_run(*root, entry.name)) {
      runs.push_back(std::move(*run));
    }
  }
  std::ranges::sort(runs);
  for (const std::string& run : runs) {
    if (!visit(run)) return;
  }
}

std::optional<Owner> FileStore::do_owner(std::string_view run) const {
  const RunSite site = state_->backend->site(run);
  const auto folder = state_->backend->open_run(site);
  if (!folder) return {};
  return look_at_owner(*state_->backend, site, folder->own);
}

std::optional<std::string> FileStore::do_manifest(std::string_view run) const {
  const RunSite site = state_->backend->site(run);
  const auto folder = state_->backend->open_run(site);
  if (!folder) return {};
  std::optional<std::string> content;
  const auto error =
      state_->backend->read_file(folder->own, names::manifest, max_manifest_bytes, content);
  if (error) throw site.unreadable("read", site.own(names::manifest), error);
  return content;
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

std::string FileStore::do_url() const { return "file:" + state_->backend->shown(); }

}  // namespace v0
}  // namespace resumable
