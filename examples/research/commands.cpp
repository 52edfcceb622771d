#include "research/commands.hpp"

#include <CLI/CLI.hpp>

#include "research/actions.hpp"

namespace research {
namespace {

namespace cli = resumable::cli;

/// How pages and answers are asked for; none of it changes an answer.
void add_pace(CLI::App& command, Arguments& args) {
  model::add_terms_flags(command, args.terms);
  command.add_option("--pace", args.pace, "milliseconds that each answer takes at least")
      ->type_name("MS");
  command
      .add_option("--delay", args.delay,
                  "milliseconds between two requests (default: 1000, but 0 on this machine); "
                  "robots.txt may ask for more")
      ->type_name("MS");
  command.add_option("--ca", args.ca, "certificates to trust for https, instead of the system's")
      ->check(CLI::ExistingFile)
      ->type_name("FILE");
}

/// The limits that are not named are those of Limits.
void add_limits(CLI::App& command, Arguments& args) {
  const auto add = [&](const char* flag, std::size_t Limits::*limit, std::size_t unit,
                       const char* what) {
    return command.add_option_function<std::size_t>(
        flag,
        [&args, limit, unit](std::size_t value) {
          if (!args.limits) args.limits = Limits{};
          (*args.limits).*limit = value * unit;
        },
        what);
  };
  const CLI::Range range{1, 1'000'000};
  add("--max-pages", &Limits::pages, 1,
      "request at most this many paths of the site (default: 1000)")
      ->check(range)
      ->type_name("N");
  add("--max-size", &Limits::bytes, 1024, "read at most this many KiB of a page (default: 2048)")
      ->check(range)
      ->type_name("KIB");
  add("--max-time", &Limits::seconds, 1,
      "read the site for at most this many seconds (default: 3600)")
      ->check(range)
      ->type_name("S");
  add("--words", &Limits::words, 1, "without a model: quote about this many words (default: 600)")
      ->check(range)
      ->type_name("N");
}

CLI::App* add_session_command(CLI::App& app, Arguments& args, const char* name, const char* what) {
  auto* command = app.add_subcommand(name, what);
  command->add_option("session", args.session, "the session's id")->required()->type_name("ID");
  program::add_store_flags(*command, args.place, "sessions");
  return command;
}

CLI::App* add_continue(CLI::App& app, Arguments& args) {
  auto* command = app.add_subcommand(
      "continue",
      "continue a batch's session, whatever phase it is in; create it if there is none");
  command->add_option("batch", args.batch, "the batch's id")->required()->type_name("BATCH");
  program::add_store_flags(*command, args.place, "sessions");
  auto* pages =
      command->add_option("--pages", args.pages, "a folder of HTML files, to serve and scrape")
          ->type_name("DIR");
  command->add_option("--site", args.site, "a site to scrape: http://HOST[:PORT], or https://")
      ->type_name("URL")
      ->excludes(pages);
  command->add_option("--topic", args.topic, "what to find out (default: the site's title)")
      ->type_name("TEXT");
  model::add_provider_flags(*command, args.choice);
  add_limits(*command, args);
  add_pace(*command, args);
  cli::add_resume_flags(*command, args.options, args.output);
  return command;
}

CLI::App* add_resume(CLI::App& app, Arguments& args) {
  auto* command = add_session_command(app, args, "resume", "continue a session where it stopped");
  command
      ->add_option("--phase", args.phase,
                   "run this phase and what follows again: 0, 0.5, 1, 2, 3, 4")
      ->type_name("P");
  command->add_option("--step", args.step, "run this step of phase 3 and what follows again")
      ->check(CLI::Range(1, 10'000))
      ->type_name("N");
  command->add_flag("--force", args.force,
                    "also when the session is finished; alone: run phase 4 again");
  add_pace(*command, args);
  cli::add_resume_flags(*command, args.options, args.output);
  return command;
}

CLI::App* add_list(CLI::App& app, Arguments& args) {
  auto* command = app.add_subcommand("list", "all sessions and how far they are");
  program::add_store_flags(*command, args.place, "sessions");
  cli::add_list_flags(*command, args.output);
  return command;
}

CLI::App* add_serve(CLI::App& app, Arguments& args) {
  auto* command = app.add_subcommand(
      "serve",
      "serve a page on this machine with all sessions and a button to continue each, until Ctrl-C; "
      "with --pages: serve that folder as a web site, and at the end print what was requested");
  program::add_store_flags(*command, args.place, "sessions");
  command->add_option("--pages", args.pages, "a folder of HTML files, to serve as a site")
      ->type_name("DIR");
  command->add_option("--port", args.port, "0: pick a free one")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str()
      ->type_name("N");
  add_pace(*command, args);
  return command;
}

}  // namespace

int command(int argc, const char* const* argv, cli::Console& console) {
  CLI::App app{
      "Scrapes a site and writes a report on a topic with its sources, in phases. Kill it at any "
      "time: continue resumes where it stopped, in the same session.",
      "research"};
  app.footer(
      "Examples:\n"
      "  research continue BATCH --pages DIR  begin a batch's session, or continue it\n"
      "  research list                        all sessions\n"
      "  research plan ID --explain           what resume would do, and why\n"
      "  research resume ID --phase 3         run a phase and all that follows again");
  cli::add_program_flags(app, console, cli::library_version());
  Arguments args;
  auto* go_on = add_continue(app, args);
  auto* resume = add_resume(app, args);
  auto* list = add_list(app, args);
  auto* status =
      add_session_command(app, args, "status", "print where a session is; changes nothing");
  cli::add_status_flags(*status, args.output);
  auto* plan = add_session_command(app, args, "plan",
                                   "print what resume would do, and why; changes nothing");
  cli::add_plan_flags(*plan, args.options, args.output);
  add_serve(app, args);
  return cli::run(app, argc, argv, console, [&] {
    Actions actions{args, console};
    if (app.got_subcommand(go_on)) return actions.go_on();
    if (app.got_subcommand(resume)) return actions.resume();
    if (app.got_subcommand(list)) return actions.list();
    if (app.got_subcommand(status)) return actions.status();
    if (app.got_subcommand(plan)) return actions.plan();
    return actions.serve();
  });
}

}  // namespace research
