#include "display/style.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

namespace resumable::display {

std::string symbol(Style style, Mark mark) {
  static constexpr std::string_view pretty[] = {"✓", "◐", "~", "○", "✗", "!", "-", "●"};
  static constexpr std::string_view plain[] = {"+", "%", "~", ".", "x", "!", "-", "*"};
  static constexpr std::string_view colors[] = {"32", "33", "33", "2", "31", "35", "2", "36"};
  const auto index = static_cast<std::size_t>(mark);
  return tinted(style, colors[index], style.ascii ? plain[index] : pretty[index]);
}

std::string tinted(Style style, std::string_view color, std::string_view text) {
  return style.color && !text.empty() ? fmt::format("\x1b[{}m{}\x1b[0m", color, text)
                                      : std::string{text};
}

std::string_view dot(Style style) { return style.ascii ? " - " : " · "; }
std::string_view ellipsis(Style style) { return style.ascii ? "..." : "…"; }

std::string clock_text(std::chrono::duration<double> time) {
  const auto whole = static_cast<long long>(std::max(time.count(), 0.0));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}m {:02} s", whole / 60, whole % 60);
  return fmt::format("{}h {:02} m", whole / 3600, whole % 3600 / 60);
}

std::string about_text(std::chrono::duration<double> time) {
  const double seconds = time.count();
  if (seconds < 10) return fmt::format("{} s", std::max(1LL, std::llround(seconds)));
  if (seconds < 57.5) return fmt::format("{} s", 5 * std::llround(seconds / 5));
  const long long minutes = std::max(1LL, std::llround(seconds / 60));
  if (minutes < 60) return fmt::format("{}m", minutes);
  return fmt::format("{}h {:02}m", minutes / 60, minutes % 60);
}

}  // namespace resumable::display
