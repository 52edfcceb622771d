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
  program::add_store_flags(command, args.place, "memos");
}

void add_version(CLI::App& command, Arguments& args) {
  add_company(command, args);
  command.add_option("--version", args.version, "such as v0.0.3; default: the latest")
      ->type_name("V");
}

/// How answers are asked for and paid; none of it changes an answer.
void add_calling(CLI::App* command, Arguments& args) {
  command->add_option("--pace", args.pace, "milliseconds that each answer takes at least")
      ->type_name("MS");
  model::add_terms_flags(*command, args.terms);
}

/// What a memo is made from. `resume` takes all of it too: what is given there replaces what was
/// recorded, and repairs an input whose record is damaged.
void add_settings(CLI::App* command, Arguments& args, bool begins) {
  auto* sources = command->add_option("--sources", args.sources,
                                      "a folder of .md, .txt, .csv, .yml, .html and .pdf files");
  sources->type_name("DIR");
  if (begins) sources->required();
  command
      ->add_option("--deck", args.deck,
                   "the pitch deck, below the sources; - (the usual one): by its name")
      ->type_name("FILE");
  command
      ->add_option("--outline", args.outline,
                   "the memo's sections and questions as JSON; see docs/memo.md")
      ->type_name("FILE");
  command->add_option("--type", args.type, "direct (the usual one) or fund");
  command->add_option("--mode", args.mode, "consider (the usual one) or justify");
  command
      ->add_option("--min-score", args.min_score,
                   "the score below which a person has to approve (usually 8)")
      ->check(CLI::Range(0.0, 10.0));
  model::add_provider_flags(*command, args.choice);
  add_calling(command, args);
  cli::add_resume_flags(*command, args.options, args.output);
}

void add_adopt(CLI::App& app, Arguments& args) {
  auto* adopt = app.add_subcommand(
      "adopt",
      "turn a folder that has a memo's files, but no checkpoints, into a memo, and finish it");
  add_version(*adopt, args);
  add_settings(adopt, args, true);
  adopt->add_flag("--dry-run", args.dry_run, "print what would happen; changes nothing");
}

}  // namespace

int command(int argc, const char* const* argv, cli::Console& console) {
  CLI::App app{
      "Writes an investment memo from a folder of sources, in 13 stages. Kill it at any "
      "time: resume continues where it stopped.",
      "memo"};
  app.footer(
      "Examples:\n"
      "  memo run Fernstone --sources data     begin a memo from the files in data\n"
      "  memo resume Fernstone                 continue it where it stopped\n"
      "  memo plan Fernstone --explain         what resume would do, and why\n"
      "  memo resume Fernstone --from cite     run a stage and all that follows again");
  cli::add_program_flags(app, console, cli::library_version());
  Arguments args;
  auto* run = app.add_subcommand("run", "begin a new version of a memo");
  add_company(*run, args);
  add_settings(run, args, true);
  add_adopt(app, args);
  auto* resume = app.add_subcommand("resume", "continue a memo where it stopped");
  add_version(*resume, args);
  add_settings(resume, args, false);
  auto* plan = app.add_subcommand("plan", "print what resume would do, and why; changes nothing");
  add_version(*plan, args);
  cli::add_plan_flags(*plan, args.options, args.output);
  auto* status = app.add_subcommand("status", "print where a memo is; changes nothing");
  add_version(*status, args);
  cli::add_status_flags(*status, args.output);
  auto* approve = app.add_subcommand("approve", "approve a memo that waits for a person");
  add_version(*approve, args);
  auto* list = app.add_subcommand("list", "print all memos, the newest first; changes nothing");
  list->add_option("company", args.company, "only the memos about this company")
      ->type_name("COMPANY");
  program::add_store_flags(*list, args.place, "memos");
  cli::add_list_flags(*list, args.output);
  return cli::run(app, argc, argv, console, [&] {
    Actions actions{args, console};
    if (app.got_subcommand("adopt")) return actions.adopt();
    if (app.got_subcommand(resume)) return actions.resume();
    if (app.got_subcommand(plan)) return actions.plan();
    if (app.got_subcommand(status)) return actions.status();
    if (app.got_subcommand(approve)) return actions.approve();
    if (app.got_subcommand(list)) return actions.list();
    return actions.run();
  });
}

}  // namespace memo
