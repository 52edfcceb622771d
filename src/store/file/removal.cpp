#include "store/file/removal.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "store/names.hpp"

namespace resumable::store {
namespace {

constexpr std::size_t piece_bytes = std::size_t{64} << 10U;

/// What of each path is the run's.
using Artifacts = std::map<std::string, std::set<Digest>>;

bool is_own(const std::string& name) { return name == names::own || name == names::removing; }

class Removal {
 public:
  Removal(const Backend& backend, const RunSite& site, const sys::File& run)
      : files_(backend.files()), site_(site), run_(run) {}

  /// Removes one file when it is the run's, and the folders that this leaves empty.
  void remove_artifact(const std::string& path, const std::set<Digest>& ours) {
    std::vector<std::pair<sys::File, std::string>> chain;  // a folder, and a name in it
    std::string_view rest = path;
    for (;;) {
      const std::size_t slash = rest.find('/');
      std::string name{rest.substr(0, slash)};
      const bool odd =
          name.empty() || name == "." || name == ".." || (chain.empty() && is_own(name));
      if (odd) return;
      const sys::File& parent = chain.empty() ? run_ : chain.back().first;
      if (slash == std::string_view::npos) {
        sys::Stat found;
        const bool gone = is_absent(files_.stat(parent, name, found));  // by an earlier removal
        if (!gone && !unlink_if(parent, name, ours)) return;
        must("fsync", path, files_.sync_folder(parent));
        break;
      }
      sys::File folder;
      if (files_.open(parent, name, sys::Open::folder, folder)) return;  // not as it was exported
      chain.emplace_back(std::move(folder), std::move(name));
      rest.remove_prefix(slash + 1);
    }
    for (std::size_t i = chain.size(); i-- > 0;) {
      const sys::File& parent = i == 0 ? run_ : chain[i - 1].first;
      if (files_.remove_folder(parent, chain[i].second)) return;  // a person's file is in it
    }
  }

  /// Everything below a folder of the library, except `spared`.
  void remove_below(const sys::File& folder, const std::set<std::string>& spared) {
    std::vector<sys::Entry> entries;
    must("list", names::removing, files_.list(folder, entries));
    for (const sys::Entry& entry : entries) {
      if (!spared.contains(entry.name)) remove_entry(folder, entry);
    }
  }

  void remove_name(const sys::File& folder, const std::string& name) {
    const auto error = files_.unlink(folder, name);
    if (!is_absent(error)) must("unlink", name, error);
  }

  /// Files that were set aside for people are kept.
  void keep_retired(const Backend& backend, const sys::File& own) {
    std::string name = "removed";
    auto error = files_.rename(own, name, run_, name, sys::Rename::if_free);
    if (error == std::errc::file_exists) {
      std::string unique;
      must("getrandom", name, backend.temporary(unique));
      error = files_.rename(own, "removed", run_, name + "-" + unique.substr(0, 8),
                            sys::Rename::if_free);
    }
    if (is_absent(error)) return;
    must("rename", name, error);
    must("fsync", name, files_.sync_folder(run_));
  }

  void must(const char* operation, const std::string& what, std::error_code error) const {
    if (!error) return;
    throw site_.error(Errc::store_failed,
                      {.what = fmt::format("a part of run {} cannot be removed", site_.name),
                       .operation = operation,
                       .file = fmt::format("{}/{}", site_.folder(), what),
                       .kept = "edited files",
                       .next = advice(error) + ": removing it again finishes",
                       .cause = error});
  }

 private:
  bool unlink_if(const sys::File& folder, const std::string& name, const std::set<Digest>& ours) {
    sys::File file;
    if (files_.open(folder, name, sys::Open::read, file)) return false;
    Digester digester;
    std::string piece(piece_bytes, '\0');
    for (std::uint64_t at = 0;;) {
      std::size_t count = 0;
      if (sys::read_fully(files_, file, at, piece, count)) return false;
      digester.add_raw(std::string_view{piece}.substr(0, count));
      at += count;
      if (count < piece.size()) break;
    }
    if (!ours.contains(digester.finish())) return false;
    remove_name(folder, name);
    return true;
  }

