// terminal_capture [--columns N] [--rows N] [--when TEXT]... [--screen] -- PROGRAM [ARGUMENT...]
// Runs a program on a pseudo-terminal and prints what a person sees: when all of the texts stand on
// the screen, or at the end. --screen: only what stands on the screen then. The program is left to
// end by itself.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include "support/terminal.hpp"

using resumable::test::Screen;

namespace {

struct Arguments {
  std::size_t columns = 100;
  std::size_t rows = 24;
  std::vector<std::string> when;
  bool screen = false;
  char** program = nullptr;
};

Arguments parse(char** argv) {
  Arguments result;
  while (*++argv != nullptr) {
    const std::string_view flag{*argv};
    if (flag == "--") {
      result.program = argv + 1;
      break;
    }
    if (flag == "--screen") {
      result.screen = true;
      continue;
    }
    if (argv[1] == nullptr) break;
    const char* value = *++argv;
    if (flag == "--columns") result.columns = std::strtoul(value, nullptr, 10);
    if (flag == "--rows") result.rows = std::strtoul(value, nullptr, 10);
    if (flag == "--when") result.when.emplace_back(value);
  }
  return result;
}

bool has_all(const Screen& screen, const std::vector<std::string>& texts) {
  std::string shown;
  for (const std::string& row : screen.rows()) shown += row + "\n";
  for (const std::string& text : texts) {
    if (shown.find(text) == std::string::npos) return false;
  }
  return true;
}

}  // namespace

int main(int, char** argv) {
  const Arguments arguments = parse(argv);
  if (arguments.program == nullptr || *arguments.program == nullptr) {
    std::fputs("usage: terminal_capture [--columns N] [--rows N] [--when TEXT] -- PROGRAM\n",
               stderr);
    return 2;
  }
  resumable::test::Terminal terminal{
      arguments.columns, arguments.rows, [&] {
        for (const char* name : {"NO_COLOR", "CI"}) {
          // Taken from the outer environment again under another name: Terminal clears them.
          if (const char* value = std::getenv((std::string{"CAPTURE_"} + name).c_str())) {
            ::setenv(name, value, 1);
          }
        }
        ::execvp(*arguments.program, arguments.program);
        std::perror(*arguments.program);
        return 127;
      }};
  const bool seen = !arguments.when.empty() && terminal.read_until([&](const Screen& screen) {
    return has_all(screen, arguments.when);
  });
  if (!arguments.when.empty() && !seen) {
    std::fputs("the program ended before the text was seen\n", stderr);
    std::fputs(terminal.screen().text().c_str(), stderr);
    return 1;
  }
  if (!seen) terminal.wait();
  std::string text;
  for (const std::string& row :
       arguments.screen ? terminal.screen().rows() : terminal.screen().lines()) {
    text += row + "\n";
  }
  std::fputs(text.c_str(), stdout);
  if (seen) terminal.wait();
  for (const std::string& unknown : terminal.screen().unknown()) {
    std::fprintf(stderr, "not understood: ESC %s\n", unknown.c_str());
  }
  return 0;
}
