/// @file
/// Times as the library writes them: UTC, 2026-11-21T20:44:01.123Z.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "resumable/export.hpp"

namespace resumable::core {

/// `2026-11-21T20:44:01`, without a fraction and the Z; and the time that such a text begins with.
[[nodiscard]] std::string format_seconds(std::chrono::sys_seconds time);
[[nodiscard]] std::optional<std::chrono::sys_seconds> parse_seconds(std::string_view text);

[[nodiscard]] RESUMABLE_EXPORT std::string format_utc(std::chrono::system_clock::time_point time);
/// In whole seconds, rounded down: `2026-11-21T20:44:01Z`.
[[nodiscard]] RESUMABLE_EXPORT std::string format_utc_seconds(
    std::chrono::system_clock::time_point time);
[[nodiscard]] RESUMABLE_EXPORT std::optional<std::chrono::system_clock::time_point> parse_utc(
    std::string_view text);

/// `305 ms`, `41.2 s`, `2m 03 s`, `1h 05 m`.
[[nodiscard]] RESUMABLE_EXPORT std::string format_duration(std::chrono::duration<double> time);

}  // namespace resumable::core
