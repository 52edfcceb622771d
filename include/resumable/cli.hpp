/// @file
/// The commands that a host program gets for its own pipelines (component `cli`, which needs
/// CLI11).
///
///     CLI::App app{"writes a memo"};
///     cli::RunFlags flags;
///     cli::Console console = cli::Console::detect();
///     auto* resume = app.add_subcommand("resume", "go on where it stopped");
///     cli::add_run_flags(*resume, flags);
///     return cli::run(app, argc, argv, console, [&] {
///       return cli::resume(console, pipeline, store, {.run = id}, flags);
///     });
///
/// Data goes to Console::out, talk to Console::err. Exit codes are those of docs/cli.md everywhere.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "resumable/export.hpp"
#include "resumable/function_ref.hpp"
#include "resumable/resume.hpp"
#include "resumable/status.hpp"

namespace CLI {
class App;
}

namespace resumable::inline v0::cli {

/// Where and how to write.
struct Console {
  std::ostream& out;
  std::ostream& err;
  bool color = false;     ///< see detect()
  bool ascii = false;     ///< symbols of ASCII alone
  bool terminal = false;  ///< a person watches err: lines to read rather than to parse

  /// For std::cout and std::cerr: colour and terminal as isatty(3), NO_COLOR and CI say.
  [[nodiscard]] RESUMABLE_EXPORT static Console detect();
};

/// What the flags of a command that runs say. Filled in by CLI11.
struct RunFlags {
  std::vector<std::string> redo{};
  std::vector<std::string> from{};
  bool fresh = false;
  bool strict = false;
  bool keep_going = false;
  unsigned concurrency = 1;
  std::string events{};           ///< a file for one JSON object per event
  double wait_seconds = 0;        ///< for another owner
  double budget_seconds = 0;      ///< of this call; 0: no limit
  double run_budget_seconds = 0;  ///< of the run over all calls; 0: no limit
  double reserve_seconds = 0;     ///< of the budget, for stopping
  bool json = false;              ///< the report as JSON on out
};

/// What the flags of a command that looks say.
struct LookFlags {
  std::vector<std::string> redo{};
  std::vector<std::string> from{};
  bool fresh = false;
  bool deep = false;
  bool explain = false;
  bool exit_code = false;  ///< 5 when work is left
  bool json = false;
};

/// Adds --redo, --from, --fresh, --strict, --keep-going, --concurrency, --events, --wait, --budget,
/// --run-budget, --reserve, --json.
RESUMABLE_EXPORT void add_run_flags(CLI::App& command, RunFlags& flags);
/// Adds --redo, --from, --fresh, --deep, --explain, --exit-code, --json.
RESUMABLE_EXPORT void add_plan_flags(CLI::App& command, LookFlags& flags);
/// Adds --exit-code, --json.
RESUMABLE_EXPORT void add_status_flags(CLI::App& command, LookFlags& flags);
/// Adds --color, --no-color and --ascii to the program.
RESUMABLE_EXPORT void add_console_flags(CLI::App& app, Console& console);

/// Parses, then calls `command`, whose result it returns. Errors of usage give exit code 2; a
/// resumable::Error is shown by its report() and gives its exit code, any other exception 1.
RESUMABLE_EXPORT int run(CLI::App& app, int argc, const char* const* argv, Console& console,
                         FunctionRef<int()> command);

/// resume() with progress on err, SIGINT and SIGTERM as stop requests (when `options` has no stop),
/// the events file, and a summary at the end: what was skipped, saved, and what to do next.
RESUMABLE_EXPORT int resume(Console& console, const Pipeline& pipeline, CheckpointStore& store,
                            ResumeOptions options, const RunFlags& flags);

/// The plan. Writes nothing.
RESUMABLE_EXPORT int plan(Console& console, const Pipeline& pipeline, CheckpointStore& store,
                          ResumeOptions options, const LookFlags& flags);

/// Where the run is and, while work is left, what can be typed next (`next` names the host's
/// commands).
RESUMABLE_EXPORT int status(Console& console, const Pipeline& pipeline, CheckpointStore& store,
                            std::string_view run, const LookFlags& flags,
                            const std::vector<std::string>& next = {});

/// Versions of one subject: runs named `{subject}-v0.0.N`.
struct Version {
  std::string run;
  std::vector<unsigned> numbers;  ///< 0, 0, N: compared as numbers, so v0.0.10 comes after v0.0.9
  std::string state;              ///< as RunStatus::state
};

/// All versions of `subject`, the oldest first.
[[nodiscard]] RESUMABLE_EXPORT std::vector<Version> versions(const CheckpointStore& store,
                                                             std::string_view subject);

/// The run id that the next version would have.
[[nodiscard]] RESUMABLE_EXPORT std::string next_version(const CheckpointStore& store,
                                                        std::string_view subject);

/// Reserves the next version: no two callers get the same, in no processes.
/// @throws Error as CheckpointStore::lease
[[nodiscard]] RESUMABLE_EXPORT std::string reserve_version(CheckpointStore& store,
                                                           std::string_view subject);

/// A subject that may stand in a run id: spaces and path characters become '-'.
[[nodiscard]] RESUMABLE_EXPORT std::string subject_of(std::string_view name);

/// The name of the user who runs this program.
[[nodiscard]] RESUMABLE_EXPORT std::string user();

/// Asks on a terminal; false at once when nobody watches.
[[nodiscard]] RESUMABLE_EXPORT bool ask(Console& console, std::string_view question);

}  // namespace resumable::inline v0::cli
