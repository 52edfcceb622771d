#include "memo/spelled.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "memo/markdown.hpp"
#include "memo/prose.hpp"

namespace memo {
namespace {

bool is_numeric(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// A letter, or the first byte of one. @pre a character begins at `at`
bool is_letter(std::string_view text, std::size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  return std::isalpha(byte) != 0 || (byte >= 0xC3 && byte <= 0xDF);
}

std::size_t character_end(std::string_view text, std::size_t at) {
  ++at;
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) ++at;
  return at;
}

bool are_three_digits(std::string_view text, std::size_t at) {
  const auto digits = text.substr(std::min(at, text.size()), 3);
  const bool three = digits.size() == 3 && std::ranges::all_of(digits, is_numeric);
  return three && (at + 3 == text.size() || !is_numeric(text[at + 3]));
}

/// Bytes of the separator at `at`, behind `digits` digits; 0 if the number ends there.
std::size_t separator(std::string_view text, std::size_t at, std::size_t digits) {
  const auto rest = text.substr(at);
  if (rest.size() > 1 && (rest[0] == ',' || rest[0] == '.') && is_numeric(rest[1])) return 1;
  for (const std::string_view mark : {" ", "'", "’", "\u00A0", "\u202F", "\u2009"}) {
    const bool parts = rest.starts_with(mark) && digits <= 3;
    if (parts && are_three_digits(text, at + mark.size())) return mark.size();
  }
  return 0;
}

std::size_t digits_end(std::string_view text, std::size_t at) {
  for (std::size_t digits = 0; at < text.size();) {
    if (is_numeric(text[at])) {
      ++digits;
      ++at;
      continue;
    }
    const auto bytes = separator(text, at, digits);
    if (bytes == 0) break;
    at += bytes;
    digits = 0;
  }
  return at;
}

std::size_t word_end(std::string_view text, std::size_t at) {
  while (at < text.size() && (is_letter(text, at) || is_numeric(text[at]))) {
    at = character_end(text, at);
  }
  return at;
}

bool is_large(std::string_view word) {
  return word == "thousand" || word == "million" || word == "billion" || word == "trillion";
}

}  // namespace

std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < text.size();) {
    Token token;
    token.begin = at;
    if (is_numeric(text[at])) {
      token.kind = Token::Kind::number;
      token.end = digits_end(text, at);
    } else if (is_letter(text, at)) {
      token.kind = Token::Kind::word;
      token.end = word_end(text, at);
    } else {
      token.end = character_end(text, at);
    }
    at = token.end;
    token.text = to_lower(text.substr(token.begin, token.end - token.begin));
    if (!trim(token.text).empty()) tokens.push_back(std::move(token));
  }
  return tokens;
}

std::optional<int> small_number(std::string_view word) {
  static constexpr std::array<std::string_view, 20> units{
      "zero",     "one",     "two",     "three",     "four",     "five",    "six",
      "seven",    "eight",   "nine",    "ten",       "eleven",   "twelve",  "thirteen",
      "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
  static constexpr std::array<std::string_view, 8> tens{"twenty", "thirty",  "forty",  "fifty",
                                                        "sixty",  "seventy", "eighty", "ninety"};
  const auto unit = std::ranges::find(units, word);
  if (unit != units.end()) return static_cast<int>(unit - units.begin());
  const auto ten = std::ranges::find(tens, word);
  if (ten != tens.end()) return 10 * static_cast<int>(ten - tens.begin() + 2);
  return std::nullopt;
}

double scale_of(std::string_view word) {
  static constexpr std::array<std::pair<std::string_view, double>, 21> scales{
      {{"thousand", 1e3},  {"k", 1e3},   {"tsd", 1e3},  {"million", 1e6}, {"millions", 1e6},
       {"mn", 1e6},        {"mio", 1e6}, {"mln", 1e6},  {"m", 1e6},       {"billion", 1e9},
       {"billions", 1e9},  {"bn", 1e9},  {"b", 1e9},    {"mrd", 1e9},     {"bln", 1e9},
       {"trillion", 1e12}, {"tn", 1e12}, {"lakh", 1e5}, {"lakhs", 1e5},   {"crore", 1e7},
       {"crores", 1e7}}};
  const auto found = std::ranges::find(scales, word, &std::pair<std::string_view, double>::first);
  return found == scales.end() ? 0 : found->second;
}

std::optional<Spelled> spelled_at(const std::vector<Token>& tokens, std::size_t at) {
  double total = 0;
  double current = 0;
  bool seen = false;
  const auto word = [&](std::size_t i) {
    return i < tokens.size() ? std::string_view{tokens[i].text} : std::string_view{};
  };
  std::size_t i = at;
  if (word(i) == "a" && (word(i + 1) == "hundred" || is_large(word(i + 1)))) {
    current = 1;
    seen = true;
    ++i;
  }
  for (int last = 1000; i < tokens.size();) {  // `last` bounds what may follow
    const bool joins = seen && ((word(i) == "and" && last >= 100) || word(i) == "-");
    const std::size_t next = joins ? i + 1 : i;
    const auto number = small_number(word(next));
    if (number && *number < last) {
      current += *number;
      last = *number >= 20 ? 10 : 0;
    } else if (word(next) == "hundred" && seen && current > 0 && last != 100) {
      current *= 100;
      last = 100;
    } else if (!joins && is_large(word(next)) && seen && current > 0) {
      total += current * scale_of(word(next));
      current = 0;
      last = 1000;
    } else {
      break;
    }
    seen = true;
    i = next + 1;
  }
  if (!seen) return std::nullopt;
  return Spelled{total + current, i};
}

}  // namespace memo
