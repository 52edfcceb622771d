/// @file
/// `<store>/.resumable/store.json`: which layout the store has.
///
/// A cache of what each record says of itself: nothing is decided by it but that a newer store is
/// left alone. Where it is missing it is written; where it says nothing it is set aside first.
#pragma once

#include "store/file/backend.hpp"
#include "store/file/run_folder.hpp"

namespace resumable::store {

/// @throws Error{Errc::newer}, Error{Errc::unreadable}
void refuse_newer_layout(const Backend& backend, const sys::File& root);

/// Which kind of store the file names, such as `journal`; empty where it says nothing.
[[nodiscard]] std::string kind_in_layout(const Backend& backend, const sys::File& root);

/// Under the lease of a run, whose `tmp/` it uses. Other processes may do the same, for other runs.
/// @throws Error{Errc::store_failed}
void write_layout(const Backend& backend, const RunSite& site, const RunFolders& folders);

}  // namespace resumable::store
