// Commands that write: fork, tag, rollback, merge, copy, gc. Each is a call of manage.hpp.
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/console.hpp"
#include "core/text.hpp"
#include "inspector/commands.hpp"
#include "inspector/json.hpp"
#include "inspector/values.hpp"
#include "resumable/error.hpp"
#include "resumable/manage.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {
namespace {

/// The word at this place on the command line. @throws Error{Errc::bad_option}
const std::string& word_at(const Request& request, std::size_t place, std::string_view what,
                           std::string_view command) {
  if (place < request.runs.size()) return request.runs[place];
  throw Error(Errc::bad_option,
              {.what = fmt::format("which {}?", what),
               .next = fmt::format("{} {} --help", request.options.program, command)});
}

void finish(const Request& request, const Document& json, const std::string& text) {
  if (request.output.json) {
    print(request.console, json);
  } else {
    request.console.out << request.console.wrap(core::escaped(text));
  }
}

Document written_json(const std::string& run, const CopyResult& result) {
  return {{"schema", 1},
          {"run", run},
          {"records", result.records},
          {"bytes", result.bytes},
          {"existed", result.existed},
          {"left_out", result.left_out}};
}

std::string written_text(std::string_view done, const CopyResult& result) {
  if (result.existed) return fmt::format("{}: that was done earlier\n", done);
  std::string text = fmt::format("{}: {}, {}\n", done, cli::number_of(result.records, "record"),
                                 cli::format_size(result.bytes));
  for (const std::string& place : result.left_out) text += fmt::format("  left out {}\n", place);
  return text;
}

}  // namespace

int fork(Request& request) {
  const std::string name = word_at(request, 1, "id has the new run", "fork");
  const RunInfo run = chosen_run(request);
  ForkOptions options;
  options.from_stage = request.selector;
  options.tag = request.tag;
  options.skip_damaged = request.skip_damaged;
  options.wait = request.wait;
  const CopyResult result = fork_run(*request.store, run.run, name, options);
  finish(request, written_json(name, result),
         written_text(fmt::format("forked {} as {}", run.run, name), result) +
             "resume it with its program under the new id\n");
  return 0;
}

namespace {

int list_tags(const Request& request, const std::string& run) {
  Document json{{"schema", 1}, {"run", run}, {"tags", Document::array()}};
  std::vector<std::vector<std::string>> rows{{"TAG", "MADE", "BY", "RECORDS"}};
  for (const RunTag& tag : run_tags(*request.store, run)) {
    json["tags"].push_back(
        {{"name", tag.name}, {"at", tag.at}, {"who", tag.who}, {"records", tag.records}});
    rows.push_back({core::printable(tag.name), time_text(request, tag.at), core::printable(tag.who),
                    std::to_string(tag.records)});
  }
  finish(request, json,
         rows.size() > 1 ? cli::table(rows) : fmt::format("run {} has no tags\n", run));
  return 0;
}

}  // namespace

int tag(Request& request) {
  const RunInfo run = chosen_run(request);
  if (request.runs.size() < 2) return list_tags(request, run.run);
  const std::string& name = request.runs[1];
  const TagOptions options{.who = cli::user(), .wait = request.wait};
  if (request.remove_tag) {
    const bool removed = untag_run(*request.store, run.run, name, options);
    finish(request, {{"schema", 1}, {"run", run.run}, {"tag", name}, {"removed", removed}},
           fmt::format("{} '{}' of run {}\n", removed ? "removed the tag" : "there was no tag",
                       name, run.run));
    return 0;
  }
  const TagResult result = tag_run(*request.store, run.run, name, options);
  finish(request,
         {{"schema", 1},
          {"run", run.run},
          {"tag", name},
          {"records", result.records},
          {"existed", result.existed}},
         fmt::format("tagged run {} as '{}': {}{}\n", run.run, name,
                     cli::number_of(result.records, "record"),
                     result.existed ? ", as an earlier call had" : ""));
  return 0;
}

