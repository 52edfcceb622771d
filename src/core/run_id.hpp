/// @file
/// Run ids, and the safe names that stand for them in file systems, databases and messages.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "resumable/export.hpp"

namespace resumable::core {

inline constexpr std::size_t max_run_bytes = 128;
inline constexpr std::size_t max_run_name_bytes = 240;  ///< with its escapes

/// `run` as one file name: [A-Za-z0-9._-] and letters stay, all else becomes %XX per byte. A letter
/// stays where the name is in Unicode's normal form C with it. Injective, and valid UTF-8.
/// @throws Error{Errc::bad_name}  empty, more than 128 bytes, a leading '.', a NUL, a component
///         "..", or a name of more than 240 bytes
[[nodiscard]] RESUMABLE_EXPORT std::string encode_run(std::string_view run);

/// The inverse of encode_run(); nullopt for a name that it never returns.
[[nodiscard]] RESUMABLE_EXPORT std::optional<std::string> decode_run(std::string_view name);

/// Equal for ids that differ only in case or normal form: such twins would collide on some file
/// systems, and people would confuse them.
[[nodiscard]] RESUMABLE_EXPORT std::string run_twin_key(std::string_view run);

}  // namespace resumable::core
