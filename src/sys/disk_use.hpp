/// @file
/// What files take on the disk.
#pragma once

#include <cstdint>
#include <string>

#include "resumable/export.hpp"

namespace resumable::sys {

/// The bytes that the disk has allocated for all files below a folder; links are not followed.
/// What cannot be looked at counts nothing.
[[nodiscard]] RESUMABLE_EXPORT std::uint64_t disk_use(const std::string& folder);

}  // namespace resumable::sys
