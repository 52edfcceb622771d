#include "cli/console.hpp"

#include <fmt/format.h>
#include <utf8proc.h>

#include <cstdlib>
#include <iostream>

#include "sys/terminal.hpp"

namespace resumable::inline v0::cli {

Console Console::detect() {
  Console console{std::cout, std::cerr};
  const bool quiet = std::getenv("CI") != nullptr;
  console.terminal = sys::is_terminal(sys::Stream::err) && !quiet;
  console.color =
      sys::is_terminal(sys::Stream::out) && std::getenv("NO_COLOR") == nullptr && !quiet;
  return console;
}

std::string user() { return sys::user_name(); }

bool ask(Console& console, std::string_view question) {
  if (!console.terminal || !sys::is_terminal(sys::Stream::in)) return false;
  console.err << question << " [y/N] " << std::flush;
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

std::string symbol(const Console& console, Mark mark) {
  static constexpr std::string_view pretty[] = {"✓", "◐", "~", "○", "✗", "!", "-"};
  static constexpr std::string_view plain[] = {"+", "%", "~", ".", "x", "!", "-"};
  static constexpr std::string_view colors[] = {"32", "33", "33", "2", "31", "35", "2"};
  const auto index = static_cast<std::size_t>(mark);
  const std::string_view shown = console.ascii ? plain[index] : pretty[index];
  if (!console.color) return std::string{shown};
  return fmt::format("\x1b[{}m{}\x1b[0m", colors[index], shown);
}

std::string bold(const Console& console, std::string_view text) {
  return console.color ? fmt::format("\x1b[1m{}\x1b[0m", text) : std::string{text};
}

std::size_t width(std::string_view text) {
  std::size_t columns = 0;
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  for (std::size_t at = 0; at < text.size();) {
    utf8proc_int32_t code = 0;
    const auto length =
        utf8proc_iterate(bytes + at, static_cast<utf8proc_ssize_t>(text.size() - at), &code);
    if (length <= 0) {
      ++at;
      ++columns;
    } else {
      at += static_cast<std::size_t>(length);
      columns += static_cast<std::size_t>(utf8proc_charwidth(code));
    }
  }
  return columns;
}

std::string pad(std::string_view text, std::size_t columns) {
  const std::size_t used = width(text);
  return std::string{text} + std::string(columns > used ? columns - used : 0, ' ');
}

std::string money(const Cost& cost) {
  if (cost.usd > 0) return fmt::format("${:.2f}", cost.usd);
  return cost.tokens > 0 ? fmt::format("{} tokens", cost.tokens) : std::string{};
}

std::string dot(const Console& console) { return console.ascii ? " - " : " · "; }

}  // namespace resumable::inline v0::cli
