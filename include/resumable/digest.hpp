/// @file
/// A 128-bit digest of content: XXH3-128, in its canonical (big-endian) form.
///
/// It detects accidents, not attackers. Source: https://github.com/Cyan4973/xxHash (XXH3, seed 0).
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "resumable/export.hpp"

namespace resumable {
inline namespace v0 {

/// 16 bytes; equal content gives equal digests on every machine.
struct Digest {
  std::array<std::uint8_t, 16> bytes{};

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 means the 0 of the comparison
  friend auto operator<=>(const Digest&, const Digest&) = default;
  /// 32 lower-case hexadecimal digits.
  [[nodiscard]] RESUMABLE_EXPORT std::string hex() const;
  /// The first 6 digits, for messages.
  [[nodiscard]] std::string brief() const { return hex().substr(0, 6); }
  /// The inverse of hex(); nullopt when `text` is not 32 hexadecimal digits.
  [[nodiscard]] RESUMABLE_EXPORT static std::optional<Digest> parse(std::string_view text);
};

/// The digest of `content`.
[[nodiscard]] RESUMABLE_EXPORT Digest digest(std::string_view content) noexcept;

/// The digest of a sequence of pieces, each with its length, so that ("ab","c") != ("a","bc"). A
/// store that supports Put::seal digests the payload with add_raw() while it writes. Not safe to
/// use from two threads at once.
class RESUMABLE_EXPORT Digester {
 public:
  Digester();
  ~Digester();
  Digester(Digester&&) noexcept;
  Digester& operator=(Digester&&) noexcept;

  Digester& add(std::string_view piece);      ///< length, then bytes
  Digester& add(const Digest& piece);         ///< the 16 bytes
  Digester& add_raw(std::string_view bytes);  ///< bytes only: for content that arrives in parts
  [[nodiscard]] Digest finish() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace v0
}  // namespace resumable
