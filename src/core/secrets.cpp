#include "core/secrets.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/text.hpp"

namespace resumable::core {
namespace {

constexpr std::size_t shortest_secret = 4;  // a shorter secret would match everywhere
constexpr std::size_t shortest_line = 8;    // of several
constexpr std::size_t shortest_code = 8;    // characters of base64

/// One character of the secret: its bytes, and what they stand for.
struct Unit {
  std::string_view bytes;
  std::uint32_t code = 0;
};

/// The first character; a single byte if the text is not UTF-8.
Unit first_of(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t size = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (size == 1 || !is_utf8(text.substr(0, size))) return {text.substr(0, 1), lead};
  std::uint32_t code = lead & (0xFFU >> (size + 1));
  for (const char c : text.substr(1, size - 1)) {
    code = code << 6U | (static_cast<unsigned char>(c) & 0x3FU);
  }
  return {text.substr(0, size), code};
}

/// A number of at most 8 digits at the beginning of `text`, which is shortened by it.
std::optional<std::uint32_t> take_number(std::string_view& text, unsigned base,
                                         std::size_t digits) {
  std::uint32_t value = 0;
  std::size_t count = 0;
  for (; count < std::min(digits, text.size()); ++count) {
    const char c = text[count];
    unsigned digit = base;
    if (c >= '0' && c <= '9') digit = static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') digit = static_cast<unsigned>(c - 'a') + 10;
    if (c >= 'A' && c <= 'F') digit = static_cast<unsigned>(c - 'A') + 10;
    if (digit >= base) break;
    value = value * base + digit;
  }
  if (count == 0) return std::nullopt;
  text.remove_prefix(count);
  return value;
}

bool take(std::string_view& text, std::string_view part) {
  if (!text.starts_with(part)) return false;
  text.remove_prefix(part.size());
  return true;
}

/// Each byte after a prefix, in two hexadecimal digits: `%c3%a9`.
bool take_bytes(std::string_view& text, std::string_view prefix, const Unit& unit) {
  return std::ranges::all_of(unit.bytes, [&](char byte) {
    return take(text, prefix) && take_number(text, 16, 2) == static_cast<unsigned char>(byte);
  });
}

/// `\u00e9`; two of them for what needs more than 16 bits.
bool take_utf16(std::string_view& text, const Unit& unit) {
  const auto is = [&](std::uint32_t code) {
    return take(text, "\\u") && take_number(text, 16, 4) == code;
  };
  if (unit.code < 0x10000) return is(unit.code);
  const std::uint32_t rest = unit.code - 0x10000;
  return is(0xD800 + (rest >> 10U)) && is(0xDC00 + (rest & 0x3FFU));
}

bool take_reference(std::string_view& text, const Unit& unit) {
  if (!take(text, "&#")) return false;
  const bool hexadecimal = take(text, "x") || take(text, "X");
  return take_number(text, hexadecimal ? 16 : 10, 8) == unit.code && take(text, ";");
}

constexpr std::array short_forms{
    std::pair{'"', "\\\""}, std::pair{'\\', "\\\\"},  std::pair{'/', "\\/"},
    std::pair{'\'', "\\'"}, std::pair{'\n', "\\n"},   std::pair{'\r', "\\r"},
    std::pair{'\t', "\\t"}, std::pair{'\b', "\\b"},   std::pair{'\f', "\\f"},
    std::pair{' ', "+"},    std::pair{'&', "&amp;"},  std::pair{'<', "&lt;"},
    std::pair{'>', "&gt;"}, std::pair{'"', "&quot;"}, std::pair{'\'', "&apos;"},
};

/// Adds where `text` goes on after the character, for each way in which it may be spelled there.
void add_ends(std::string_view text, std::size_t at, const Unit& unit,
              std::vector<std::size_t>& ends) {
  const std::string_view from = text.substr(at);
  const auto end = [&](std::string_view rest) { ends.push_back(text.size() - rest.size()); };
  const auto attempt = [&](auto&& take_it) {
    std::string_view rest = from;
    if (take_it(rest)) end(rest);
  };
  attempt([&](auto& rest) { return take(rest, unit.bytes); });
  if (from.empty() || (from[0] != '%' && from[0] != '\\' && from[0] != '&' && from[0] != '+')) {
    return;
  }
  attempt([&](auto& rest) { return take_bytes(rest, "%", unit); });
  attempt([&](auto& rest) { return take_bytes(rest, "\\x", unit); });
  attempt([&](auto& rest) { return take_utf16(rest, unit); });
  attempt([&](auto& rest) { return take_reference(rest, unit); });
  for (const auto& [c, form] : short_forms) {
    if (unit.bytes[0] == c) attempt([&, form = form](auto& rest) { return take(rest, form); });
  }
}

std::vector<Unit> units_of(std::string_view secret) {
  std::vector<Unit> units;
  while (!secret.empty()) {
    units.push_back(first_of(secret));
    secret.remove_prefix(units.back().bytes.size());
  }
  return units;
}

/// Where the secret that begins at `at` ends, or npos. The longest of several ends.
std::size_t end_of(std::string_view text, std::size_t at, const std::vector<Unit>& units) {
  std::vector<std::size_t> ends{at};
  std::vector<std::size_t> next;
  for (const Unit& unit : units) {
    next.clear();
    for (const std::size_t one : ends) add_ends(text, one, unit, next);
    std::ranges::sort(next);
    next.erase(std::unique(next.begin(), next.end()), next.end());
    if (next.empty()) return text.npos;
    std::swap(ends, next);
  }
  return ends.back();
}

void mask_escaped(std::string& text, std::string_view secret, std::string_view mark) {
  const std::vector<Unit> units = units_of(secret);
  const char begins[] = {secret.front(), '%', '\\', '&', '+'};
  const std::string_view some{begins, sizeof begins};
  std::string masked;
  std::size_t done = 0;
  for (std::size_t at = text.find_first_of(some); at != text.npos;) {
    const std::size_t end = end_of(text, at, units);
    if (end == text.npos) {
      at = text.find_first_of(some, at + 1);
      continue;
    }
    masked.append(text, done, at - done).append(mark);
    done = end;
    at = text.find_first_of(some, end);
  }
  if (done > 0) text = masked.append(text, done);
}

void replace_all(std::string& text, std::string_view part, std::string_view mark) {
  std::size_t at = text.find(part);
  for (; at != text.npos; at = text.find(part, at + mark.size())) {
    text.replace(at, part.size(), mark);
  }
}

void mask_hex(std::string& text, std::string_view secret, std::string_view mark) {
  std::string digits;
  for (const char c : secret) append_hex(digits, static_cast<unsigned char>(c));
  replace_all(text, digits, mark);
  std::ranges::transform(digits, digits.begin(),
                         [](char c) { return c >= 'a' ? static_cast<char>(c - 'a' + 'A') : c; });
  replace_all(text, digits, mark);
}

/// What the secret alone decides of the base64 of a text that has it `before` bytes (0 to 2) after
/// a group's beginning.
std::string base64_core(std::string_view secret, std::size_t before, std::string_view alphabet) {
  const std::string bytes = std::string(before, '\0') + std::string{secret};
  std::string code;
  for (std::size_t bit = 0; bit + 6 <= bytes.size() * 8; bit += 6) {
    unsigned value = 0;
    for (std::size_t i = bit; i < bit + 6; ++i) {
      value = value << 1U | (static_cast<unsigned char>(bytes[i / 8]) >> (7 - i % 8) & 1U);
    }
    code += alphabet[value];
  }
  return code.substr((before * 8 + 5) / 6);
}

void mask_base64(std::string& text, std::string_view secret, std::string_view mark) {
  const std::string common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  for (const char* last_two : {"+/", "-_"}) {
    for (std::size_t before = 0; before < 3; ++before) {
      const std::string code = base64_core(secret, before, common + last_two);
      if (code.size() >= shortest_code) replace_all(text, code, mark);
    }
  }
}

void mask_spellings(std::string& text, std::string_view secret, std::string_view mark) {
  mask_escaped(text, secret, mark);
  mask_hex(text, secret, mark);
  mask_base64(text, secret, mark);
}

}  // namespace

void mask(std::string& text, std::string_view secret, std::string_view mark) {
  if (secret.size() < shortest_secret) return;
  mask_spellings(text, secret, mark);
  if (secret.find('\n') == secret.npos) return;
  for (std::string_view rest = secret; !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.size() >= shortest_line) mask_spellings(text, line, mark);
  }
}

}  // namespace resumable::core