int rollback(Request& request) {
  const std::string stage = word_at(request, 1, "stage", "rollback");
  const RunInfo run = chosen_run(request);
  RollBackOptions options;
  options.tag = request.tag;
  options.wait = request.wait;
  if (!request.generations.empty()) options.generation = request.generations.front();
  if (request.dry_run) {
    if (options.generation == 0) {
      throw Error(Errc::bad_option, {.what = "--dry-run shows what --generation N would do",
                                     .next = typed(request, "tag", {run.run})});
    }
    const auto now = record_of(request, run.run, stage, std::nullopt);
    const auto then = record_of(request, run.run, stage, options.generation);
    finish(request,
           {{"schema", 1},
            {"run", run.run},
            {"dry_run", true},
            {"values", {{{"key", stage}, {"from", then.generation}, {"generation", 0}}}},
            {"unchanged", now.generation == then.generation ? 1 : 0}},
           fmt::format(
               "would take back generation {} of {} (the current one is {}): {}\n", then.generation,
               stage, now.generation,
               then.identity == now.identity ? "the same value" : "what depends on it runs again"));
    return 0;
  }
  const RollBackResult result = roll_back(*request.store, run.run, stage, options);
  Document json{{"schema", 1}, {"run", run.run}, {"dry_run", false}, {"values", Document::array()}};
  std::string text;
  for (const RollBackResult::Value& value : result.values) {
    json["values"].push_back(
        {{"key", value.key}, {"from", value.from}, {"generation", value.generation}});
    text += fmt::format("{}: generation {} is taken back, as generation {}\n", value.key,
                        value.from, value.generation);
  }
  json["unchanged"] = result.unchanged;
  if (result.unchanged > 0) text += fmt::format("{} as they were\n", result.unchanged);
  finish(request, json, text + "resume it with its program: what depends on this runs again\n");
  return 0;
}

int merge(Request& request) {
  static_cast<void>(word_at(request, 1, "run is merged into", "merge"));
  const RunInfo from = chosen_run(request);
  const RunInfo into = chosen_run(request, 1);
  MergeOptions options{.wait = request.wait};
  if (request.conflicts == "keep") options.conflicts = MergeConflicts::keep;
  if (request.conflicts == "take") options.conflicts = MergeConflicts::take;
  const MergeResult result =
      merge_runs(*request.store, from.run, *request.store, into.run, options);
  const bool refused = request.conflicts == "refuse" && !result.conflicts.empty();
  Document json{{"schema", 1},
                {"from", from.run},
                {"into", into.run},
                {"refused", refused},
                {"merged", result.merged},
                {"same", result.same},
                {"conflicts", Document::array()}};
  std::string text;
  for (const MergeResult::Conflict& one : result.conflicts) {
    json["conflicts"].push_back(
        {{"key", one.key}, {"from", one.from}, {"into", one.into}, {"where", one.where}});
    text += fmt::format("{} differs\n", one.key);
  }
  text += refused ? fmt::format("nothing was merged: {}; --conflicts keep or take settles them\n",
                                cli::number_of(result.conflicts.size(), "conflict"))
                  : fmt::format("merged {} into {}: {}, {} the same\n", from.run, into.run,
                                cli::number_of(result.merged, "record"), result.same);
  finish(request, json, text);
  return refused ? 3 : 0;
}

namespace {

std::unique_ptr<CheckpointStore> other_store(const Request& request, std::string_view command) {
  if (!request.to.empty()) {
    return open_store(request.to, request.options.stores, CreateStore::if_absent);
  }
  throw Error(Errc::bad_option,
              {.what = "to which store?",
               .next = fmt::format("{} {} … --to URL", request.options.program, command)});
}

}  // namespace

int copy(Request& request) {
  const auto to = other_store(request, "copy");
  CopyOptions options;
  options.skip_damaged = request.skip_damaged;
  options.wait = request.wait;
  if (request.all) {
    const BackUpResult result = back_up_store(*request.store, *to, options);
    finish(request,
           {{"schema", 1},
            {"runs", result.runs},
            {"records", result.records},
            {"bytes", result.bytes},
            {"existed", result.existed},
            {"left_out", result.left_out}},
           fmt::format("copied {} ({}, {}) to {}, {} of them earlier\n",
                       cli::number_of(result.runs, "run"), cli::number_of(result.records, "record"),
                       cli::format_size(result.bytes), to->url(), result.existed));
    return 0;
  }
  static_cast<void>(word_at(request, 0, "run (--all: all of them)", "copy"));
  const RunInfo run = chosen_run(request);
  const std::string name = request.runs.size() > 1 ? request.runs[1] : run.run;
  const CopyResult result = copy_run(*request.store, run.run, *to, name, options);
  finish(request, written_json(name, result),
         written_text(fmt::format("copied {} to {} in {}", run.run, name, to->url()), result));
  return 0;
}

namespace {

[[noreturn]] void no_bundles(const Request& request) {
  throw Error(Errc::bad_option,
              {.what = fmt::format("{} is built without runs as files", request.options.program),
               .kept = "nothing was changed",
               .next = "build it with libarchive, or use copy"});
}

}  // namespace

