/// @file
/// What was set aside in a run's folder: damaged records in .resumable/quarantine, and copies of
/// replaced files in .resumable/removed.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sys/file_system.hpp"

namespace resumable::exports {

struct SetAside {
  std::string path;  ///< below the run's folder
  bool record = false;
  std::uint64_t bytes = 0;
  std::chrono::nanoseconds since{};  ///< when it was moved or copied there, since 1970
};

/// All of it, by path; none where there is no such folder.
/// @throws Error{Errc::unreadable}
[[nodiscard]] std::vector<SetAside> list_set_aside(sys::FileSystem& system,
                                                   const std::string& run_folder);

struct SetAsideTotal {
  std::size_t files = 0;
  std::uint64_t bytes = 0;
};
[[nodiscard]] SetAsideTotal total_set_aside(sys::FileSystem& system, const std::string& run_folder);

/// Removes a file that is still as it was listed; false when it is not, or cannot be removed.
bool remove_set_aside(sys::FileSystem& system, const std::string& run_folder, const SetAside& one);

}  // namespace resumable::exports
