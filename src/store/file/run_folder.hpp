/// @file
/// Opening a run's folders, and making them for a lease.
#pragma once

#include <optional>

#include "store/file/backend.hpp"

namespace resumable::store {

/// The folders that a lease works in.
struct RunFolders {
  std::shared_ptr<const sys::File> store;
  sys::File run;
  sys::File own;      ///< `<run>/.resumable`
  sys::File records;  ///< of this kind of store: `checkpoints` or `journal`
  sys::File temporary;
};

/// Opens or makes them as `create` says, and syncs each into its parent. Finishes a removal of the
/// run that was interrupted.
/// @throws Error{Errc::unknown_run}, Error{Errc::duplicate_name}, Error{Errc::store_failed}, …
[[nodiscard]] RunFolders open_run_for_lease(Backend& backend, const RunSite& site, Create create);

}  // namespace resumable::store
