#include "inspector/commands.hpp"

#include <array>

#include <CLI/CLI.hpp>

namespace resumable {
inline namespace v0 {
namespace inspector {
namespace {

void add_json(CLI::App& command, Request& request) {
  command.add_flag("--json", request.output.json, "print JSON");
}

void add_dry_run(CLI::App& command, Request& request, const char* what) {
  command.add_flag("--dry-run", request.dry_run, what);
}

void add_runs(CLI::App& command, Request& request, int most, const char* what) {
  auto* option = command.add_option("run", request.runs, what)->type_name("RUN");
  if (most > 0) option->expected(0, most);
}

/// At most one word, so that what follows is the next argument.
void add_run(CLI::App& command, Request& request) {
  command
      .add_option_function<std::string>(
          "run", [&request](const std::string& word) { request.runs.push_back(word); },
          "its id, a pattern such as 'memo-*', or latest")
      ->type_name("RUN");
}

void add_filters(CLI::App& command, Request& request) {
  command
      .add_option("--state", request.state,
                  "only runs in this state: done, failed, running, killed, interrupted, …")
      ->type_name("STATE");
  command.add_option("--pipeline", request.pipeline, "only runs of this pipeline")
      ->type_name("NAME");
  command.add_option("--label", request.labels, "only runs that have this label")
      ->type_name("NAME[=VALUE]")
      ->allow_extra_args(false);
  cli::add_time_option(command, "--since", request.since,
                       "only runs that were worked on within this time: 12h, 7d");
}

void add_selector(CLI::App& command, Request& request, const char* what) {
  command.add_option("stage", request.selector, what)->type_name("STAGE");
}

void declare_list(CLI::App& command, Request& request) {
  add_runs(command, request, 0, "ids, patterns such as 'memo-*', or latest; default: all");
  add_filters(command, request);
  command.add_flag("--stats", request.stats, "what resuming has saved, instead of the list");
  add_json(command, request);
}

void declare_status(CLI::App& command, Request& request) {
  add_run(command, request);
  add_filters(command, request);
  cli::add_status_flags(command, request.output);
}

void declare_plan(CLI::App& command, Request& request) {
  add_run(command, request);
  add_filters(command, request);
  command.add_flag("--exit-code", request.output.exit_code, "exit 5 when work is left");
  add_json(command, request);
  command.add_flag("--explain", request.output.explain, "all reasons, not only the deciding one");
}

void declare_explain(CLI::App& command, Request& request) {
  add_run(command, request);
  add_filters(command, request);
  add_selector(command, request, "STAGE or STAGE/ITEM");
  add_json(command, request);
}

void declare_show(CLI::App& command, Request& request) {
  add_run(command, request);
  add_selector(command, request,
               "STAGE, STAGE/ITEM, @input/NAME or a path that `show RUN --all` lists; default: "
               "a list of them");
  add_filters(command, request);
  command
      .add_option("--generation", request.generations,
                  "show this generation; default: the current one")
      ->type_name("N")
      ->expected(1);
  command
      .add_option("--pointer", request.pointer,
                  "show only the part of the value that this JSON pointer names, such as /title")
      ->type_name("POINTER");
  command.add_flag("--all", request.all, "list each record, earlier generations included");
  command.add_flag(
      "--raw", request.raw,
      "the value's bytes as they are, and nothing else; with --pointer, a line of JSON, "
      "or a string without quotes");
  add_json(command, request);
}

void declare_verify(CLI::App& command, Request& request) {
  add_runs(command, request, 0, "ids, patterns or latest; default: all");
  add_filters(command, request);
  command.add_flag("--set-aside", request.set_aside,
                   "move what is damaged to quarantine: it is made again on resume");
  cli::add_time_option(command, "--wait", request.wait,
                       "with --set-aside: how long to wait for another owner");
  add_json(command, request);
}

void declare_diff(CLI::App& command, Request& request) {
  add_runs(command, request, 2,
           "two runs; or one run, whose current values are compared with the previous ones");
  add_filters(command, request);
  command.add_option("--stage", request.selector, "only this STAGE or STAGE/ITEM")
      ->type_name("STAGE");
  command.add_option("--generations", request.generations, "with --stage: which two, such as 1,3")
      ->type_name("OLD,NEW")
      ->delimiter(',')
      ->expected(2);
  command.add_flag("--all", request.all, "print long values and lists in full");
  add_json(command, request);
}

void declare_graph(CLI::App& command, Request& request) {
  add_run(command, request);
  add_filters(command, request);
  command.add_option("--format", request.format, "how to draw it")
      ->type_name("FORMAT")
      ->check(CLI::IsMember({"text", "dot", "mermaid", "svg"}))
      ->capture_default_str();
  add_json(command, request);
}

void declare_report(CLI::App& command, Request& request) {
  add_run(command, request);
  add_filters(command, request);
  command
      .add_option("-o,--output", request.to,
                  "the file to write, '-' for standard output; default: the run's id and .html")
      ->type_name("FILE");
  add_json(command, request);
}

void declare_remove(CLI::App& command, Request& request) {
  add_run(command, request);
  add_filters(command, request);
  command.add_flag("--artifacts", request.artifacts,
                   "also remove exported files that are not edited");
  add_dry_run(command, request, "only print what would be removed");
  command.add_flag("-y,--yes", request.yes, "do not ask");
  cli::add_time_option(command, "--wait", request.wait, "how long to wait for another owner");
  add_json(command, request);
}

void add_wait(CLI::App& command, Request& request) {
  cli::add_time_option(command, "--wait", request.wait, "how long to wait for another owner");
  add_json(command, request);
}

void add_skip_damaged(CLI::App& command, Request& request) {
  command.add_flag("--skip-damaged", request.skip_damaged,
                   "leave damaged records out instead of refusing");
}

void declare_fork(CLI::App& command, Request& request) {
  add_runs(command, request, 2, "the run, and the id of the new one");
  add_filters(command, request);
  command
      .add_option("--from,--from-stage", request.selector,
                  "leave out STAGE and everything that depends on it")
      ->type_name("STAGE");
  command
      .add_option("--tag", request.tag, "use the state that this tag names, not the present one")
      ->type_name("NAME");
  add_dry_run(command, request, "only print what the fork would get, and what would run in it");
  add_skip_damaged(command, request);
  add_wait(command, request);
}

void declare_tag(CLI::App& command, Request& request) {
  add_runs(command, request, 2, "the run, and the tag; without a tag: print its tags");
  add_filters(command, request);
  command.add_flag("--remove", request.remove_tag, "remove the tag");
  add_wait(command, request);
}

void declare_rollback(CLI::App& command, Request& request) {
  add_runs(command, request, 2, "the run, and STAGE or STAGE/ITEM");
  add_filters(command, request);
  command.add_option("--generation", request.generations, "the generation to restore")
      ->type_name("N")
      ->expected(1);
  command.add_option("--tag", request.tag, "the generation that this tag names")->type_name("NAME");
  add_dry_run(command, request, "only print what --generation would restore");
  add_wait(command, request);
}

void declare_merge(CLI::App& command, Request& request) {
  add_runs(command, request, 2, "the run that is read, and the run to which its results are added");
  command.add_option("--to", request.to, "the store of the second run, if it is a different one")
      ->type_name("URL");
  command
      .add_option("--conflicts", request.conflicts, "if both have a value: refuse, keep or take it")
      ->type_name("HOW")
      ->check(CLI::IsMember({"refuse", "keep", "take"}))
      ->capture_default_str();
  add_dry_run(command, request, "only print what would be merged, and the conflicts");
  add_wait(command, request);
}

void declare_copy(CLI::App& command, Request& request) {
  add_runs(command, request, 2, "the run, and its id there, if different");
  add_filters(command, request);
  command.add_option("--to", request.to, "the other store; a folder is created")->type_name("URL");
  command.add_flag("--all", request.all, "all runs: a backup");
  add_dry_run(command, request, "only print what would be copied");
  add_skip_damaged(command, request);
  add_wait(command, request);
}

void declare_migrate(CLI::App& command, Request& request) {
  command
      .add_option("--backup", request.to,
                  "first copy all runs to this store, and verify the copies")
      ->type_name("URL");
  add_wait(command, request);
}

void declare_export(CLI::App& command, Request& request) {
  add_run(command, request);
  command.add_option("file", request.to, "the new file, a tar archive")->type_name("FILE");
  add_filters(command, request);
  add_dry_run(command, request, "only print what would be exported");
  add_skip_damaged(command, request);
  add_json(command, request);
}

void declare_import(CLI::App& command, Request& request) {
  command.add_option("file", request.to, "a file written by export")->type_name("FILE");
  command
      .add_option_function<std::string>(
          "run", [&request](const std::string& word) { request.runs.push_back(word); },
          "its id in this store, if different")
      ->type_name("NEW");
  add_dry_run(command, request, "only print what would be imported");
  add_wait(command, request);
}

void declare_adopt(CLI::App& command, Request& request) {
  command
      .add_option_function<std::string>(
          "folder", [&request](const std::string& word) { request.runs.push_back(word); },
          "its name in the store; default: each that has files and no checkpoints")
      ->type_name("FOLDER");
  add_json(command, request);
}

void declare_gc(CLI::App& command, Request& request) {
  command.add_option("--prefix", request.prefix, "only runs whose ids begin with it");
  command.add_option("--keep", request.keep, "keep this many generations of each record")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  cli::add_time_option(command, "--older-than", request.older_than,
                       "remove other generations only if they are older");
  command.add_option("--max-bytes", request.max_bytes,
                     "remove further old generations until the payloads have no more bytes");
  cli::add_time_option(command, "--runs-older-than", request.runs_older_than,
                       "also remove whole runs whose last record is older");
  cli::add_time_option(command, "--left-older-than", request.left_older_than,
                       "also remove items and stages that left the pipeline longer ago");
  cli::add_time_option(
      command, "--set-aside-older-than", request.set_aside_older_than,
      "also remove damaged records and replaced files that were set aside longer ago");
  command.add_flag("--artifacts", request.artifacts,
                   "also remove the unedited exported files of removed runs");
  add_dry_run(command, request, "only print what would be removed");
  command.add_flag("--all", request.all, "print long lists in full");
  command.add_flag("-y,--yes", request.yes, "do not ask");
  add_json(command, request);
}

constexpr std::array table{
    Command{"list", "print the runs of a store, the newest first", declare_list, list},
    Command{"status", "print where a run is", declare_status, status},
    Command{"plan", "print what resuming a run would do, and why", declare_plan, plan},
    Command{"explain", "print why one stage is kept or runs again", declare_explain, explain},
    Command{"show", "print a record: its header and its value", declare_show, show},
    Command{"diff", "print what differs between two runs, or two generations", declare_diff, diff},
    Command{"graph", "draw a run's pipeline", declare_graph, graph},
    Command{"report", "write a page about a run: one HTML file", declare_report, report},
    Command{"verify", "read everything and name what is damaged", declare_verify, verify},
    Command{"tag", "name the present state of a run", declare_tag, tag},
    Command{"fork", "make a new run from the records of another", declare_fork, fork},
    Command{"rollback", "restore an earlier value of a stage", declare_rollback, rollback},
    Command{"merge", "add the results of one run to another", declare_merge, merge},
    Command{"copy", "copy a run, or all, to another store", declare_copy, copy},
    Command{"migrate", "bring a store to the newest layout", declare_migrate, migrate},
    Command{"export", "write a run to a single file", declare_export, export_run},
    Command{"import", "add the run in an exported file to a store", declare_import, import_run},
    Command{"adopt", "print which folders without checkpoints a program can adopt, and how",
            declare_adopt, adopt},
    Command{"gc", "remove old generations, and old runs", declare_gc, gc},
    Command{"remove", "remove a run", declare_remove, remove},
};

}  // namespace

std::span<const Command> commands() { return table; }

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
