#include "resumable/file_store.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "core/run_id.hpp"
#include "store/backend.hpp"
#include "store/batch_index.hpp"
#include "store/file_lease.hpp"
#include "store/names.hpp"
#include "store/record_file.hpp"
#include "store/run_folder.hpp"
#include "store/run_scan.hpp"

namespace resumable::inline v0 {
namespace {

using namespace store;

constexpr std::uint64_t max_manifest_bytes = std::uint64_t{64} << 20U;

Error damaged(const RunSite& site, RecordId id, const std::string& where, Damage damage,
              std::error_code cause) {
  if (damage == Damage::newer) return site.newer(id, where);
  if (damage == Damage::unreadable) return site.unreadable("read", where, cause);
  return site.damaged(id, where,
                      cause ? "there is no file in its place: " + cause.message()
                            : "its frame is broken, or it is shorter or longer than that says");
}

}  // namespace

struct FileStore::State {
  State(const std::filesystem::path& folder, const FileStoreOptions& options)
      : backend(std::make_shared<Backend>(folder, options)) {}

  std::shared_ptr<BatchIndex> batches_of(const std::string& name) {
    const std::lock_guard lock(guard);
    auto& batches = indexes[name];
    if (!batches) batches = std::make_shared<BatchIndex>();
    return batches;
  }

  /// A record with a file of its own.
  std::optional<Stored> get_single(const RunSite& site, RecordId id, const sys::File& own) const {
    const Place place = place_of(id);
    const std::string where = site.record(id);
    sys::File folder;
    sys::File file;
    Front front;
    const std::string below = place.folder.empty() ? "" : '/' + place.folder;
    auto error = backend->open_folders(own, names::checkpoints + below, folder);
    if (!error) error = read_front(backend->files(), folder, place.name, file, front);
    if (is_absent(error)) return {};
    if (error) throw site.unreadable("open", where, error);
    const Front::Record record = only_record(front, id);
    if (record.damage != Damage::none) {
      throw damaged(site, id, where, record.damage, front.cause);
    }
    return read_stored(backend, site, where, std::move(file), record.frame);
  }

  /// A record of a batch. When its file is not the one that was read, the index is old.
  std::optional<Stored> get_batched(const RunSite& site, RecordId id, const sys::File& own) {
    const auto batches = batches_of(site.name);
    for (int look = 0; look < 2; ++look) {
      auto spot = batches->find(id);
      if (!spot) {
        refresh(site, own, *batches);
        spot = batches->find(id);
      }
      if (!spot) return {};
      if (auto stored = read_batched(site, id, own, *spot)) return stored;
      batches->drop(spot->file->name);
    }
    return {};
  }

  std::optional<Stored> read_batched(const RunSite& site, RecordId id, const sys::File& own,
                                     const BatchIndex::Spot& spot) const {
    const std::string where =
        site.own(names::checkpoints + '/' + names::batch + '/' + spot.file->name);
    sys::File folder;
    sys::File file;
    sys::Stat stat;
    auto error = backend->open_folders(own, names::checkpoints + '/' + names::batch, folder);
    if (!error) error = backend->files().open(folder, spot.file->name, sys::Open::read, file);
    if (!error) error = backend->files().stat(file, stat);
    if (is_absent(error)) return {};
    if (error) throw site.unreadable("open", where, error);
    const sys::Stat& known = spot.file->front.stat;
    if (!stat.same_file(known) || stat.size != known.size || stat.modified != known.modified) {
      return {};
    }
    const Front::Record& record = spot.record();
    if (record.damage != Damage::none) throw damaged(site, id, where, record.damage, {});
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

void FileStore::do_scan(std::string_view run, const Scan& what,
                        FunctionRef<bool(const Found&)> visit) const {
  const RunSite site = state_->backend->site(run);
  const auto own = open_run(*state_->backend, site);
  if (!own) return;
  for (const Head& head : scan_run(*state_->backend, site, *own, what)) {
    const Found found{.id = {head.path, head.generation},
                      .tag = head.tag,
                      .header_bytes = head.header_bytes,
                      .payload_bytes = head.payload_bytes,
                      .damage = head.damage,
                      .quarantined = head.quarantined,
                      .cause = head.cause};
    if (!visit(found)) return;
  }
}

std::optional<Stored> FileStore::do_get(std::string_view run, RecordId id) const {
  const RunSite site = state_->backend->site(run);
  const auto own = open_run(*state_->backend, site);
  if (!own) return {};
  if (batch_of_nameless(id.path)) {
    throw damaged(site, id, do_locate(run, id), Damage::torn, {});
  }
  if (auto stored = state_->get_single(site, id, *own)) return stored;
  return state_->get_batched(site, id, *own);
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
  const auto own = open_run(*state_->backend, site);
  if (!own) return {};
  return look_at_owner(*state_->backend, site, *own);
}

std::optional<std::string> FileStore::do_manifest(std::string_view run) const {
  const RunSite site = state_->backend->site(run);
  const auto own = open_run(*state_->backend, site);
  if (!own) return {};
  std::optional<std::string> content;
  const auto error = state_->backend->read_file(*own, names::manifest, max_manifest_bytes, content);
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

}  // namespace resumable::inline v0
