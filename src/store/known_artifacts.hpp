/// @file
/// The files of a run that are known to be as it exported them.
#pragma once

#include <string_view>
#include <vector>

#include "resumable/store.hpp"

namespace resumable::store {

/// The exports named in the headers of a run's whole records, including older generations, and in
/// its records of exported and appended files. Unreadable records are ignored.
[[nodiscard]] std::vector<KnownArtifact> known_artifacts(const CheckpointStore& store,
                                                         std::string_view run);

}  // namespace resumable::store
