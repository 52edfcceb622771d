/// @file
/// How wide text is on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "resumable/export.hpp"

namespace resumable::core {

/// Columns that a terminal needs for UTF-8 text; a colour needs none.
[[nodiscard]] RESUMABLE_EXPORT std::size_t width(std::string_view text);

/// `text` followed by spaces up to `columns`.
[[nodiscard]] RESUMABLE_EXPORT std::string pad(std::string_view text, std::size_t columns);

/// As much of `text` as fits into `columns`; what is cut off is replaced by `mark`.
[[nodiscard]] RESUMABLE_EXPORT std::string clip(std::string_view text, std::size_t columns,
                                                std::string_view mark);

/// `text` with lines wider than `columns` broken at spaces, never inside a word, and continued
/// under their last column. 0 columns: as it is.
[[nodiscard]] RESUMABLE_EXPORT std::string wrap(std::string_view text, std::size_t columns);

}  // namespace resumable::core
