#include <csignal>

#include "review/commands.hpp"

int main(int argc, char** argv) {
  // A reader that goes away must not end the run.
  std::signal(SIGPIPE, SIG_IGN);
  resumable::cli::Console console = resumable::cli::Console::detect();
  return review::command(argc, argv, console);
}
