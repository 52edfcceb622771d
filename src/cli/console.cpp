#include "cli/console.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>

#include <fmt/format.h>
#include <utf8proc.h>

#include "core/time.hpp"
#include "sys/terminal.hpp"

namespace resumable {
inline namespace v0 {
namespace cli {

namespace {

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

Console Console::detect() {
  Console console{std::cout, std::cerr};
  const auto is_set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0';  // as no-color.org has it
  };
  const bool person = std::getenv("CI") == nullptr;
  const bool terminal = sys::is_terminal(sys::Stream::out);
  console.interactive = sys::is_terminal(sys::Stream::err) && person;
  console.color = terminal && person && !is_set("NO_COLOR");
  if (terminal) console.columns = sys::columns(sys::Stream::out);
  return console;
}

std::string Console::wrap(std::string_view text) const {
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

std::string user() { return sys::user_name(); }

bool confirm(Console& console, std::string_view question) {
  if (!console.interactive || !sys::is_terminal(sys::Stream::in)) return false;
  console.err << question << " [y/N] " << std::flush;
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

std::string symbol(const Console& console, Mark mark) {
  static constexpr std::string_view pretty[] = {"✓", "◐", "~", "○", "✗", "!", "-", "●"};
  static constexpr std::string_view plain[] = {"+", "%", "~", ".", "x", "!", "-", "*"};
  static constexpr std::string_view colors[] = {"32", "33", "33", "2", "31", "35", "2", "36"};
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
    if (text[at] == '\x1b') {  // a colour: it ends with an m
      at = std::min(text.find('m', at), text.size() - 1) + 1;
      continue;
    }
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

std::string number_of(std::size_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string utc_text(std::optional<Timestamp> at) {
  return at ? core::format_utc(*at) : std::string{};
}

std::string ago(std::optional<Timestamp> at) {
  if (!at) return {};
  const auto passed = std::chrono::system_clock::now() - *at;
  const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(passed).count();
  if (minutes < 1) return " just now";
  if (minutes < 120) return fmt::format(" {} min ago", minutes);
  return minutes < 2880 ? fmt::format(" {} h ago", minutes / 60)
                        : fmt::format(" {} days ago", minutes / 1440);
}

std::string size_text(std::uint64_t bytes) {
  if (bytes < 10'000) return fmt::format("{} bytes", bytes);
  return bytes < 10'000'000 ? fmt::format("{:.1f} kB", static_cast<double>(bytes) / 1e3)
                            : fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

std::string shell_word(std::string_view word) {
  const bool plain = word.find_first_of(" \t\n'\"$\\`&|;<>()[]{}*?#~!") == word.npos;
  if (plain && !word.empty()) return std::string{word};
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string{"'\\''"} : std::string(1, c);
  return quoted + "'";
}

std::string dot(const Console& console) { return console.ascii ? " - " : " · "; }

}  // namespace cli
}  // namespace v0
}  // namespace resumable
