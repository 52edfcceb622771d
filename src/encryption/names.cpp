#include "encryption/names.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

namespace resumable::encryption {
namespace {

// A component has at most 220 characters. Base32 makes 8 of 5 bytes.
constexpr std::size_t most_bytes = 220 * 5 / 8 - siv_tag;

constexpr char as_it_is = 'p';
constexpr char unescaped = 'u';

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-' ||
         c == '@' || c == '~';
}

std::string escape(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    if (is_plain(c)) {
      text += c;
    } else {
      text += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return text;
}

std::string unescape(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string bytes;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t high = at + 2 < text.size() ? digits.find(text[at + 1]) : digits.npos;
    const std::size_t low = at + 2 < text.size() ? digits.find(text[at + 2]) : digits.npos;
    if (text[at] == '%' && high != digits.npos && low != digits.npos) {
      bytes += static_cast<char>(high * 16 + low);
      at += 2;
    } else {
      bytes += text[at];
    }
  }
  return bytes;
}

/// As few bytes as possible: item keys are full of escapes.
std::string packed(std::string_view component) {
  const std::string bytes = unescape(component);
  if (escape(bytes) == component) return unescaped + bytes;
  return as_it_is + std::string{component};
}

std::optional<std::string> unpacked(std::string_view bytes) {
  if (bytes.empty()) return std::nullopt;
  if (bytes.front() == unescaped) return escape(bytes.substr(1));
  return std::string{bytes.substr(1)};
}

/// Calls visit(component) for each of them; ends when it returns false.
template <class Visit>
bool each_component(std::string_view path, const Visit& visit) {
  while (true) {
    const std::size_t slash = path.find('/');
    if (!visit(path.substr(0, slash))) return false;
    if (slash == path.npos) return true;
    path.remove_prefix(slash + 1);
  }
}

}  // namespace

std::string Names::component(std::string_view parent, std::string_view name, SealedPath& to) const {
  const std::string bytes = packed(name);
  const std::string sealed = seal_name(keys_->names(), parent, bytes);
  if (bytes.size() <= most_bytes) return to_base32(sealed);
  std::string brief = "~" + to_base32(std::string_view{sealed}.substr(0, siv_tag));
  to.book.emplace(std::string{book_folder} + brief, name);
  return brief;
}

SealedPath Names::seal(std::string_view path) const {
  SealedPath sealed;
  std::string parent;
  each_component(path, [&](std::string_view name) {
    if (!sealed.path.empty()) sealed.path += '/';
    sealed.path += component("/" + parent, name, sealed);
    parent.append(name).append("/");
    return true;
  });
  return sealed;
}

std::string Names::seal_prefix(std::string_view prefix) const {
  const std::size_t slash = prefix.rfind('/');
  return slash == prefix.npos ? std::string{} : seal(prefix.substr(0, slash)).path + '/';
}

std::optional<std::string> Names::open(std::string_view sealed, const Book& book) const {
  std::string path;
  const bool good = each_component(sealed, [&](std::string_view one) {
    std::optional<std::string> name;
    if (one.starts_with('~')) {
      name = book(std::string{one});
    } else if (const auto bytes = from_base32(one)) {
      const auto plain = open_name(keys_->names(), "/" + path, *bytes);
      if (plain) name = unpacked(*plain);
    }
    if (name) path.append(*name).append("/");
    return name.has_value();
  });
  if (!good) return std::nullopt;
  path.pop_back();
  return path;
}

}  // namespace resumable::encryption
