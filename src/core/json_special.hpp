/// @file
/// The characters that a JSON string cannot hold as they are, found eight at a time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace resumable::core {

/// A quote, a backslash or a control character.
[[nodiscard]] inline bool is_json_special(char c) noexcept {
  return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
}

/// As is_json_special(), and what is no printable ASCII.
[[nodiscard]] inline bool is_not_plain(char c) noexcept {
  return is_json_special(c) || static_cast<unsigned char>(c) > 0x7e;
}

/// The position of the first special character from `at` on, or with `not_plain` of the first that
/// is_not_plain(); text.size() if there is none.
///
/// A word is tested for "has a byte below n" as in Anderson, Bit Twiddling Hacks: it never misses
/// one, and the least significant byte that it names is right.
template <bool not_plain = false>
[[nodiscard]] inline std::size_t find_json_special(std::string_view text, std::size_t at) noexcept {
  constexpr std::uint64_t ones = 0x0101010101010101;
  constexpr std::uint64_t highs = 0x80 * ones;
  constexpr auto is_special = not_plain ? is_not_plain : is_json_special;
  const auto has_below = [](std::uint64_t word, std::uint64_t n) {
    return (word - n * ones) & ~word & highs;
  };
  for (std::uint64_t word = 0; at + sizeof word <= text.size(); at += sizeof word) {
    std::memcpy(&word, text.data() + at, sizeof word);
    std::uint64_t special = has_below(word, 0x20) | has_below(word ^ ('"' * ones), 1) |
                            has_below(word ^ ('\\' * ones), 1);
    if constexpr (not_plain) special |= (word & highs) | has_below(word ^ (0x7f * ones), 1);
    if (special == 0) continue;
    if constexpr (std::endian::native == std::endian::little) {
      return at + static_cast<std::size_t>(std::countr_zero(special)) / 8;
    }
    break;
  }
  while (at < text.size() && !is_special(text[at])) ++at;
  return at;
}

}  // namespace resumable::core
