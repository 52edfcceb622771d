#include "cli/console.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>

#include <fmt/format.h>

#include "core/text.hpp"
#include "core/time.hpp"
#include "sys/process.hpp"
#include "sys/terminal.hpp"

namespace resumable {
inline namespace v0 {
namespace cli {

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

std::string Console::wrap(std::string_view text) const { return core::wrap(text, columns); }

int report_no_memory(Console& console) noexcept {
  try {
    console.err << "error: there is not enough memory\n"
                   "  kept  everything that was saved\n"
                   "  next  free some memory, then run the same command again\n";
  } catch (...) {  // a stream that throws: the exit code tells
  }
  return 1;
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
  return display::symbol({console.color, console.ascii}, mark);
}

std::string bold(const Console& console, std::string_view text) {
  return console.color ? fmt::format("\x1b[1m{}\x1b[0m", text) : std::string{text};
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

std::string format_size(std::uint64_t bytes) { return core::format_size(bytes); }

std::string shell_quote(std::string_view word) {
  const bool plain = word.find_first_of(" \t\n'\"$\\`&|;<>()[]{}*?#~!") == word.npos;
  if (plain && !word.empty()) return std::string{word};
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string{"'\\''"} : std::string(1, c);
  return quoted + "'";
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  return core::did_you_mean(word, known);
}

std::string dot(const Console& console) { return console.ascii ? " - " : " · "; }

}  // namespace cli
}  // namespace v0
}  // namespace resumable
