#include <csignal>

#include "memo/commands.hpp"

int main(int argc, char** argv) {
  // A reader that goes away, as of `memo run … | head`, must not end the run.
  std::signal(SIGPIPE, SIG_IGN);
  resumable::cli::Console console = resumable::cli::Console::detect();
  return memo::command(argc, argv, console);
}
