/// @file
/// The inspector's commands, in the order in which help lists them.
#pragma once

#include <span>

#include "inspector/request.hpp"

namespace CLI {
class App;
}

namespace resumable {
inline namespace v0 {
namespace inspector {

struct Command {
  const char* name;
  const char* what;
  /// Adds its arguments and flags.
  void (*declare)(CLI::App& command, Request& request);
  /// Returns the exit code. The store is open.
  int (*call)(Request& request);
};

/// To add a command, add a line to the table in commands.cpp.
[[nodiscard]] std::span<const Command> commands();

int list(Request& request);
int status(Request& request);
int plan(Request& request);
int explain(Request& request);
int show(Request& request);
int verify(Request& request);
int diff(Request& request);
int graph(Request& request);
int report(Request& request);
int remove(Request& request);
int fork(Request& request);
int tag(Request& request);
int rollback(Request& request);
int merge(Request& request);
int copy(Request& request);
int migrate(Request& request);
int adopt(Request& request);
int gc(Request& request);
int export_run(Request& request);
int import_run(Request& request);

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
