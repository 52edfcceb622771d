/// @file
/// Which characters may stand in a YAML file as they are.
#pragma once

#include <cstddef>
#include <string_view>

namespace resumable::yaml {

constexpr std::size_t max_depth = 256;  ///< as for JSON

struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;  ///< 0: the text is not UTF-8 here
};

/// The character at `at`.
[[nodiscard]] Character character_at(std::string_view text, std::size_t at) noexcept;

/// Whether every reader takes it for itself; line feeds and tabs are not among them.
[[nodiscard]] bool is_printable(char32_t code) noexcept;

/// Whether YAML, of any version, reads this plain scalar as a number.
[[nodiscard]] bool is_number(std::string_view text) noexcept;

}  // namespace resumable::yaml
