#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <ostream>

#include "resumable/cli.hpp"

namespace resumable::inline v0::cli {

void add_run_flags(CLI::App& command, RunFlags& flags) {
  command
      .add_option("--redo", flags.redo,
                  "run STAGE or STAGE/ITEM again; dependents only if its value changes")
      ->type_name("STAGE")
      ->allow_extra_args(false);
  command.add_option("--from", flags.from, "run STAGE and all that depends on it again")
      ->type_name("STAGE")
      ->allow_extra_args(false);
  command.add_flag("--fresh", flags.fresh, "run everything again; older generations are kept");
  command.add_flag("--strict", flags.strict, "refuse (exit 3) instead of working around damage");
  command.add_flag("--keep-going", flags.keep_going,
                   "after a failure go on with what does not depend on it");
  command
      .add_option("--concurrency", flags.concurrency,
                  "stages and items at a time (0: one per core)")
      ->capture_default_str()
      ->type_name("N");
  command
      .add_option("--events", flags.events, "append every event to FILE, one JSON object a line")
      ->type_name("FILE");
  const auto time = [&](const char* name, double& seconds, const char* what) {
    command.add_option(name, seconds, what)
        ->transform(CLI::AsNumberWithUnit(
            std::map<std::string, double>{{"ms", 0.001}, {"s", 1}, {"m", 60}, {"h", 3600}}))
        ->check([](const std::string& text) {
          return text.starts_with('-') ? std::string{"a time is not negative"} : std::string{};
        })
        ->type_name("TIME");
  };
  time("--wait", flags.wait_seconds, "how long to wait for another owner: 30s, 10m, 1h");
  time("--budget", flags.budget_seconds,
       "how long this call may take: then it saves and exits with 75, to be resumed");
  time("--run-budget", flags.run_budget_seconds,
       "how long the run may take over all calls, downtime not counted");
  time("--reserve", flags.reserve_seconds, "how long before that everything is asked to stop");
  command.add_flag("--json", flags.json, "print the report as JSON");
}

void add_status_flags(CLI::App& command, LookFlags& flags) {
  command.add_flag("--exit-code", flags.exit_code, "exit 5 when work is left");
  command.add_flag("--json", flags.json, "print JSON");
}

void add_plan_flags(CLI::App& command, LookFlags& flags) {
  command.add_option("--redo", flags.redo, "plan as if STAGE or STAGE/ITEM were to run again")
      ->type_name("STAGE")
      ->allow_extra_args(false);
  command.add_option("--from", flags.from, "plan as if STAGE and its dependents were to run again")
      ->type_name("STAGE")
      ->allow_extra_args(false);
  command.add_flag("--fresh", flags.fresh, "plan as if everything were to run again");
  command.add_flag("--deep", flags.deep, "read and prove all payloads, too");
  command.add_flag("--explain", flags.explain, "all reasons, not only the deciding one");
  add_status_flags(command, flags);
}

void add_console_flags(CLI::App& app, Console& console) {
  app.add_flag("--color,!--no-color", console.color, "colours, whatever the terminal");
  app.add_flag("--ascii", console.ascii, "symbols of ASCII alone");
}

int run(CLI::App& app, int argc, const char* const* argv, Console& console,
        FunctionRef<int()> command) {
  try {
    app.parse(argc, argv);
    return command();
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error, console.out, console.err);
    return code == 0 ? 0 : 2;
  } catch (const Error& error) {
    console.err << error.report() << "\n";
    return error.exit_code();
  } catch (const std::exception& error) {
    console.err << "error: " << error.what() << "\n";
    return 1;
  }
}

}  // namespace resumable::inline v0::cli
