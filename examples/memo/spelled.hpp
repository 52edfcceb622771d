/// @file
/// Words of a text, and numbers that are written in words.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memo {

/// A word, a number in digits or one other character, and where it stands.
struct Token {
  enum class Kind { word, number, sign };

  Kind kind = Kind::sign;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;  ///< words in lower case

  [[nodiscard]] bool is(std::string_view other) const { return text == other; }
  /// Nothing stands between it and the one before.
  [[nodiscard]] bool follows(const Token& before) const { return begin == before.end; }
};

/// The tokens of `text`. Separators stay inside a number: `1,234.5`, `25 000`, `1’900`; so does a
/// figure inside a name: `FD20`.
std::vector<Token> tokens_of(std::string_view text);

/// `seven` or `forty`; nothing for any other word.
std::optional<int> small_number(std::string_view word);

/// 1000 of `thousand`, `tsd` or `k`; 0 if it is no scale.
double scale_of(std::string_view word);

struct Spelled {
  double value = 0;
  std::size_t end = 0;  ///< index of the token behind it
};

/// The number in words that begins at `at`: `nine hundred and ninety-nine`, `a million`.
std::optional<Spelled> spelled_at(const std::vector<Token>& tokens, std::size_t at);

}  // namespace memo
