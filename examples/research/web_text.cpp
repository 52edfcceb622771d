// Small, and without the library.
#include "research/web_text.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace research {

std::string lower(std::string_view text) {
  std::string out{text};
  std::ranges::transform(out, out.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::string escaped(std::string_view text) {
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
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = std::isalnum(byte) != 0 || c == '-' || c == '_' || c == '.';
    out += plain ? std::string{c} : fmt::format("%{:02X}", byte);
  }
  return out;
}

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, names.size()); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  return text + (names.size() > shown ? " and others" : "");
}

}  // namespace research