  void remove_entry(const sys::File& folder, const sys::Entry& entry) {
    sys::File below;
    const bool may_be_folder = entry.kind == sys::Kind::folder || entry.kind == sys::Kind::unknown;
    if (may_be_folder && !files_.open(folder, entry.name, sys::Open::folder, below)) {
      remove_below(below, {});
      const auto error = files_.remove_folder(folder, entry.name);
      if (!is_absent(error)) must("rmdir", entry.name, error);
    } else {
      remove_name(folder, entry.name);
    }
  }

  sys::FileSystem& files_;
  const RunSite& site_;
  const sys::File& run_;
};

void collect(sys::FileSystem& files, const sys::File& folder, const std::string& path,
             std::vector<std::string>& into) {
  std::vector<sys::Entry> entries;
  if (files.list(folder, entries)) return;
  for (const sys::Entry& entry : entries) {
    if (path.empty() && is_own(entry.name)) continue;
    sys::File below;
    const bool may_be_folder = entry.kind == sys::Kind::folder || entry.kind == sys::Kind::unknown;
    if (may_be_folder && !files.open(folder, entry.name, sys::Open::folder, below)) {
      collect(files, below, path + entry.name + '/', into);
    } else {
      into.push_back(path + entry.name);
    }
  }
}

/// False when another process has finished the removal meanwhile.
bool take_lock(const Backend& backend, const RunSite& site, const sys::File& run,
               const sys::File& own, std::optional<OwnerLock>& lock) {
  Owner owner;
  try {
    if (auto taken = OwnerLock::take(backend, site, own, owner)) lock.emplace(std::move(*taken));
  } catch (const Error&) {
    sys::Stat found;
    if (is_absent(backend.files().stat(run, names::removing, found))) return false;
    throw;
  }
  if (!lock) throw site.busy(owner);
  return true;
}

}  // namespace

void begin_removal(const Backend& backend, const RunSite& site, const RunFolders& folders,
                   std::span<const KnownArtifact> artifacts) {
  sys::FileSystem& files = backend.files();
  Removal removal{backend, site, folders.run};
  Artifacts ours;
  for (const KnownArtifact& one : artifacts) ours[one.path].insert(one.digest);
  for (const auto& [path, digests] : ours) removal.remove_artifact(path, digests);
  const auto error =
      files.rename(folders.run, names::own, folders.run, names::removing, sys::Rename::replace);
  if (error) throw site.failed("rename", site.own(), error);
  if (const auto failed = files.sync_folder(folders.run)) {
    throw site.error(Errc::outcome_unknown,
                     {.what = fmt::format("it is unknown whether run {} is removed", site.name),
                      .operation = "fsync",
                      .file = site.folder(),
                      .kept = "edited files",
                      .next = "remove it again",
                      .cause = failed});
  }
}

bool finish_removal(const Backend& backend, const RunSite& site, const sys::File& run,
                    const OwnerLock* held) {
  sys::FileSystem& files = backend.files();
  Removal removal{backend, site, run};
  sys::File own;
  auto error = files.open(run, names::removing, sys::Open::folder, own);
  if (is_absent(error)) return false;
  removal.must("open", names::removing, error);
  std::optional<OwnerLock> lock;
  if (held == nullptr && !take_lock(backend, site, run, own, lock)) return true;
  removal.keep_retired(backend, own);
  removal.remove_below(own, {names::owner});
  removal.remove_name(own, names::owner);
  error = files.remove_folder(run, names::removing);
  if (!is_absent(error)) removal.must("rmdir", names::removing, error);
  removal.must("fsync", "", files.sync_folder(run));
  return true;
}

void remove_if_empty(const Backend& backend, const RunSite& site, const sys::File& root) {
  if (backend.files().remove_folder(root, site.name)) return;  // a person's files are in it
  // Not durable, because an empty folder is not a run. The next sync of the store's folder makes it
  // durable.
}

std::vector<std::string> files_of_run(const Backend& backend, const sys::File& run) {
  std::vector<std::string> found;
  collect(backend.files(), run, "", found);
  std::ranges::sort(found);
  return found;
}

}  // namespace resumable::store
