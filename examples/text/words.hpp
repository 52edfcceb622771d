/// @file
/// Words of a text as runs of letters and digits; ASCII has cases here, all else is a letter.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace text {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
inline bool is_letter(char c) {
  return is_capital(c) || (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80;
}

inline std::string in_lower_case(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return is_capital(c) ? static_cast<char>(c + 32) : c; });
  return text;
}

inline std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  bool inside = false;
  for (const char c : text) {
    const bool part = is_letter(c) || is_digit(c);
    if (part && !inside) words.emplace_back();
    if (part) words.back() += c;
    inside = part;
  }
  return words;
}

}  // namespace text
