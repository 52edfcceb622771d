/// @file
/// Small things about text that several rooms need.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "resumable/export.hpp"

namespace resumable::inline v0::core {

[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

/// `text` with control characters and bytes that are not UTF-8 as \xNN, cut after 120 bytes.
[[nodiscard]] RESUMABLE_EXPORT std::string printable(std::string_view text);

/// Lower-cased ASCII.
[[nodiscard]] std::string lower(std::string_view text);

/// The candidate that `word` is most likely a misspelling of, or "" (Damerau-Levenshtein distance
/// of at most a third of its length; Damerau 1964).
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       const std::vector<std::string>& candidates);

}  // namespace resumable::inline v0::core
