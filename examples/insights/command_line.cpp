#include "insights/command_line.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>

namespace insights {
namespace {

namespace cli = resumable::cli;
using std::chrono::milliseconds;

/// What new jobs have, and how long a call may take: the same for one call and for a server's.
void add_calling(CLI::App& command, CommandLine& args) {
  program::add_store_flags(command, args.place, "jobs");
  command.add_option("--data", args.data, "for new jobs: a .csv or .tsv file, or a folder of them")
      ->type_name("PATH");
  command
      .add_option("--provider", args.provider,
                  "for new jobs: computed (offline, no language model) or openai:MODEL@URL")
      ->capture_default_str();
  cli::add_time_option(command, "--ttl", args.ttl,
                       "for new jobs: how long they are kept after their last save [24h]");
  cli::add_time_option(command, "--budget", args.budget,
                       "how long a call may take, 0: no limit [60s]");
  cli::add_time_option(
      command, "--reserve", args.reserve,
      "how long before its end a call saves and stops [5s, or a quarter of a budget below 20s]");
  cli::add_time_option(command, "--wait", args.wait,
                       "how long to wait for another process on the job");
  model::add_terms_flags(command, args.terms);
  command.add_option("--pace", args.pace, "milliseconds that each turn takes at least")
      ->type_name("MS");
}

}  // namespace

CallOptions options_of(const CommandLine& args, const resumable::Stop& stop) {
  // Of a short budget the reserve is a quarter.
  const milliseconds none{0};
  const milliseconds usual = std::min(milliseconds{5000}, args.budget / 4);
  const milliseconds reserve = args.reserve >= none ? args.reserve : usual;
  if (args.budget > none && reserve >= args.budget) {
    throw BadRequest("--reserve is a part of --budget, so it has to be shorter");
  }
  return {.data = args.data,
          .job_id = args.job,
          .budget = args.budget,
          .reserve = args.budget > none ? reserve : none,
          .wait = args.wait,
          .pace = milliseconds{args.pace},
          .terms = args.terms,
          .events = args.events,
          .defaults = {args.provider,
                       std::chrono::duration_cast<std::chrono::seconds>(args.ttl).count()},
          .stop = stop,
          .display = std::nullopt};
}

void add_request(CLI::App& app, CommandLine& args) {
  auto* request = app.add_subcommand("request", "a JSON request in, a JSON answer out");
  request->add_option("file", args.file, "the request; - reads standard input")
      ->capture_default_str()
      ->type_name("FILE");
  add_calling(*request, args);
  request->add_option("--job", args.job, "for a new job: its id (default: a new one)")
      ->type_name("ID");
  request->add_flag("--until-done", args.until_done, "repeat the call until there is an answer");
  request->add_option("--events", args.events, "append every event to FILE")->type_name("FILE");
}

CLI::App* add_serve(CLI::App& app, CommandLine& args) {
  auto* serve = app.add_subcommand("serve", "requests and answers by HTTP, until it is stopped");
  add_calling(*serve, args);
  serve->add_option("--host", args.host, "the address to listen on; another than loopback is open")
      ->capture_default_str();
  serve->add_option("--port", args.port, "the port; 0: pick a free one and print it")
      ->capture_default_str()
      ->check(CLI::Range(0, 65535));
  return serve;
}

}  // namespace insights
