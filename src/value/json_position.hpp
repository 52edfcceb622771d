/// @file
/// Finds the value with a given pointer in a JSON text.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace resumable::value {

struct Position {
  std::size_t line = 1;
  std::size_t column = 1;  ///< in characters
};

/// nullopt: the text has no such value, or is not JSON.
[[nodiscard]] std::optional<Position> position_of(std::string_view text, std::string_view pointer);

}  // namespace resumable::value
