/// @file
/// The exported files of a run, compared with what its records say of them.
#pragma once

#include <cstddef>
#include <cstdint>
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

struct FilesSetAside {
  std::size_t files = 0;
  std::uint64_t bytes = 0;
};
/// What was set aside in the run's folder; zeros if the store has no folder for artifacts.
/// @throws Error{Errc::unreadable}
[[nodiscard]] RESUMABLE_EXPORT FilesSetAside files_set_aside(const CheckpointStore& store,
                                                             std::string_view run);

/// Reads all files that the records name; none if it is not known where the artifacts are.
/// @throws Error as CheckpointStore::scan()
[[nodiscard]] RESUMABLE_EXPORT Artifacts artifacts(const CheckpointStore& store,
                                                   std::string_view run);
/// Reads these, as Verification::exported says them.
[[nodiscard]] RESUMABLE_EXPORT Artifacts artifacts(const CheckpointStore& store,
                                                   std::string_view run,
                                                   std::span<const KnownArtifact> exported);

}  // namespace resumable::survey
