#include "insights/numbers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <regex>

#include "insights/words.hpp"

namespace insights {
namespace {

constexpr std::array<std::string_view, 4> signs{"€", "$", "£", "%"};

/// The unit that these signs are; nullopt when they are none.
std::optional<std::string> unit_in(std::string_view text) {
  if (text.empty()) return "";
  if (std::ranges::find(signs, text) != signs.end()) return std::string{text};
  const std::vector<std::string> lower = words_in(text);
  const auto& units = words().units;
  if (lower.size() == 1 && units.contains(lower[0])) return units.at(lower[0]);
  const bool is_known =
      std::ranges::any_of(units, [&](const auto& unit) { return unit.second == text; });
  return is_known ? std::optional{std::string{text}} : std::nullopt;
}

/// With plain signs: an apostrophe and a space for those of fine print, a minus before digits.
std::string with_plain_signs(std::string text) {
  static constexpr std::array<std::pair<std::string_view, char>, 6> fine{{{"’", '\''},
                                                                          {"\u00a0", ' '},
                                                                          {"\u2009", ' '},
                                                                          {"\u202f", ' '},
                                                                          {"\u2007", ' '},
                                                                          {"−", '-'}}};
  for (const auto& [sign, plain] : fine) {
    for (std::size_t at = text.find(sign); at != text.npos; at = text.find(sign, at + 1)) {
      text.replace(at, sign.size(), 1, plain);
    }
  }
  return text;
}

/// Without apostrophes, or single spaces, between thousands: 1'234'567. Elsewhere they stay.
std::string without_gaps(const std::string& text) {
  static constexpr std::string_view digits = "0123456789";
  const std::size_t begin = std::min(text.find_first_of(digits), text.size());
  std::size_t at = std::min(text.find_first_not_of(digits, begin), text.size());
  if (at == text.size() || at - begin > 3 || text[begin] == '0') return text;
  const char mark = text[at];
  if (mark != '\'' && mark != ' ') return text;
  const auto is_digit_at = [&](std::size_t place) {
    return place < text.size() && digits.find(text[place]) != digits.npos;
  };
  std::string plain = text.substr(0, at);
  while (at < text.size() && text[at] == mark && is_digit_at(at + 1)) {
    if (!is_digit_at(at + 2) || !is_digit_at(at + 3) || is_digit_at(at + 4)) return text;
    plain += text.substr(at + 1, 3);
    at += 4;
  }
  return plain + text.substr(at);
}

/// Without the marks between thousands; nullopt when they are elsewhere.
std::optional<std::string> without_marks(std::string_view digits, char mark, char point) {
  std::string plain;
  const std::size_t whole = std::min(digits.find(point), digits.size());
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (digits[i] == mark) {
      const bool good = i > 0 && i < whole && (whole - i) % 4 == 0;
      if (!good) return std::nullopt;
    } else {
      plain += digits[i] == point ? '.' : digits[i];
    }
  }
  // With one mark there are all of them: 1,234567 is no number.
  const std::size_t first = digits.find(mark);
  const std::size_t sign = digits.starts_with('-') ? 1 : 0;
  if (first == digits.npos) return plain;
  const auto marks = static_cast<std::size_t>(std::ranges::count(digits, mark));
  return first - sign <= 3 && marks == (whole - sign - 1) / 4 ? std::optional{plain} : std::nullopt;
}

}  // namespace

std::optional<Written> parse_duration(const std::string& cell) {
  static const std::regex clock{R"(([-+]?)(\d{1,5}):([0-5]\d)(?::([0-5]\d))?)"};
  static const std::regex named{
      R"((-?)(?:(\d+) ?h(?:rs?|ours?)?)?[ ,]*(?:(\d+) ?m(?:ins?|inutes?)?)?[ ,]*(?:(\d+) ?s(?:ecs?)?)?)",
      std::regex::icase};
  std::smatch found;
  constexpr std::size_t longest = 40;  // std::regex recurses with each character
  if (cell.empty() || cell.size() > longest ||
      (!std::regex_match(cell, found, clock) && !std::regex_match(cell, found, named)))
    return std::nullopt;
  const auto part = [&](std::size_t at) {
    return found[at].matched ? std::strtod(found[at].str().c_str(), nullptr) : 0.0;
  };
  const double minutes = part(2) * 60 + part(3) + part(4) / 60;
  return Written{found[1] == "-" ? -minutes : minutes, "min"};
}

std::optional<Written> parse_number(const std::string& cell, bool decimal_comma) {
  static constexpr std::string_view in_number = "+-.,0123456789eE";
  const std::string plain = without_gaps(with_plain_signs(cell));
  std::string_view rest = plain;
  bool negative = false;
  if (rest.starts_with('-') || rest.starts_with('+')) {
    negative = rest.front() == '-';
    rest.remove_prefix(1);
  }
  std::string unit;
  for (const std::string_view sign : signs) {
    if (!rest.starts_with(sign)) continue;
    unit = sign;
    rest.remove_prefix(sign.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  }
  // An e is of the number only before digits: 5e3, not 5 eur.
  std::size_t size = std::min(rest.find_first_not_of(in_number), rest.size());
  while (size > 0 && (rest[size - 1] == 'e' || rest[size - 1] == 'E')) --size;
  std::string_view after = rest.substr(size);
  after.remove_prefix(std::min(after.find_first_not_of(' '), after.size()));
  const auto behind = unit_in(after);
  if (size == 0 || !behind || (!unit.empty() && !behind->empty())) return std::nullopt;
  const auto digits =
      without_marks(rest.substr(0, size), decimal_comma ? '.' : ',', decimal_comma ? ',' : '.');
  if (!digits || digits->starts_with('+') || digits->starts_with('-')) return std::nullopt;
  double value = 0;
  const char* end = digits->data() + digits->size();
  const auto read = std::from_chars(digits->data(), end, value);
  // What is beyond this measures nothing, and its squares are no numbers any more.
  const bool measures = value == 0 || (std::abs(value) < 1e100 && std::abs(value) > 1e-100);
  if (read.ec != std::errc{} || read.ptr != end || !measures) return std::nullopt;
  return Written{negative ? -value : value, unit.empty() ? *behind : unit};
}

}  // namespace insights
