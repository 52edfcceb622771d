#include "review/commands.hpp"

#include <CLI/CLI.hpp>

#include "review/actions.hpp"

namespace review {
namespace {

namespace cli = resumable::cli;

void add_name(CLI::App& command, Arguments& args) {
  command.add_option("name", args.name, "the run, or a part of its name; default: the latest")
      ->type_name("NAME");
  program::add_store_flags(command, args.place, "runs");
}

void add_calling(CLI::App& command, Arguments& args) {
  model::add_provider_flags(command, args.choice);
  model::add_terms_flags(command, args.terms);
  command.add_option("--pace", args.pace, "milliseconds that each section takes at least")
      ->type_name("MS");
}

CLI::App* add_run(CLI::App& app, Arguments& args) {
  auto* run = app.add_subcommand("run", "begin a report");
  run->add_option("name", args.name, "what the run is called")->required()->type_name("NAME");
  program::add_store_flags(*run, args.place, "runs");
  run->add_option("--sources", args.sources, "a folder of .md files")->required()->type_name("DIR");
  run->add_option("--title", args.title, "of the report")->capture_default_str();
  add_calling(*run, args);
  cli::add_resume_flags(*run, args.options, args.output);
  return run;
}

CLI::App* add_resume(CLI::App& app, Arguments& args, const char* name, const char* what) {
  auto* command = app.add_subcommand(name, what);
  add_name(*command, args);
  command->add_option("--sources", args.sources, "where the sources are now")->type_name("DIR");
  add_calling(*command, args);
  cli::add_resume_flags(*command, args.options, args.output);
  return command;
}

}  // namespace

int command(int argc, const char* const* argv, cli::Console& console) {
  CLI::App app{
      "Writes a report on a folder of texts. It stops for you to review the outline and the "
      "draft, each a YAML file, and continues with what you have changed.",
      "review"};
  app.footer(
      "Examples:\n"
      "  review run news --sources data --title 'The news'   begin a report\n"
      "  review continue news                                you have read the file: go on\n"
      "  review plan news --explain                          what resume would do, and why\n"
      "  review resume news --from write                     run a stage and what follows again");
  cli::add_program_flags(app, console, cli::library_version());
  Arguments args;
  args.title = "Report";
  auto* run = add_run(app, args);
  auto* agree = add_resume(app, args, "continue",
                           "take over what you have changed, agree to the file, and go on");
  add_resume(app, args, "resume", "the same, but agree to nothing");
  auto* plan = app.add_subcommand("plan", "print what resume would do, and why; changes nothing");
  add_name(*plan, args);
  cli::add_plan_flags(*plan, args.options, args.output);
  auto* status = app.add_subcommand("status", "print where a run is; changes nothing");
  add_name(*status, args);
  cli::add_status_flags(*status, args.output);
  auto* list = app.add_subcommand("list", "print all runs, the newest first; changes nothing");
  program::add_store_flags(*list, args.place, "runs");
  cli::add_list_flags(*list, args.output);
  return cli::run(app, argc, argv, console, [&] {
    if (!app.got_subcommand(run)) args.title.clear();  // what the run has recorded
    Actions actions{args, console};
    if (app.got_subcommand(run)) return actions.run();
    if (app.got_subcommand(agree)) return actions.agree();
    if (app.got_subcommand(plan)) return actions.plan();
    if (app.got_subcommand(status)) return actions.status();
    if (app.got_subcommand(list)) return actions.list();
    return actions.resume();
  });
}

}  // namespace review
