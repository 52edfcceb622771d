/// @file
/// When a batch job ends, as its environment says it.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "sys/clock.hpp"

namespace resumable::run {

/// From `now` until `end`, a UNIX time in seconds; never negative. nullopt if it is none.
[[nodiscard]] std::optional<std::chrono::milliseconds> time_until(std::string_view end,
                                                                  sys::WallTime now) noexcept;

}  // namespace resumable::run
