/// @file
/// Where a run's artifacts are.
#pragma once

#include <string>
#include <string_view>

#include "resumable/export.hpp"
#include "resumable/store.hpp"

namespace resumable::exports {

/// The manifest's name for the folder that ResumeOptions::artifact_folder gave.
inline constexpr const char* folder_field = "artifact_folder";

/// The folder to which the last call exported; "" if it is not known.
/// @throws Error as CheckpointStore::manifest()
[[nodiscard]] RESUMABLE_EXPORT std::string artifact_folder(const CheckpointStore& store,
                                                           std::string_view run);

}  // namespace resumable::exports
