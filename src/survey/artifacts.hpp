/// @file
/// The exported files of a run, compared with what its records say of them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "resumable/export.hpp"
#include "resumable/store.hpp"

namespace resumable::survey {

/// Paths are below the run's folder.
struct Artifacts {
  std::size_t read = 0;
  std::vector<std::string> edited{};  ///< of those read: not the bytes that were exported last
  std::vector<std::string> missing{};
  std::vector<std::string> unreadable{};
};

/// Reads all files that the records name; none if it is not known where the artifacts are.
/// @throws Error as CheckpointStore::scan()
[[nodiscard]] RESUMABLE_EXPORT Artifacts artifacts(const CheckpointStore& store,
                                                   std::string_view run);
/// Reads these, as Verification::exported says them.
[[nodiscard]] RESUMABLE_EXPORT Artifacts artifacts(const CheckpointStore& store,
                                                   std::string_view run,
                                                   std::span<const KnownArtifact> exported);

}  // namespace resumable::survey
