/// @file
/// Rows at the bottom of a terminal that stay, while everything else scrolls above them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sys/terminal.hpp"

namespace resumable::display {

/// The program, its libraries and its child processes write to the same terminal at any time,
/// without notice. So the block is not drawn where their output goes: a scrolling region (DECSTBM)
/// ends above it, and the cursor always stays in that region. Whatever is written there scrolls as
/// it would without us, and is never drawn over. Makes the bytes; writes nothing.
class Region {
 public:
  /// Shows `lines` in the last rows of a terminal of this size.
  [[nodiscard]] std::string show(const std::vector<std::string>& lines, sys::TerminalSize size);
  /// `text`, whole lines, above the block. Begins a new line if the last one was left unfinished.
  [[nodiscard]] static std::string above(std::string_view text, std::size_t columns);
  /// Removes the block and gives the rows back.
  [[nodiscard]] std::string leave();
  [[nodiscard]] bool shown() const noexcept { return rows_ > 0; }

  /// Releases all rows, wherever the cursor is. For a process that is about to end.
  static constexpr std::string_view give_back = "\0337\033[r\0338\033[J";

 private:
  std::size_t rows_ = 0;  ///< that are reserved
  sys::TerminalSize size_{};
};

}  // namespace resumable::display
