/// @file
/// Opening a run's folders, and making them for a lease.
#pragma once

#include <optional>

#include "store/backend.hpp"

namespace resumable::inline v0::store {

/// The folders that a lease works in.
struct RunFolders {
  std::shared_ptr<const sys::File> store;
  sys::File own;  ///< `<run>/.resumable`
  sys::File checkpoints;
  sys::File temporary;
};

/// `<run>/.resumable` for reading; nullopt when the run does not exist.
/// @throws Error{Errc::unreadable}, Error{Errc::newer}
[[nodiscard]] std::optional<sys::File> open_run(Backend& backend, const RunSite& site);

/// Opens or makes them as `create` says, and syncs each into its parent.
/// @throws Error{Errc::unknown_run}, Error{Errc::duplicate_name}, Error{Errc::store_failed}, …
[[nodiscard]] RunFolders open_run_for_lease(Backend& backend, const RunSite& site, Create create);

}  // namespace resumable::inline v0::store
