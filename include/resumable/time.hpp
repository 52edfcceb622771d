/// @file
/// The types for durations and points in time.
#pragma once

#include <chrono>
#include <string>

#include "resumable/export.hpp"

namespace resumable {
inline namespace v0 {

/// A duration.
using Seconds = std::chrono::duration<double>;

/// A point in time, UTC, as records and events keep it.
using Timestamp = std::chrono::sys_time<std::chrono::milliseconds>;

/// `2026-11-21T20:44:01.123Z`
[[nodiscard]] RESUMABLE_EXPORT std::string to_string(Timestamp time);

}  // namespace v0
}  // namespace resumable
