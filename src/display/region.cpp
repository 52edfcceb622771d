#include "display/region.hpp"

#include <fmt/format.h>

namespace resumable::display {

std::string Region::show(const std::vector<std::string>& lines, sys::TerminalSize size) {
  // After a resize the block may be anywhere below the cursor, and nothing else is there.
  std::string text = size != size_ ? leave() : std::string{};
  size_ = size;
  if (lines.size() > rows_) {
    // Makes room below the cursor without changing its column: index (IND), then up again.
    const std::size_t more = lines.size() - rows_;
    for (std::size_t i = 0; i < more; ++i) text += "\033D";
    text += fmt::format("\033[{}A", more);
    rows_ = lines.size();
  }
  const std::size_t top = size.rows - rows_;
  text += fmt::format("\0337\033[1;{}r", top);
  const std::size_t blank = rows_ - lines.size();
  for (std::size_t i = 0; i < rows_; ++i) {
    text += fmt::format("\033[{};1H{}\033[K", top + i + 1, i < blank ? "" : lines[i - blank]);
  }
  return text + "\0338";
}

std::string Region::above(std::string_view text, std::size_t columns) {
  // As zsh does: from column 0 this stays in the row, from any other it ends in the next one.
  std::string shown(columns - 1, ' ');
  shown += "\r\033[K";
  for (const char c : text) {
    if (c == '\n') shown += '\r';
    shown += c;
  }
  return shown;
}

std::string Region::leave() {
  if (rows_ == 0) return {};
  rows_ = 0;
  return std::string{give_back};
}

}  // namespace resumable::display
