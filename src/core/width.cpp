#include "core/width.hpp"

#include <algorithm>

#include <utf8proc.h>

namespace resumable::core {
namespace {

struct Glyph {
  std::size_t bytes;
  std::size_t columns;
};

Glyph first_glyph(std::string_view text) {
  if (text.front() == '\x1b') {  // a colour: it ends with an m
    return {std::min(text.find('m'), text.size() - 1) + 1, 0};
  }
  utf8proc_int32_t code = 0;
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  const auto length = utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(text.size()), &code);
  if (length <= 0) return {1, 1};
  return {static_cast<std::size_t>(length), static_cast<std::size_t>(utf8proc_charwidth(code))};
}

/// Where the text of a line's last column begins, when that leaves room for what continues there:
/// `  next  memo resume …` continues under `memo`.
std::size_t continuation(std::string_view line, std::size_t columns) {
  const std::size_t leading = std::min(line.find_first_not_of(' '), line.size());
  const std::string_view first = line.substr(leading, line.find(' ', leading) - leading);
  std::size_t indent = leading > 0 || first.ends_with(':') ? leading + 2 : 0;
  for (std::size_t at = line.find("  ", leading); at != line.npos; at = line.find("  ", at)) {
    at = std::min(line.find_first_not_of(' ', at), line.size());
    const std::size_t column = width(line.substr(0, at));
    if (column > columns / 2) break;
    indent = column;
  }
  return indent;
}

/// The last space at which `line` can be broken, or the first one after its end is reached; npos
/// when it has none behind `indent`.
std::size_t break_of(std::string_view line, std::size_t indent, std::size_t columns) {
  std::size_t found = line.npos;
  for (std::size_t at = line.find(' '); at != line.npos; at = line.find(' ', at + 1)) {
    const std::size_t column = width(line.substr(0, at));
    if (column <= indent) continue;
    if (column > columns) return found == line.npos ? at : found;
    found = at;
  }
  return found;
}

std::string wrap_line(std::string_view line, std::size_t columns) {
  const std::size_t indent = continuation(line, columns);
  std::string text;
  std::string rest{line};
  while (width(rest) > columns) {
    const std::size_t at = break_of(rest, indent, columns);
    if (at == rest.npos) break;
    std::string next = rest.substr(std::min(rest.find_first_not_of(' ', at), rest.size()));
    rest.erase(std::min(rest.find_last_not_of(' ', at) + 1, at));
    text += rest + "\n";
    rest = std::string(indent, ' ') + next;
    if (next.empty()) return text.substr(0, text.size() - 1);
  }
  return text + rest;
}

}  // namespace

std::size_t width(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const Glyph glyph = first_glyph(text);
    columns += glyph.columns;
    text.remove_prefix(glyph.bytes);
  }
  return columns;
}

std::string pad(std::string_view text, std::size_t columns) {
  const std::size_t used = width(text);
  return std::string{text} + std::string(columns > used ? columns - used : 0, ' ');
}

std::string clip(std::string_view text, std::size_t columns, std::string_view mark) {
  if (width(text) <= columns) return std::string{text};
  const std::size_t room = columns - std::min(columns, width(mark));
  std::string clipped;
  std::size_t used = 0;
  bool coloured = false;
  bool full = false;
  while (!text.empty()) {
    const Glyph glyph = first_glyph(text);
    full = full || used + glyph.columns > room;
    const bool colour = text.front() == '\x1b';
    if (colour ? !full || coloured : !full) {
      clipped += text.substr(0, glyph.bytes);
      used += glyph.columns;
    }
    if (colour) coloured = text.substr(0, glyph.bytes) != "\x1b[0m";
    text.remove_prefix(glyph.bytes);
  }
  return columns == 0 ? std::string{} : clipped + std::string{mark};
}

std::string wrap(std::string_view text, std::size_t columns) {
  if (columns == 0) return std::string{text};
  std::string wrapped;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    wrapped += wrap_line(text.substr(0, end), columns);
    if (end < text.size()) wrapped += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return wrapped;
}

}  // namespace resumable::core
