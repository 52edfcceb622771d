/// @file
/// Removals of runs that were killed: the runs are gone for every reader, some of their bytes are
/// not.
#pragma once

#include <string>
#include <vector>

#include "resumable/store.hpp"
#include "sys/file_system.hpp"

namespace resumable::manage {

/// The ids of such runs, sorted; CheckpointStore::remove() finishes each. None where the store has
/// no folders, or they cannot be listed.
[[nodiscard]] std::vector<std::string> interrupted_removals(CheckpointStore& store,
                                                            sys::FileSystem& system);

}  // namespace resumable::manage
