#include "store/file/runs.hpp"

#include <algorithm>
#include <vector>

#include "core/run_id.hpp"
#include "store/file/owner_file.hpp"
#include "store/file/removal.hpp"
#include "store/file/take_run.hpp"
#include "store/file/temporary_file.hpp"
#include "store/file/waiting.hpp"
#include "store/known_artifacts.hpp"
#include "store/names.hpp"

namespace resumable::store {
namespace {

constexpr std::uint64_t max_manifest_bytes = std::uint64_t{64} << 20U;

/// Another process may be removing it: this waits for it. Whichever process finishes, the run is
/// then gone.
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

/// A run in another store, whose artifacts are here, leaves only what its exports have made.
bool is_run(const Backend& backend, const sys::File& root, const std::string& name) {
  sys::File folder;
  sys::File own;
  std::vector<sys::Entry> entries;
  auto error = backend.files().open(root, name, sys::Open::folder, folder);
  if (!error) error = backend.files().open(folder, names::own, sys::Open::folder, own);
  if (!error) error = backend.files().list(own, entries);
  // A run that cannot be checked is listed: reading it gives the error.
  if (error) return !is_absent(error) && error != std::errc::not_a_directory;
  const auto is_stores = [](const sys::Entry& entry) {
    return entry.name == names::owner || entry.name == names::manifest ||
           entry.name == names::checkpoints || entry.name == names::journal;
  };
  return entries.empty() || std::ranges::any_of(entries, is_stores);
}

}  // namespace

void visit_runs(Backend& backend, std::string_view prefix,
                FunctionRef<bool(std::string_view)> visit) {
  const auto root = backend.root();
  if (!root) return;
  std::vector<sys::Entry> entries;
  if (const auto error = backend.files().list(*root, entries)) {
    throw Error(Errc::unreadable, {.what = "the runs of a store cannot be listed",
                                   .operation = "list",
                                   .file = backend.shown(),
                                   .next = advice(error),
                                   .cause = error});
  }
  std::vector<std::string> runs;
  for (const sys::Entry& entry : entries) {
    auto run = core::decode_run(entry.name);
    if (run && run->starts_with(prefix) && is_run(backend, *root, entry.name)) {
      runs.push_back(std::move(*run));
    }
  }
  std::ranges::sort(runs);
  for (const std::string& run : runs) {
    if (!visit(run)) return;
  }
}

std::optional<Owner> owner_of(Backend& backend, std::string_view run) {
  const RunSite site = backend.site(run);
  const auto folder = backend.open_run(site);
  if (!folder) return {};
  return look_at_owner(backend, site, folder->own);
}

std::optional<std::uint64_t> stamp_of(Backend& backend, std::string_view run) {
  const RunSite site = backend.site(run);
  const auto folder = backend.open_run(site);
  return folder ? idle_stamp(backend, site, folder->own) : std::nullopt;
}

std::optional<std::string> read_manifest(Backend& backend, std::string_view run) {
  const RunSite site = backend.site(run);
  const auto folder = backend.open_run(site);
  if (!folder) return {};
  std::optional<std::string> content;
  const auto error = backend.read_file(folder->own, names::manifest, max_manifest_bytes, content);
  if (error) throw site.unreadable("read", site.own(names::manifest), error);
  return content;
}

RemoveResult remove_run(Backend& backend, const CheckpointStore& store, std::string_view run,
                        const RemoveOptions& options) {
  const RunSite site = backend.site(run);
  const bool artifacts = options.artifacts == RemoveArtifacts::remove;
  const auto root = backend.root_for_writing(false);
  sys::File folder;
  if (!root || backend.files().open(*root, site.name, sys::Open::folder, folder)) {
    throw site.unknown();
  }
  // A removal that was interrupted at this point has already removed the artifacts that it should.
  if (!finish_removal_waiting(backend, site, folder, options)) {
    sys::Stat own;
    if (is_absent(backend.files().stat(folder, names::own, own))) {
      remove_if_empty(backend, site, *root);  // which an earlier removal could not
      throw site.unknown();
    }
    auto [folders, lock] = lock_run_folder(
        backend, site, {.create = Create::never, .wait = options.wait, .stop = options.stop});
    if (options.condition && !options.condition()) return {.removed = false};
    std::vector<KnownArtifact> known;
    if (artifacts) known = known_artifacts(store, run);
    if (artifacts) known.insert(known.end(), options.known.begin(), options.known.end());
    begin_removal(backend, site, folders, known);
    static_cast<void>(finish_removal(backend, site, folders.run, &lock));
  }
  RemoveResult result;
  if (artifacts) result.kept = files_of_run(backend, folder);
  remove_if_empty(backend, site, *root);
  return result;
}

void write_manifest(const Backend& backend, const RunSite& site, const RunFolders& folders,
                    std::string_view json) {
  TemporaryFile temporary(backend, site, folders.temporary);
  temporary.must("write", sys::write_fully(backend.files(), temporary.file(), 0, json));
  temporary.close();
  temporary.must("rename", temporary.replace(folders.own, names::manifest));
}

}  // namespace resumable::store
