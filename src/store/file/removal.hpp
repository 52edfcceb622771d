/// @file
/// Removes a run so that, after a kill at any point, it is whole or the next process finishes the
/// removal.
///
/// 1. Exported files are removed if their bytes are the run's, and their folders are synced. A run
///    whose files are missing is whole: resuming it exports them again.
/// 2. `.resumable` is renamed to `.resumable.removing` and the run's folder is synced: from here on
///    the run is gone for every reader.
/// 3. Everything in `.resumable.removing` is removed, the owner's lock last.
///
/// A lease that finds `.resumable.removing` does step 3 first. Any part of it may be done already.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "store/file/backend.hpp"
#include "store/file/owner_file.hpp"
#include "store/file/run_folder.hpp"

namespace resumable::store {

/// Steps 1 and 2, under the run's lock.
/// @throws Error{Errc::store_failed}     its records are as they were
/// @throws Error{Errc::outcome_unknown}  its removal may have begun
void begin_removal(const Backend& backend, const RunSite& site, const RunFolders& folders,
                   std::span<const KnownArtifact> artifacts);

/// Step 3, of a removal that began earlier; false when there is none.
/// @throws Error{Errc::busy}          another process is removing the run
/// @throws Error{Errc::store_failed}  a part is left
/// `held`: the run's lock, of who has it already.
bool finish_removal(const Backend& backend, const RunSite& site, const sys::File& run,
                    const OwnerLock* held = nullptr);

/// Removes the run's folder when nothing is in it.
void remove_if_empty(const Backend& backend, const RunSite& site, const sys::File& root);

/// The files below a run's folder, without the library's, in byte order.
[[nodiscard]] std::vector<std::string> files_of_run(const Backend& backend, const sys::File& run);

}  // namespace resumable::store
