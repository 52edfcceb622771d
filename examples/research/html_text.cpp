#include "research/html_text.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>

namespace research {
namespace {

std::string utf8(unsigned code) {
  const auto byte = [](unsigned bits) { return static_cast<char>(bits); };
  if (code == 0xA0 || code == 0x2009) return " ";
  if (code == 0xAD) return {};  // a soft hyphen
  if (code < 0x80) return {byte(code)};
  if (code < 0x800) return {byte(0xC0 | (code >> 6)), byte(0x80 | (code & 0x3F))};
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  if (surrogate || code > 0x10FFFF) return "\xEF\xBF\xBD";
  if (code < 0x10000) {
    return {byte(0xE0 | (code >> 12)), byte(0x80 | ((code >> 6) & 0x3F)),
            byte(0x80 | (code & 0x3F))};
  }
  return {byte(0xF0 | (code >> 18)), byte(0x80 | ((code >> 12) & 0x3F)),
          byte(0x80 | ((code >> 6) & 0x3F)), byte(0x80 | (code & 0x3F))};
}

/// The text of `&name;`, or the reference as it is when it is not known. Latin-1 and what texts
/// have besides: an editor writes all others as characters.
std::string entity(std::string_view name) {
  static const std::map<std::string_view, unsigned> known{
      {"amp", '&'},       {"lt", '<'},       {"gt", '>'},        {"quot", '"'},
      {"apos", '\''},     {"nbsp", 0xA0},    {"iexcl", 0xA1},    {"cent", 0xA2},
      {"pound", 0xA3},    {"yen", 0xA5},     {"sect", 0xA7},     {"copy", 0xA9},
      {"laquo", 0xAB},    {"shy", 0xAD},     {"reg", 0xAE},      {"deg", 0xB0},
      {"plusmn", 0xB1},   {"sup2", 0xB2},    {"sup3", 0xB3},     {"micro", 0xB5},
      {"para", 0xB6},     {"middot", 0xB7},  {"raquo", 0xBB},    {"frac14", 0xBC},
      {"frac12", 0xBD},   {"frac34", 0xBE},  {"iquest", 0xBF},   {"Agrave", 0xC0},
      {"Aacute", 0xC1},   {"Acirc", 0xC2},   {"Auml", 0xC4},     {"Aring", 0xC5},
      {"AElig", 0xC6},    {"Ccedil", 0xC7},  {"Egrave", 0xC8},   {"Eacute", 0xC9},
      {"Ntilde", 0xD1},   {"Ouml", 0xD6},    {"times", 0xD7},    {"Oslash", 0xD8},
      {"Uuml", 0xDC},     {"szlig", 0xDF},   {"agrave", 0xE0},   {"aacute", 0xE1},
      {"acirc", 0xE2},    {"atilde", 0xE3},  {"auml", 0xE4},     {"aring", 0xE5},
      {"aelig", 0xE6},    {"ccedil", 0xE7},  {"egrave", 0xE8},   {"eacute", 0xE9},
      {"ecirc", 0xEA},    {"euml", 0xEB},    {"igrave", 0xEC},   {"iacute", 0xED},
      {"icirc", 0xEE},    {"iuml", 0xEF},    {"ntilde", 0xF1},   {"ograve", 0xF2},
      {"oacute", 0xF3},   {"ocirc", 0xF4},   {"otilde", 0xF5},   {"ouml", 0xF6},
      {"divide", 0xF7},   {"oslash", 0xF8},  {"ugrave", 0xF9},   {"uacute", 0xFA},
      {"ucirc", 0xFB},    {"uuml", 0xFC},    {"yuml", 0xFF},     {"thinsp", 0x2009},
      {"ndash", 0x2013},  {"mdash", 0x2014}, {"lsquo", 0x2018},  {"rsquo", 0x2019},
      {"ldquo", 0x201C},  {"rdquo", 0x201D}, {"bull", 0x2022},   {"hellip", 0x2026},
      {"euro", 0x20AC},   {"trade", 0x2122}, {"rarr", 0x2192},   {"minus", 0x2212},
      {"le", 0x2264},     {"ge", 0x2265},    {"lsaquo", 0x2039}, {"rsaquo", 0x203A},
      {"larr", 0x2190},   {"uarr", 0x2191},  {"darr", 0x2193},   {"sbquo", 0x201A},
      {"bdquo", 0x201E},  {"sup1", 0xB9},    {"ordf", 0xAA},     {"ordm", 0xBA},
      {"permil", 0x2030}, {"prime", 0x2032}, {"Prime", 0x2033},  {"dagger", 0x2020},
      {"ne", 0x2260},     {"asymp", 0x2248}, {"radic", 0x221A},  {"infin", 0x221E},
      {"Omega", 0x3A9},   {"Delta", 0x394},  {"alpha", 0x3B1},   {"beta", 0x3B2},
      {"pi", 0x3C0},      {"ensp", 0x2009},  {"emsp", 0x2009},   {"check", 0x2713}};
  if (const auto found = known.find(name); found != known.end()) return utf8(found->second);
  if (name.starts_with('#')) {
    const bool hex = name.size() > 1 && (name[1] == 'x' || name[1] == 'X');
    const std::string_view digits = name.substr(hex ? 2 : 1);
    unsigned code = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), code, hex ? 16 : 10);
    if (error == std::errc{} && end == digits.data() + digits.size() && code != 0)
      return utf8(code);
  }
  return "&" + std::string{name} + ";";
}

}  // namespace

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::string lower(std::string_view text) {
  std::string out{text};
  std::ranges::transform(out, out.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::string tidy(std::string_view text) {
  static constexpr std::string_view no_break = "\u00A0";
  std::string out;
  while (!text.empty()) {
    const bool wide = text.starts_with(no_break);
    const bool space = wide || is_space(text.front());
    if (!space) out += text.front();
    if (space && !out.empty() && out.back() != ' ') out += ' ';
    text.remove_prefix(wide ? no_break.size() : 1);
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

std::string unescape(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t at = text.find('&');
    out += text.substr(0, at);
    if (at == text.npos) break;
    text.remove_prefix(at);
    const std::size_t end = text.find(';');
    if (end == text.npos || end > 10) {
      out += '&';
      text.remove_prefix(1);
    } else {
      out += entity(text.substr(1, end - 1));
      text.remove_prefix(end + 1);
    }
  }
  return out;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string percent_encoded(std::string_view text) {
  static constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '-' || c == '_' || c == '.') {
      out += c;
    } else {
      out += '%';
      out += digits[byte >> 4];
      out += digits[byte & 15];
    }
  }
  return out;
}

}  // namespace research
