/// @file
/// Helpers for text that several modules need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "resumable/cost.hpp"
#include "resumable/export.hpp"

namespace resumable::core {

[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

/// `text` with control characters and bytes that are not UTF-8 as \xNN, cut after 120 bytes.
[[nodiscard]] RESUMABLE_EXPORT std::string printable(std::string_view text);

/// The same without a cut, and with line feeds and tabs as they are: messages as people read them.
[[nodiscard]] RESUMABLE_EXPORT std::string escaped(std::string_view text);

/// Appends two lower-case hexadecimal digits.
inline void append_hex(std::string& text, unsigned char byte) {
  constexpr std::string_view digits = "0123456789abcdef";
  const char both[] = {digits[byte >> 4U], digits[byte & 15U]};
  text.append(both, 2);
}
/// Writes two such digits for each byte, and returns what is behind them.
inline char* write_hex(char* to, std::span<const std::uint8_t> bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  for (const std::uint8_t byte : bytes) {
    *to++ = digits[byte >> 4U];
    *to++ = digits[byte & 15U];
  }
  return to;
}
inline void append_hex(std::string& text, std::span<const std::uint8_t> bytes) {
  const std::size_t before = text.size();
  text.resize(before + 2 * bytes.size());
  write_hex(text.data() + before, bytes);
}
/// Reads `to.size()` bytes, two lower-case hexadecimal digits each; false when `text` is not that.
[[nodiscard]] bool read_hex(std::string_view text, std::span<std::byte> to) noexcept;

/// The name at the enumerator's place in `names`, which has one for each up to `last`; "unknown"
/// for a number that has none.
template <auto last, std::size_t N>
[[nodiscard]] constexpr std::string_view name_in(const std::string_view (&names)[N],
                                                 decltype(last) value) noexcept {
  static_assert(N == static_cast<std::size_t>(last) + 1, "each enumerator has one name");
  const auto place = static_cast<std::size_t>(value);
  return place < N ? names[place] : "unknown";
}

/// `text` in Unicode's normal form C, and that with differences of case folded away. Text that is
/// not UTF-8 is returned as it is.
[[nodiscard]] std::string nfc(std::string_view text);
[[nodiscard]] std::string fold_case(std::string_view text);

/// Lower-cased ASCII.
[[nodiscard]] std::string lower(std::string_view text);

/// The candidate that `word` is most likely a misspelling of, or "" (Damerau-Levenshtein distance
/// of at most a third of its length; Damerau 1964).
[[nodiscard]] RESUMABLE_EXPORT std::string did_you_mean(std::string_view word,
                                                        const std::vector<std::string>& candidates);

/// `$0.06`, else `1200 tokens`, else "".
[[nodiscard]] RESUMABLE_EXPORT std::string format_cost(const Cost& cost);

/// `812 bytes`, `12.3 kB`, `8.4 MB`.
[[nodiscard]] RESUMABLE_EXPORT std::string format_size(std::uint64_t bytes);

}  // namespace resumable::core
