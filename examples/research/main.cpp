#include <csignal>

#include "research/commands.hpp"

int main(int argc, char** argv) {
  // A reader that goes away, as of `research list | head`, must not end the run.
  std::signal(SIGPIPE, SIG_IGN);
  resumable::cli::Console console = resumable::cli::Console::detect();
  return research::command(argc, argv, console);
}
