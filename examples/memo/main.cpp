#include "memo/commands.hpp"

int main(int argc, char** argv) {
  resumable::cli::Console console = resumable::cli::Console::detect();
  return memo::command(argc, argv, console);
}
