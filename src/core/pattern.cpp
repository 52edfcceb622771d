#include "core/pattern.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/key.hpp"
#include "core/text.hpp"
#include "resumable/digest.hpp"
#include "resumable/error.hpp"

namespace resumable::core {
namespace {

[[noreturn]] void refuse_pattern(std::string_view pattern, std::string_view problem) {
  throw Error(
      Errc::bad_name,
      {.what = fmt::format("artifact pattern '{}' {}", printable(pattern), problem),
       .next = "use a relative path such as '2-sections/{position:02}-{item}.md'; the fields "
               "are {item}, {item:slug}, {position} and {position:02}"});
}

void check_components(std::string_view pattern) {
  std::size_t from = 0;
  while (true) {
    const std::size_t to = std::min(pattern.find('/', from), pattern.size());
    const std::string_view part = pattern.substr(from, to - from);
    if (part.empty()) refuse_pattern(pattern, "has an empty component or is absolute");
    if (part == "." || part == "..") refuse_pattern(pattern, "leaves the folder of the run");
    if (part.size() > 200) refuse_pattern(pattern, "has a component of more than 200 bytes");
    if (from == 0 && lower(part) == own_folder)
      refuse_pattern(pattern, "is in the library's own folder");
    if (to == pattern.size()) return;
    from = to + 1;
  }
}

// One path component that keeps readable text readable: letters of any script stay.
std::string component(std::string_view item) {
  std::string result;
  for (const char c : item) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || c == '/' || c == '%' || c == '\\') {
      result += fmt::format("%{:02X}", byte);
    } else {
      result += c;
    }
  }
  if (result == "." || result == "..") result = "%2E" + result.substr(1);
  return result.size() <= 180 ? result : encode_component(item);
}

std::string slug(std::string_view item) {
  std::string result;
  for (const char c : lower(item)) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      result += c;
    } else if (!result.empty() && result.back() != '-') {
      result += '-';
    }
  }
  while (!result.empty() && result.back() == '-') result.pop_back();
  return result.empty() ? encode_component(item) : result.substr(0, 120);
}

constexpr std::size_t longest = 240;  // of a name; a file system takes 255 bytes

// A name that an item made too long, or that collides with the library's own names, as a valid one.
std::string safe_name(std::string name, bool first) {
  if (name == "." || name == ".." || (first && lower(name) == own_folder)) {
    name.replace(0, 1, "%2E");
  }
  if (name.size() <= longest) return name;
  const std::size_t dot = name.rfind('.');
  const std::string end = dot != name.npos && name.size() - dot <= 16 ? name.substr(dot) : "";
  std::size_t keep = longest - 33 - end.size();
  while (keep > 0 && (static_cast<unsigned char>(name[keep]) & 0xC0) == 0x80) --keep;
  return name.substr(0, keep) + "~" + digest(name).hex() + end;
}

}  // namespace

Pattern::Pattern(std::string_view text) : text_(text) {
  if (!is_utf8(text) || text.find('\0') != text.npos) refuse_pattern(text, "is not text");
  check_components(text);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = std::min(text.find('{', at), text.size());
    if (open > at)
      pieces_.push_back({Piece::What::text, std::string{text.substr(at, open - at)}, 0});
    if (open == text.size()) break;
    const std::size_t close = text.find('}', open);
    if (close == text.npos) refuse_pattern(text, "has a '{' without '}'");
    add_field(text.substr(open + 1, close - open - 1));
    at = close + 1;
  }
}

void Pattern::add_field(std::string_view field) {
  per_item_ = true;
  if (field == "item") {
    pieces_.push_back({Piece::What::item, "item", 0});
  } else if (field == "item:slug") {
    pieces_.push_back({Piece::What::slug, "slug", 0});
  } else if (field == "position") {
    pieces_.push_back({Piece::What::position, "position", 0});
  } else if (field.size() == 11 && field.starts_with("position:0") && field[10] >= '1' &&
             field[10] <= '9') {
    pieces_.push_back({Piece::What::position, "position", field[10] - '0'});
  } else {
    refuse_pattern(text_, fmt::format("has an unknown field '{{{}}}'", printable(field)));
  }
}

bool Pattern::has_position() const noexcept {
  return std::any_of(pieces_.begin(), pieces_.end(),
                     [](const Piece& piece) { return piece.what == Piece::What::position; });
}

std::string Pattern::path(std::string_view item, std::size_t position) const {
  std::string result;
  for (const Piece& piece : pieces_) {
    switch (piece.what) {
      case Piece::What::text: result += piece.text; break;
      case Piece::What::item: result += component(item); break;
      case Piece::What::slug: result += slug(item); break;
      case Piece::What::position: result += fmt::format("{:0{}}", position, piece.width); break;
    }
  }
  std::string safe;
  for (std::size_t from = 0; from <= result.size();) {
    const std::size_t to = std::min(result.find('/', from), result.size());
    if (from > 0) safe += '/';
    safe += safe_name(result.substr(from, to - from), from == 0);
    from = to + 1;
  }
  return safe;
}

std::optional<std::string> Pattern::folder() const {
  const std::size_t slash = text_.rfind('/');
  std::string folder = slash == text_.npos ? std::string{} : text_.substr(0, slash + 1);
  if (folder.find('{') != folder.npos) return std::nullopt;
  return folder;
}

bool Pattern::matches(std::string_view path, std::size_t piece) const {
  if (piece == pieces_.size()) return path.empty();
  const Piece& first = pieces_[piece];
  if (first.what == Piece::What::text) {
    return path.starts_with(first.text) && matches(path.substr(first.text.size()), piece + 1);
  }
  const bool digits = first.what == Piece::What::position;
  for (std::size_t i = 0; i < path.size() && path[i] != '/'; ++i) {
    if (digits && (path[i] < '0' || path[i] > '9')) return false;
    if (matches(path.substr(i + 1), piece + 1)) return true;
  }
  return false;
}

std::string Pattern::folded() const { return fold_path(text_); }

std::string fold_path(std::string_view path) { return fold_case(path); }

}  // namespace resumable::core
