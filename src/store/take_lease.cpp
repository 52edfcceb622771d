#include <algorithm>
#include <utility>
#include <vector>

#include "store/file_lease.hpp"
#include "store/layout.hpp"
#include "store/run_scan.hpp"

namespace resumable::inline v0::store {
namespace {

constexpr std::chrono::milliseconds shortest_wait{10};
constexpr std::chrono::milliseconds longest_wait{250};

/// Polls: the kernel wakes nobody for a lock that another descriptor gives up, unless one blocks.
OwnerLock lock_run(const Backend& backend, const RunSite& site, const sys::File& own,
                   const LeaseRequest& request) {
  sys::Clock& clock = backend.clock();
  const sys::BootTime deadline = clock.boot() + request.wait;
  for (std::chrono::milliseconds pause = shortest_wait;;
       pause = std::min(2 * pause, longest_wait)) {
    Owner owner;
    if (auto lock = OwnerLock::take(backend, site, own, owner)) return std::move(*lock);
    const sys::BootTime now = clock.boot();
    if (now >= deadline) throw site.busy(owner);
    if (!sys::sleep_until(clock, std::min(deadline, now + pause), request.stop)) {
      throw site.busy(owner);
    }
  }
}

/// The text is written durably before anything is written under its fence, so it is the highest;
/// where it is lost, each frame has its own.
std::uint64_t highest_fence(const Backend& backend, const RunSite& site, const sys::File& own,
                            const OwnerLock& lock) {
  if (const auto last = lock.last_fence(site)) return *last;
  std::uint64_t highest = 0;
  for (const Head& head : scan_run(backend, site, own, {})) {
    highest = std::max(highest, head.fence);
  }
  return highest;
}

void remove_leftovers(sys::FileSystem& files, const sys::File& folder) {
  std::vector<sys::Entry> entries;
  if (files.list(folder, entries)) return;
  for (const sys::Entry& entry : entries) {
    if (is_temporary_name(entry.name)) static_cast<void>(files.unlink(folder, entry.name));
  }
}

}  // namespace

std::unique_ptr<Lease> take_lease(const std::shared_ptr<Backend>& backend, const RunSite& site,
                                  const LeaseRequest& request,
                                  std::shared_ptr<BatchIndex> batches) {
  RunFolders folders = open_run_for_lease(*backend, site, request.create);
  OwnerLock lock = lock_run(*backend, site, folders.own, request);
  const std::uint64_t fence = highest_fence(*backend, site, folders.own, lock) + 1;
  lock.write(site, fence);
  remove_leftovers(backend->files(), folders.temporary);
  write_layout(*backend, site, folders);
  return std::make_unique<FileLease>(backend, site, std::move(folders), std::move(lock), fence,
                                     std::move(batches));
}

}  // namespace resumable::inline v0::store
