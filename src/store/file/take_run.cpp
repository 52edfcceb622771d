#include "store/file/take_run.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "store/file/layout.hpp"
#include "store/file/limits.hpp"
#include "store/file/waiting.hpp"

namespace resumable::store {
namespace {

/// A fence this high is not raised any further: it cannot be one of ours.
constexpr std::uint64_t max_fence = std::uint64_t{1} << 62U;

/// Another process may be removing the run: this waits for that as well. It may remove the folder
/// that was just opened: then it is opened again.
RunFolders open_run_waiting(Backend& backend, const RunSite& site, Create create,
                            Waiting& waiting) {
  for (int look = 1;; ++look) {
    try {
      return open_run_for_lease(backend, site, create);
    } catch (const Error& error) {
      const bool gone = error.errc() == Errc::store_failed && is_absent(error.info().cause);
      if (gone && look < limits::looks) continue;
      if (error.errc() != Errc::busy || !waiting.again()) throw;
    }
  }
}

OwnerLock lock_run(const Backend& backend, const RunSite& site, const sys::File& own,
                   Waiting& waiting) {
  while (true) {
    Owner owner;
    if (auto lock = OwnerLock::take(backend, site, own, owner)) return std::move(*lock);
    if (!waiting.again()) throw site.busy(owner);
  }
}

/// The text is written durably before anything is written under its fence. It is still compared
/// with the records, because an older copy of the file may have been restored.
std::uint64_t next_fence(const Backend& backend, const RunSite& site, std::uint64_t highest,
                         std::optional<std::uint64_t> last, std::uint64_t above) {
  if (last && *last < max_fence) highest = std::max(highest, *last);
  if (highest < max_fence) return std::max(highest, std::min(above, max_fence - 1)) + 1;
  throw site.error(Errc::damaged,
                   {.what = fmt::format("run {} has records with fence {}, which was never issued",
                                        site.name, highest),
                    .file = site.own(backend.kind().records),
                    .kept = "nothing was changed",
                    .next = "restore the run from a copy, or start another one"});
}

void remove_leftovers(sys::FileSystem& files, const sys::File& folder) {
  std::vector<sys::Entry> entries;
  if (files.list(folder, entries)) return;
  for (const sys::Entry& entry : entries) {
    if (is_temporary_name(entry.name)) static_cast<void>(files.unlink(folder, entry.name));
  }
}

}  // namespace

LockedRun lock_run_folder(Backend& backend, const RunSite& site, const LeaseRequest& request) {
  Waiting waiting{backend.clock(), request.wait, request.stop};
  for (int look = 0; look < limits::looks; ++look) {
    RunFolders folders = open_run_waiting(backend, site, request.create, waiting);
    sys::Stat own;
    sys::Stat named;
    auto error = backend.files().stat(folders.own, own);
    if (error) throw site.failed("stat", site.own(), error);
    try {
      OwnerLock lock = lock_run(backend, site, folders.own, waiting);
      error = backend.files().stat(folders.run, names::own, named);
      if (!error && named.same_file(own)) return {std::move(folders), std::move(lock)};
      if (error && !is_absent(error)) throw site.failed("stat", site.own(), error);
    } catch (const Error& failed) {
      // While this process waited, the owner for which it waited removed the run.
      const bool gone = is_absent(backend.files().stat(folders.run, names::own, named));
      if (failed.errc() != Errc::store_failed || !gone) throw;
    }
  }
  throw site.failed("lock", site.own(), std::make_error_code(std::errc::device_or_resource_busy));
}

TakenRun take_run(Backend& backend, const RunSite& site, const LeaseRequest& request,
                  HighestFence highest) {
  auto [folders, lock] = lock_run_folder(backend, site, request);
  const auto last = lock.last_owner(site);
  const std::uint64_t seen = highest(folders.own, last.has_value());
  const std::uint64_t fence = next_fence(
      backend, site, seen, last ? std::optional{last->fence} : std::nullopt, request.fence_above);
  folders.run = {};  // a lease needs it no more
  lock.write(site, fence);
  remove_leftovers(backend.files(), folders.temporary);
  write_layout(backend, site, folders);
  return {std::move(folders), std::move(lock), fence,
          last ? std::optional{last->stamp} : std::nullopt};
}

}  // namespace resumable::store
