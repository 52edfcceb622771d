/// @file
/// Waiting for a descriptor: poll(2).
#pragma once

#include <chrono>
#include <cstdint>

#include "resumable/export.hpp"

namespace resumable::sys {

enum class Readiness : std::uint8_t { to_read, to_write, to_read_or_write };

/// Waits until `descriptor` can be used so without blocking, or has failed. False if the time is
/// over, or a signal came.
[[nodiscard]] RESUMABLE_EXPORT bool wait_until_ready(int descriptor, Readiness wanted,
                                                     std::chrono::milliseconds longest) noexcept;

}  // namespace resumable::sys
