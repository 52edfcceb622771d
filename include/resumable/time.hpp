/// @file
/// How the library says how long something took, and when it happened.
#pragma once

#include <chrono>

namespace resumable {
inline namespace v0 {

/// How long something took.
using Seconds = std::chrono::duration<double>;

/// A point in time, UTC, as records and events keep it.
using Timestamp = std::chrono::sys_time<std::chrono::milliseconds>;

}  // namespace v0
}  // namespace resumable
