/// @file
/// Whether a person is at the other end of a standard stream.
#pragma once

#include <cstdint>
#include <string>

#include "resumable/export.hpp"

namespace resumable::sys {

enum class Stream : std::uint8_t { in, out, err };

/// isatty(3), and a terminal that is not dumb.
[[nodiscard]] RESUMABLE_EXPORT bool is_terminal(Stream stream) noexcept;

/// The width of the terminal: COLUMNS if that is set, else what the terminal says; 0 when unknown.
[[nodiscard]] RESUMABLE_EXPORT std::size_t columns(Stream stream) noexcept;

/// The name of the user who runs this process, or its number (getpwuid_r(3)).
[[nodiscard]] RESUMABLE_EXPORT std::string user_name();

}  // namespace resumable::sys
