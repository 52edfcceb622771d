/// @file
/// The block that is redrawn on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "display/run_view.hpp"
#include "display/style.hpp"
#include "sys/clock.hpp"

namespace resumable::display {

struct FrameOptions {
  Style style{};
  std::size_t columns = 80;  ///< that a line may take at most
  std::size_t rows = 8;      ///< that the block may take at most; at least 1
  bool ctrl_c = false;       ///< say what Ctrl-C does
  bool stopping = false;     ///< a stop was requested
};

/// The lines of the block, header first. No line is wider than `columns` or contains a control
/// character other than of a colour.
[[nodiscard]] std::vector<std::string> frame(const RunView& view, sys::BootTime now,
                                             const FrameOptions& options);

/// What a stage does at this moment: `28/40   3 running, 1 waits 8 s (HTTP 429, try 2 of 4)`.
[[nodiscard]] std::string doing(const StageView& stage, sys::BootTime now, Style style);

/// The line that remains when the run has ended: `✓ memo r1: done   13/13   5m 02 s   $0.67`.
[[nodiscard]] std::string last_line(const RunView& view, std::string_view outcome,
                                    sys::BootTime now, Style style);

}  // namespace resumable::display
