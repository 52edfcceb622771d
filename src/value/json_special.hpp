/// @file
/// The characters that a JSON string cannot hold as they are, found eight at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace resumable::value {

/// A quote, a backslash or a control character.
[[nodiscard]] inline bool is_json_special(char c) noexcept {
  return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
}

/// The position of the first special character from `at` on, or text.size().
///
/// A word is tested for "has a byte below n" as in Anderson, Bit Twiddling Hacks, which may not say
/// which byte it is, but never misses one.
[[nodiscard]] inline std::size_t find_json_special(std::string_view text, std::size_t at) noexcept {
  constexpr std::uint64_t ones = 0x0101010101010101;
  constexpr std::uint64_t highs = 0x80 * ones;
  const auto has_below = [](std::uint64_t word, std::uint64_t n) {
    return (word - n * ones) & ~word & highs;
  };
  for (std::uint64_t word = 0; at + sizeof word <= text.size(); at += sizeof word) {
    std::memcpy(&word, text.data() + at, sizeof word);
    const std::uint64_t special = has_below(word, 0x20) | has_below(word ^ ('"' * ones), 1) |
                                  has_below(word ^ ('\\' * ones), 1);
    if (special != 0) break;
  }
  while (at < text.size() && !is_json_special(text[at])) ++at;
  return at;
}

}  // namespace resumable::value
