#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>

#include "resumable/cli.hpp"

namespace resumable {
inline namespace v0 {
namespace cli {
namespace {

void add_selection(CLI::App& command, ResumeOptions& options) {
  const auto add = [&](const char* flag, std::vector<std::string>& names, const char* what,
                       const char* type = "STAGE") {
    // The program may have put names there: a flag adds to them.
    command
        .add_option_function<std::vector<std::string>>(
            flag,
            [&names](const std::vector<std::string>& given) {
              names.insert(names.end(), given.begin(), given.end());
            },
            what)
        ->type_name(type)
        ->allow_extra_args(false);
  };
  add("--redo", options.redo,
      "run STAGE or STAGE/ITEM again; dependents only if its value changes");
  add("--from", options.from, "run STAGE and everything that depends on it again");
  add("--reject", options.reject,
      "discard what was edited in the file of STAGE or STAGE/ITEM; a copy is kept");
  add("--accept", options.accept,
      "keep the value of STAGE or STAGE/ITEM although its inputs, code or age changed; where an "
      "edit of its file and a new value collide, keep the edit");
  add("--pin", options.pin,
      "keep the value of STAGE or STAGE/ITEM, whatever changes, until --unpin");
  add("--unpin", options.unpin, "undo --pin");
  add("--ignore", options.ignore,
      "changes of an input, or of `code` or `age`, do not make STAGE run, until --unignore",
      "STAGE:TRIGGER");
  add("--unignore", options.unignore, "undo --ignore", "STAGE:TRIGGER");
  command.add_flag("--adopt", options.adopt,
                   "turn a folder that has files but no checkpoints into a run");
  command.add_flag("--fresh", options.fresh, "run everything again; older generations are kept");
  command.add_flag("--verify", options.verify_payloads,
                   "read and check all saved values, not only their headers");
  command.add_flag_callback(
      "--strict", [&options] { options.on_damage = OnDamage::refuse; },
      "refuse (exit 3) instead of working around damage");
}

void add_exit_code(CLI::App& command, OutputOptions& output) {
  command.add_flag("--exit-code", output.exit_code, "exit 5 when work is left");
}

void add_durability(CLI::App& command, ResumeOptions& options) {
  command
      .add_option_function<std::string>(
          "--durability",
          [&options](const std::string& given) {
            for (const auto mode : {Durability::full, Durability::data, Durability::queued}) {
              if (given != to_string(mode)) continue;
              options.durability = mode;
              return;
            }
            throw CLI::ValidationError("--durability",
                                       "'" + given + "' is not full, data or queued");
          },
          "what the latest results survive: full: anything; data: the end of the process, not a "
          "power loss; queued: neither, and commits do not wait for the disk")
      ->type_name("MODE");
}

}  // namespace

namespace {

/// An option that takes a time, or `word`.
void add_time(CLI::App& command, const std::string& flag,
              std::function<void(std::chrono::milliseconds)> take, const std::string& what,
              const std::string& word = {}, const std::function<void()>& take_word = {}) {
  static const std::map<std::string, double> units{
      {"ms", 0.001}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86'400}};
  const CLI::Validator time{[word](std::string& text) -> std::string {
                              if (!word.empty() && text == word) return "";
                              std::string wrong = CLI::AsNumberWithUnit(units)(text);
                              if (!wrong.empty()) return wrong;
                              if (text.starts_with('-')) return "a time is not negative";
                              return std::stod(text) > 1e9 ? "a time of more than 30 years" : "";
                            },
                            ""};
  command
      .add_option_function<std::string>(
          flag,
          [word, take = std::move(take), take_word](const std::string& given) {
            if (!word.empty() && given == word) return take_word();
            take(std::chrono::milliseconds{static_cast<std::int64_t>(std::stod(given) * 1000)});
          },
          what)
      ->transform(time)
      ->type_name(word.empty() ? "TIME" : "TIME|" + word);
}

}  // namespace

void add_time_option(CLI::App& command, const std::string& flag, std::chrono::milliseconds& time,
                     const std::string& what) {
  add_time(
      command, flag, [&time](std::chrono::milliseconds given) { time = given; }, what);
}

void add_time_option(CLI::App& command, const std::string& flag,
                     std::optional<std::chrono::milliseconds>& time, const std::string& what) {
  add_time(
      command, flag, [&time](std::chrono::milliseconds given) { time = given; }, what);
}

void add_resume_flags(CLI::App& command, ResumeOptions& options, OutputOptions& output) {
  add_selection(command, options);
  command.add_flag("--keep-going", options.keep_going,
                   "after a failure continue with what does not depend on it");
  command
      .add_option("--concurrency", options.concurrency,
                  "stages and items at a time (0: one per core)")
      ->capture_default_str()
      ->type_name("N");
  command
      .add_option_function<std::vector<std::string>>(
          "--label",
          [&options](const std::vector<std::string>& given) {
            for (const std::string& one : given) {
              const std::size_t equals = one.find('=');
              const bool whole = equals != one.npos && equals > 0;
              if (!whole) throw CLI::ValidationError("--label", "'" + one + "' is not NAME=VALUE");
              options.labels[one.substr(0, equals)] = one.substr(equals + 1);
            }
          },
          "label the run, so that lists can be filtered by it; NAME= removes the label")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  add_durability(command, options);
  add_time_option(command, "--wait", options.lock_wait,
                  "how long to wait for another owner: 30s, 10m, 1h");
  add_time_option(command, "--store-timeout", options.store_timeout,
                  "how long a call to the store may take: 30s, 5m; 0: no limit");
  add_time(
      command, "--budget",
      [&options, &output](std::chrono::milliseconds given) {
        options.budget = given;
        output.budget_of_job = false;
      },
      "how long this call may take; then it saves and exits with 75, to be resumed; job: what is "
      "left of the batch job",
      "job", [&output] { output.budget_of_job = true; });
  add_time_option(command, "--run-budget", options.run_budget,
                  "how long the run may take over all calls, downtime not counted");
  add_time_option(command, "--reserve", options.reserve,
                  "how long before the end of a budget everything is asked to stop");
  command
      .add_option("--exit-when-stopped", output.exit_when_stopped,
                  "the exit code of a call that was stopped, by a signal or at the end of its "
                  "budget, and that the next call continues; default: 75, or 128 and the signal")
      ->check(CLI::Range(6, 255))  // the others have a meaning
      ->type_name("CODE");
  command
      .add_option("--events", output.events, "append each event to FILE, one JSON object per line")
      ->type_name("FILE");
  command.add_flag("--json", output.json, "print the report as JSON");
}

void add_share_flag(CLI::App& command, ResumeOptions& options) {
  command.add_flag("--share", options.share,
                   "share the items of fan-outs with other processes, which run the command work");
}

void add_work_flags(CLI::App& command, WorkOptions& options, OutputOptions& output) {
  command
      .add_option("--run", options.run, "only items of this run; default: of all runs of the store")
      ->type_name("ID");
  command.add_option("--slots", options.slots, "items at a time (0: one per core)")
      ->capture_default_str()
      ->type_name("N");
  add_time_option(command, "--idle", options.idle,
                  "end when there was nothing to do for this long; default: when it is stopped");
  add_time_option(command, "--ttl", options.ttl,
                  "how long this process may be silent until others get its items; default: 15s");
  command
      .add_option("--events", output.events, "append each event to FILE, one JSON object per line")
      ->type_name("FILE");
  add_list_flags(command, output);
}

void add_plan_flags(CLI::App& command, ResumeOptions& options, OutputOptions& output) {
  add_selection(command, options);
  command.add_flag("--explain", output.explain, "all reasons, not only the deciding one");
  add_exit_code(command, output);
  add_list_flags(command, output);
}

void add_status_flags(CLI::App& command, OutputOptions& output) {
  add_exit_code(command, output);
  command.add_flag("--alive", output.alive,
                   "print nothing; exit 0 if a process works on the run now, otherwise 1");
  add_list_flags(command, output);
}

void add_list_flags(CLI::App& command, OutputOptions& output) {
  command.add_flag("--json", output.json, "print JSON");
}

}  // namespace cli
}  // namespace v0
}  // namespace resumable
