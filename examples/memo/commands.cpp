#include "memo/commands.hpp"

#include <CLI/CLI.hpp>

#include "memo/actions.hpp"

namespace memo {
namespace {

namespace cli = resumable::cli;

void add_company(CLI::App& command, Arguments& args) {
  command.add_option("company", args.company, "the company that the memo is about")
      ->required()
      ->type_name("COMPANY");
  command.add_option("--out", args.out, "the folder of all memos")
      ->capture_default_str()
      ->type_name("DIR");
}

void add_version(CLI::App& command, Arguments& args) {
  add_company(command, args);
  command.add_option("--version", args.version, "such as v0.0.3; default: the latest")
      ->type_name("V");
}

void add_run(CLI::App& app, Arguments& args) {
  auto* run = app.add_subcommand("run", "begin a new version of a memo");
  add_company(*run, args);
  run->add_option("--sources", args.sources, "a folder of .md, .txt and .yml files")
      ->required()
      ->type_name("DIR");
  run->add_option("--deck", args.deck, "the pitch deck, below the sources (default: profile files)")
      ->type_name("FILE");
  run->add_option("--type", args.type, "direct or fund")->capture_default_str();
  run->add_option("--mode", args.mode, "consider or justify")->capture_default_str();
  run->add_option("--provider", args.provider,
                  "extractive: offline, picks and cites real sentences")
      ->check(CLI::IsMember({"extractive", "openai"}))
      ->capture_default_str();
  run->add_option("--base-url", args.base_url,
                  "openai: any server that speaks /v1/chat/completions; key from OPENAI_API_KEY")
      ->capture_default_str();
  run->add_option("--model", args.model, "openai: the model")->capture_default_str();
  run->add_option("--min-score", args.min_score, "below it a person has to approve")
      ->check(CLI::Range(0.0, 10.0))
      ->capture_default_str();
  run->add_option("--pace", args.pace, "milliseconds that each answer takes at least")
      ->type_name("MS");
  cli::add_run_flags(*run, args.run);
}

}  // namespace

int command(int argc, const char* const* argv, cli::Console& console) {
  CLI::App app{
      "Writes an investment memo from a folder of sources, in 13 stages. Kill it at any "
      "time: resume goes on where it stopped."};
  app.name("memo");
  app.require_subcommand(1);
  cli::add_console_flags(app, console);
  Arguments args;
  add_run(app, args);
  auto* resume = app.add_subcommand("resume", "go on with a memo where it stopped");
  add_version(*resume, args);
  resume->add_option("--sources", args.sources, "where the sources are now")->type_name("DIR");
  resume->add_option("--pace", args.pace, "milliseconds that each answer takes at least")
      ->type_name("MS");
  cli::add_run_flags(*resume, args.run);
  auto* plan = app.add_subcommand("plan", "say what resume would do, and why; changes nothing");
  add_version(*plan, args);
  cli::add_plan_flags(*plan, args.look);
  auto* status = app.add_subcommand("status", "say where a memo is; changes nothing");
  add_version(*status, args);
  cli::add_status_flags(*status, args.look);
  auto* approve = app.add_subcommand("approve", "say yes to a memo that waits for a person");
  add_version(*approve, args);
  return cli::run(app, argc, argv, console, [&] {
    Actions actions{args, console};
    if (app.got_subcommand(resume)) return actions.resume();
    if (app.got_subcommand(plan)) return actions.plan();
    if (app.got_subcommand(status)) return actions.status();
    if (app.got_subcommand(approve)) return actions.approve();
    return actions.run();
  });
}

}  // namespace memo
