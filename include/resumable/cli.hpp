/// @file
/// Commands that a program offers for its own pipelines (component `cli`, which needs
/// CLI11).
///
///     rs::ResumeOptions options{.run = "greeting", .concurrency = 4};
///     cli::OutputOptions output;
///     cli::Console console = cli::Console::detect();
///     CLI::App app{"writes a greeting", "greet"};
///     cli::add_program_flags(app, console, "1.0");
///     auto* resume = app.add_subcommand("resume", "start, or continue where it stopped");
///     cli::add_resume_flags(*resume, options, output);
///     return cli::run(app, argc, argv, console, [&] {
///       return cli::resume(console, pipeline, store, options, output);
///     });
///
/// docs/cli.md shows the whole program, and lists flags, exit codes and the JSON that is printed.
/// Results go to Console::out, diagnostics to Console::err.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "resumable/export.hpp"
#include "resumable/function_ref.hpp"
#include "resumable/progress_display.hpp"
#include "resumable/resume.hpp"
#include "resumable/status.hpp"
#include "resumable/work.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): as CLI11 calls it
class App;
}

namespace resumable {
inline namespace v0 {
namespace cli {

/// Where and how to write.
struct Console {
  std::ostream& out;              ///< results
  std::ostream& err;              ///< diagnostics: progress, warnings, errors, what to type next
  bool color = false;             ///< ANSI colours
  bool ascii = false;             ///< ASCII symbols only
  bool interactive = false;       ///< a user watches err: write for people, not for programs
  std::size_t columns = 0;        ///< width of the terminal; 0: lines are never wrapped
  const CLI::App* app = nullptr;  ///< set by run(): messages advise only flags that it has

  /// For std::cout and std::cerr. Colours: out is a terminal, NO_COLOR is unset or empty, CI is not
  /// set. Interactive: err is a terminal and CI is not set. The width is the terminal's.
  [[nodiscard]] RESUMABLE_EXPORT static Console detect();

  /// `text` with lines wider than `columns` broken at spaces; never inside a word.
  [[nodiscard]] RESUMABLE_EXPORT std::string wrap(std::string_view text) const;
};

/// How a command prints and ends. All other flags are written into ResumeOptions.
struct OutputOptions {
  bool json = false;       ///< print JSON on out
  bool explain = false;    ///< plan: all reasons, not only the deciding one
  bool exit_code = false;  ///< plan, status: exit 5 when work is left
  bool alive = false;      ///< status: print nothing; exit 0 if a process owns the run, else 1
  std::string events{};    ///< resume: append each event to this file, one JSON object per line
  /// resume: the budget is what is left of the batch job, see job_time_left(); with a reserve of 10
  /// seconds, unless there is one.
  bool budget_of_job = false;
  /// resume: the exit code of a call that was stopped, by a signal, by the program or at the end of
  /// its budget, and that the next call continues.
  std::optional<int> exit_when_stopped{};
};

/// Adds the flags that docs/cli.md lists for `resume`. Flags that name stages add to the program's
/// list; --label adds a label or replaces its value. Any other flag that is given overwrites the
/// option. Options whose flag is not given keep the program's value. `options` and `output` must
/// outlive the parsing.
RESUMABLE_EXPORT void add_resume_flags(CLI::App& command, ResumeOptions& options,
                                       OutputOptions& output);
/// Adds the flags that docs/cli.md lists for `plan`; as above.
RESUMABLE_EXPORT void add_plan_flags(CLI::App& command, ResumeOptions& options,
                                     OutputOptions& output);
/// Adds --share to a command with add_resume_flags(): see ResumeOptions::share. For programs whose
/// store can share, and that offer work().
RESUMABLE_EXPORT void add_share_flag(CLI::App& command, ResumeOptions& options);
/// Adds --run, --slots, --idle, --ttl, --events, --json.
RESUMABLE_EXPORT void add_work_flags(CLI::App& command, WorkOptions& options,
                                     OutputOptions& output);
/// Adds --exit-code, --alive, --json.
RESUMABLE_EXPORT void add_status_flags(CLI::App& command, OutputOptions& output);
/// Adds --json.
RESUMABLE_EXPORT void add_list_flags(CLI::App& command, OutputOptions& output);
/// Adds an option that takes a time such as 500ms, 30s, 10m, 1h, 2d (a bare number: seconds).
RESUMABLE_EXPORT void add_time_option(CLI::App& command, const std::string& flag,
                                      std::chrono::milliseconds& time, const std::string& what);
/// The same, where no time differs from a time of 0.
RESUMABLE_EXPORT void add_time_option(CLI::App& command, const std::string& flag,
                                      std::optional<std::chrono::milliseconds>& time,
                                      const std::string& what);

/// Adds to the program --color, --no-color and --ascii, --version if `version` is not empty, and
/// the command `completion`, which prints a script for bash, zsh or fish.
RESUMABLE_EXPORT void add_program_flags(CLI::App& app, Console& console,
                                        std::string_view version = {});

/// `0.1.0`: the version of this library.
[[nodiscard]] RESUMABLE_EXPORT std::string library_version();

/// Parses, then calls `command` and returns its result. Usage errors return 2. If a
/// resumable::Error is thrown, its explain() is printed and its exit_code() returned; for any other
/// exception, 1. If the command succeeded but its output could not be written (a full disk),
/// returns 1. The program's flags are accepted before and after the subcommand. Not thread-safe.
RESUMABLE_EXPORT int run(CLI::App& app, int argc, const char* const* argv, Console& console,
                         FunctionRef<int()> command);

/// The options of a ProgressDisplay for this console: for a person or as a log, with or without
/// colours, in ASCII. For commands that call resumable::resume() themselves. `console.err` must
/// outlive the display. `stop`: see ProgressDisplayOptions.
[[nodiscard]] RESUMABLE_EXPORT ProgressDisplayOptions display_options(const Console& console,
                                                                      const Stop& stop = {});

/// resume() with a ProgressDisplay on err, SIGHUP, SIGINT and SIGTERM as stop requests (unless
/// `options.stop` can be requested), the events file, and a summary at the end: what was skipped,
/// and what that saved. Returns Report::exit_code(), or OutputOptions::exit_when_stopped.
/// @throws Error{Errc::bad_option}  nothing says when the job ends: OutputOptions::budget_of_job
/// @throws Error as resumable::resume
RESUMABLE_EXPORT int resume(Console& console, const Pipeline& pipeline, CheckpointStore& store,
                            ResumeOptions options, const OutputOptions& output = {});

/// work() with SIGHUP, SIGINT and SIGTERM as stop requests (unless `options.stop` can be
/// requested), the events file, and a summary at the end. Returns 0, however it was stopped.
/// @throws Error as resumable::work
RESUMABLE_EXPORT int work(Console& console, const Pipeline& pipeline, CheckpointStore& store,
                          WorkOptions options, const OutputOptions& output = {});

/// Prints what resume() with these options would do, and why. Writes nothing. Returns 0, 3 when
/// resume() would refuse, or 5: see OutputOptions::exit_code. @throws Error as ResumePlanner::plan
RESUMABLE_EXPORT int plan(Console& console, const Pipeline& pipeline, const CheckpointStore& store,
                          const ResumeOptions& options, const OutputOptions& output = {});

/// Prints where the run is and, while work is left, the lines of `next`: the program's own
/// commands. Writes nothing. Returns as plan(), or as OutputOptions::alive says.
/// @throws Error as resumable::status
RESUMABLE_EXPORT int status(Console& console, const Pipeline& pipeline,
                            const CheckpointStore& store, std::string_view run,
                            const OutputOptions& output = {},
                            const std::vector<std::string>& next = {});

/// A run in a list.
struct RunSummary {
  std::string run;
  std::string state{};  ///< as `status` prints it; or why the run cannot be read: `foreign`, …
  std::optional<Timestamp> at{};  ///< when the state was written
  std::size_t done = 0;           ///< stages
  std::size_t stages = 0;         ///< 0 when the run cannot be read
  std::uint64_t bytes = 0;        ///< of all checkpoints
};

/// What `list` prints for one run. Never throws for a run that cannot be read: its state says why.
[[nodiscard]] RESUMABLE_EXPORT RunSummary summary_of(const Pipeline& pipeline,
                                                     const CheckpointStore& store,
                                                     std::string_view run);

/// Prints a line for each run whose id begins with `prefix`, newest first; as text, runs of other
/// pipelines are only counted. Writes nothing. Costs one plan per run. Returns 0.
RESUMABLE_EXPORT int list(Console& console, const Pipeline& pipeline, const CheckpointStore& store,
                          const OutputOptions& output = {}, std::string_view prefix = {});

/// Rows as aligned columns, two spaces between them; the first row is the heading.
[[nodiscard]] RESUMABLE_EXPORT std::string table(const std::vector<std::vector<std::string>>& rows);

/// `2.1 MB`, for people.
[[nodiscard]] RESUMABLE_EXPORT std::string format_size(std::uint64_t bytes);

/// Versions of one subject: runs named `{subject}-v0.0.N`.
struct Version {
  std::string run;
  std::vector<unsigned> numbers;  ///< 0, 0, N: compared as numbers, so v0.0.10 comes after v0.0.9
  RunState state = RunState::created;
};

/// All versions of `subject`, oldest first.
[[nodiscard]] RESUMABLE_EXPORT std::vector<Version> versions(const CheckpointStore& store,
                                                             std::string_view subject);

/// The ids of versions whose folders have files but no checkpoints, oldest first;
/// ResumeOptions::adopt turns them into runs. Empty for stores that keep no files.
[[nodiscard]] RESUMABLE_EXPORT std::vector<std::string> adoptable_versions(
    const CheckpointStore& store, std::string_view subject);

/// The run id that the next version would have.
[[nodiscard]] RESUMABLE_EXPORT std::string next_version(const CheckpointStore& store,
                                                        std::string_view subject);

/// A run id that was reserved for the caller.
struct ReservedVersion {
  std::string run;
  /// Why versions were skipped, one sentence each: the name is taken by a folder without
  /// checkpoints, or by a run whose id differs only in case. The first three are described, the
  /// rest are counted.
  std::vector<std::string> notes{};
};

/// Reserves the next version that is free. Concurrent callers, even in other processes, get
/// different versions. Changes nothing that exists.
/// @throws Error{Errc::duplicate_name}  a thousand versions in a row are taken by something else
/// @throws Error as CheckpointStore::lease
[[nodiscard]] RESUMABLE_EXPORT ReservedVersion reserve_version(CheckpointStore& store,
                                                               std::string_view subject);

/// `name` as part of a run id: spaces and path characters become '-'.
[[nodiscard]] RESUMABLE_EXPORT std::string subject_of(std::string_view name);

/// `word` as a shell reads it back: quoted where it has to be.
[[nodiscard]] RESUMABLE_EXPORT std::string shell_quote(std::string_view word);

/// The element of `known` of which `word` is most likely a misspelling, or "".
[[nodiscard]] RESUMABLE_EXPORT std::string did_you_mean(std::string_view word,
                                                        const std::vector<std::string>& known);

/// The name of the user who runs this program.
[[nodiscard]] RESUMABLE_EXPORT std::string user();

/// Asks a yes-or-no question; false without asking unless the console is interactive and stdin is
/// a terminal.
[[nodiscard]] RESUMABLE_EXPORT bool confirm(Console& console, std::string_view question);

}  // namespace cli
}  // namespace v0
}  // namespace resumable
