#include <csignal>

#include "corpus/commands.hpp"

int main(int argc, char** argv) {
  // A reader that goes away, as of `corpus generate … | head`, must not end the run.
  std::signal(SIGPIPE, SIG_IGN);
  resumable::cli::Console console = resumable::cli::Console::detect();
  return corpus::command(argc, argv, console);
}