int export_run(Request& request) {
  if (!request.options.export_bundle) no_bundles(request);
  if (request.to.empty()) {
    throw Error(Errc::bad_option,
                {.what = "to which file?", .next = typed(request, "export", {"RUN", "FILE"})});
  }
  const RunInfo run = chosen_run(request);
  CopyOptions options;
  options.skip_damaged = request.skip_damaged;
  const CopyResult result =
      request.options.export_bundle(*request.store, run.run, request.to, options);
  finish(request, written_json(run.run, result),
         written_text(fmt::format("exported {} to {}", run.run, request.to), result));
  return 0;
}

int import_run(Request& request) {
  if (!request.options.import_bundle) no_bundles(request);
  const std::string name = request.runs.empty() ? std::string{} : request.runs.front();
  CopyOptions options;
  options.wait = request.wait;
  const CopyResult result =
      request.options.import_bundle(request.to, *request.store, name, options);
  finish(request, written_json(name, result),
         written_text(fmt::format("imported {}{}", request.to, name.empty() ? "" : " as " + name),
                      result));
  return 0;
}

namespace {

void ask_before_removing(Request& request, const char* flag, std::chrono::milliseconds asked,
                         const char* what) {
  if (request.dry_run || request.yes || asked.count() == 0) return;
  if (cli::confirm(request.console, fmt::format("remove {}?", what))) return;
  throw Error(Errc::bad_option, {.what = fmt::format("{} removes {}", flag, what),
                                 .kept = "everything; nothing was removed",
                                 .next = "look at --dry-run first, then say --yes"});
}

std::string garbage_text(const Request& request, const GarbageResult& result) {
  constexpr std::size_t most = 40;
  std::string text;
  std::size_t shown = 0;
  for (const Garbage& one : result.removed) {
    if (++shown > most && !request.all) continue;
    const std::string size = cli::format_size(one.bytes);
    if (one.path.empty()) {
      text += fmt::format("  run {}  {}\n", one.run, size);
    } else if (one.generation == 0) {
      text += fmt::format("  {} file {}  {}\n", one.run, one.path, size);
    } else {
      text += fmt::format("  {} {}, generation {}  {}\n", one.run, one.path, one.generation, size);
    }
  }
  if (shown > most && !request.all) text += fmt::format("  {} more hidden: --all\n", shown - most);
  for (const GarbageResult::Skipped& one : result.skipped) {
    text += fmt::format("  left run {}: {}\n", one.run, one.why);
  }
  return text + fmt::format("{} {}, generations, runs and files: {}\n",
                            request.dry_run ? "would free" : "freed",
                            cli::format_size(result.bytes), result.removed.size());
}

}  // namespace

int gc(Request& request) {
  using std::chrono::duration_cast;
  using std::chrono::seconds;
  ask_before_removing(request, "--runs-older-than", request.runs_older_than, "whole runs");
  ask_before_removing(request, "--set-aside-older-than", request.set_aside_older_than,
                      "copies of files that people have edited");
  GarbageOptions options{.prefix = request.prefix, .dry_run = request.dry_run};
  options.keep_generations = request.keep;
  if (request.older_than.count() > 0)
    options.older_than = duration_cast<seconds>(request.older_than);
  if (request.runs_older_than.count() > 0) {
    options.runs_older_than = duration_cast<seconds>(request.runs_older_than);
  }
  if (request.set_aside_older_than.count() > 0) {
    options.set_aside_older_than = duration_cast<seconds>(request.set_aside_older_than);
  }
  if (request.max_bytes > 0) options.max_bytes = request.max_bytes;
  if (request.artifacts) options.artifacts = RemoveArtifacts::remove;
  const GarbageResult result = collect_garbage(*request.store, options);
  Document json{{"schema", 1},
                {"dry_run", request.dry_run},
                {"bytes", result.bytes},
                {"removed", Document::array()},
                {"skipped", Document::array()}};
  for (const Garbage& one : result.removed) {
    json["removed"].push_back({{"run", one.run},
                               {"path", one.path},
                               {"generation", one.generation},
                               {"bytes", one.bytes},
                               {"where", one.where}});
  }
  for (const GarbageResult::Skipped& one : result.skipped) {
    json["skipped"].push_back({{"run", one.run}, {"why", one.why}});
  }
  finish(request, json, garbage_text(request, result));
  return 0;
}

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
