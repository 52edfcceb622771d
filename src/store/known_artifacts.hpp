/// @file
/// Which files of a run are known to be what it exported.
#pragma once

#include <string_view>
#include <vector>

#include "resumable/store.hpp"

namespace resumable::store {

/// What the headers of a run's whole records say that they exported, older generations included,
/// and what its records of exported and appended files say. Unreadable records say nothing.
[[nodiscard]] std::vector<KnownArtifact> known_artifacts(const CheckpointStore& store,
                                                         std::string_view run);

}  // namespace resumable::store
