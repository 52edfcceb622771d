/// @file
/// What a command line says.
#pragma once

#include <chrono>
#include <string>

#include <resumable/cli.hpp>

#include "insights/call.hpp"
#include "program/store.hpp"

namespace CLI {
class App;
}

namespace insights {

struct CommandLine {
  std::string file = "-";
  program::Place place{};
  std::string data;
  std::string job;
  std::string provider = "computed";
  std::string events;
  std::string host = "127.0.0.1";
  int port = 8080;
  std::chrono::milliseconds ttl = std::chrono::hours{24};
  std::chrono::milliseconds budget = std::chrono::minutes{1};
  std::chrono::milliseconds reserve{-1};  ///< not said
  std::chrono::milliseconds wait{0};
  unsigned pace = 0;
  model::Terms terms{};
  bool until_done = false;
  bool dry_run = false;
  resumable::cli::OutputOptions output{};
};

/// @throws BadRequest  the reserve is not a part of the budget
[[nodiscard]] CallOptions options_of(const CommandLine& args, const resumable::Stop& stop);

/// The subcommands and their flags, but for status, list and clean.
void add_request(CLI::App& app, CommandLine& args);
CLI::App* add_serve(CLI::App& app, CommandLine& args);

}  // namespace insights
