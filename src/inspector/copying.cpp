// merge, copy, export and import: records that go from one run to another. Each is a call of
// manage.hpp or of the component `bundle`.
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/console.hpp"
#include "inspector/commands.hpp"
#include "inspector/written.hpp"
#include "resumable/error.hpp"
#include "resumable/manage.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {
namespace {

Document merged_json(const Request& request, const std::string& from, const std::string& into,
                     const MergeResult& result, bool refused) {
  Document json{{"schema", 1},         {"from", from},
                {"into", into},        {"dry_run", request.dry_run},
                {"refused", refused},  {"merged", result.merged},
                {"same", result.same}, {"conflicts", Document::array()}};
  for (const MergeResult::Conflict& one : result.conflicts) {
    json["conflicts"].push_back(
        {{"key", one.key}, {"from", one.from}, {"into", one.into}, {"where", one.where}});
  }
  return json;
}

}  // namespace

int merge(Request& request) {
  static_cast<void>(word_at(request, 1, "run is merged into", "merge"));
  const RunInfo from = chosen_run(request);
  std::unique_ptr<CheckpointStore> other;
  if (!request.to.empty()) {
    other = open_store(request.to, request.options.stores);
    std::swap(request.store, other);  // the second run is one of it
  }
  const RunInfo into = chosen_run(request, 1);
  MergeOptions options{.wait = request.wait, .dry_run = request.dry_run};
  if (request.conflicts == "keep") options.conflicts = MergeConflicts::keep;
  if (request.conflicts == "take") options.conflicts = MergeConflicts::take;
  const MergeResult result =
      merge_runs(other ? *other : *request.store, from.run, *request.store, into.run, options);
  const bool refused = request.conflicts == "refuse" && !result.conflicts.empty();
  std::string text;
  for (const MergeResult::Conflict& one : result.conflicts) {
    text += fmt::format("{} differs\n", one.key);
  }
  text += refused ? fmt::format("nothing {} merged: {}; --conflicts keep or take settles them\n",
                                request.dry_run ? "would be" : "was",
                                cli::number_of(result.conflicts.size(), "conflict"))
                  : fmt::format("{}merged {} into {}: {}, {} the same\n", would(request), from.run,
                                into.run, cli::number_of(result.merged, "record"), result.same);
  finish(request, merged_json(request, from.run, into.run, result, refused), text);
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

namespace {

int copy_all(const Request& request, CheckpointStore& to, const CopyOptions& options) {
  const BackUpResult result = back_up_store(*request.store, to, options);
  finish(request,
         {{"schema", 1},
          {"dry_run", request.dry_run},
          {"runs", result.runs},
          {"records", result.records},
          {"bytes", result.bytes},
          {"existed", result.existed},
          {"left_out", result.left_out}},
         fmt::format("{}copied {} ({}, {}) to {}, {} of them earlier\n", would(request),
                     cli::number_of(result.runs, "run"), cli::number_of(result.records, "record"),
                     cli::format_size(result.bytes), to.url(), result.existed));
  return 0;
}

}  // namespace

int copy(Request& request) {
  const auto to = other_store(request, "copy");
  CopyOptions options;
  options.skip_damaged = request.skip_damaged;
  options.wait = request.wait;
  options.dry_run = request.dry_run;
  if (request.all) return copy_all(request, *to, options);
  static_cast<void>(word_at(request, 0, "run (--all: all of them)", "copy"));
  const RunInfo run = chosen_run(request);
  const std::string name = request.runs.size() > 1 ? request.runs[1] : run.run;
  const CopyResult result = copy_run(*request.store, run.run, *to, name, options);
  finish(request, written_json(request, name, result),
         written_text(request, fmt::format("copied {} to {} in {}", run.run, name, to->url()),
                      result));
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
  options.dry_run = request.dry_run;
  const CopyResult result =
      request.options.export_bundle(*request.store, run.run, request.to, options);
  finish(request, written_json(request, run.run, result),
         written_text(request, fmt::format("exported {} to {}", run.run, request.to), result));
  return 0;
}

int import_run(Request& request) {
  if (!request.options.import_bundle) no_bundles(request);
  const std::string name = request.runs.empty() ? std::string{} : request.runs.front();
  CopyOptions options;
  options.wait = request.wait;
  options.dry_run = request.dry_run;
  const CopyResult result =
      request.options.import_bundle(request.to, *request.store, name, options);
  finish(request, written_json(request, name, result),
         written_text(request,
                      fmt::format("imported {}{}", request.to, name.empty() ? "" : " as " + name),
                      result));
  return 0;
}

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
