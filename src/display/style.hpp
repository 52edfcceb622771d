/// @file
/// Symbols, colours and times as they are shown on a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "resumable/export.hpp"

namespace resumable::display {

struct Style {
  bool color = false;  ///< ANSI colours
  bool ascii = false;  ///< ASCII symbols only
};

enum class Mark : std::uint8_t { done, partial, stale, open, failed, waiting, note, started };

/// A symbol, always beside a word; in ASCII and without colour where asked.
[[nodiscard]] RESUMABLE_EXPORT std::string symbol(Style style, Mark mark);
/// `text` in the colour with this number of ECMA-48 (`1` is bold), when there is colour.
[[nodiscard]] std::string tinted(Style style, std::string_view color, std::string_view text);
/// ` · ` or ` - `.
[[nodiscard]] std::string_view dot(Style style);
/// `…` or `...`.
[[nodiscard]] std::string_view ellipsis(Style style);

/// A time that is counted up or down, in whole seconds: `8 s`, `2m 03 s`, `1h 05 m`.
[[nodiscard]] std::string clock_text(std::chrono::duration<double> time);
/// An estimate, rounded: `40 s`, `6m`, `2h 10m`.
[[nodiscard]] std::string about_text(std::chrono::duration<double> time);

}  // namespace resumable::display
