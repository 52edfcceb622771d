#include <csignal>
#include <iostream>

#include "insights/commands.hpp"

int main(int argc, char** argv) {
  // A reader that goes away, as of `insights request … | head`, must not end the call.
  std::signal(SIGPIPE, SIG_IGN);
  resumable::cli::Console console = resumable::cli::Console::detect();
  return insights::command(argc, argv, console, std::cin);
}
