/// @file
/// `<store>/.resumable/store.json`: which layout the store has.
///
/// A cache of what each record says about itself: the only thing it decides is that a newer store
/// is left alone. If it is missing it is written; if it cannot be understood it is set aside first.
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
