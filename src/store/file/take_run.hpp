/// @file
/// Becoming a run's owner: what the leases of file stores and journal stores have in common.
#pragma once

#include <cstdint>
#include <optional>

#include "resumable/function_ref.hpp"
#include "store/file/backend.hpp"
#include "store/file/owner_file.hpp"
#include "store/file/run_folder.hpp"

namespace resumable::store {

/// A run's folders, and the lock of the run in them.
struct LockedRun {
  RunFolders folders;
  OwnerLock lock;
};

/// Opens or makes the folders and takes the lock, waiting for it as `request` says.
[[nodiscard]] LockedRun lock_run_folder(Backend& backend, const RunSite& site,
                                        const LeaseRequest& request);

/// A run whose owner this process is.
struct TakenRun {
  RunFolders folders;
  OwnerLock lock;
  std::uint64_t fence;
  std::optional<std::uint64_t> stamp;  ///< the run's before
};

/// The highest fence in the records of a run, whose own folder is given. `known`: the owner's text
/// has its fence, so a remembered value is good enough for a comparison.
using HighestFence = FunctionRef<std::uint64_t(const sys::File& own, bool known)>;

/// Makes the folders, takes the lock, waits for it as `request` says, raises the fence and removes
/// what dead owners left in `tmp/`.
[[nodiscard]] TakenRun take_run(Backend& backend, const RunSite& site, const LeaseRequest& request,
                                HighestFence highest);

}  // namespace resumable::store
