// fork, tag and rollback. Each is a call of manage.hpp.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cli/console.hpp"
#include "core/text.hpp"
#include "inspector/commands.hpp"
#include "inspector/values.hpp"
#include "inspector/written.hpp"
#include "resumable/error.hpp"
#include "resumable/manage.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {

int fork(Request& request) {
  const std::string name = word_at(request, 1, "id has the new run", "fork");
  const RunInfo run = chosen_run(request);
  ForkOptions options;
  options.from_stage = request.selector;
  options.tag = request.tag;
  options.skip_damaged = request.skip_damaged;
  options.wait = request.wait;
  options.dry_run = request.dry_run;
  const CopyResult result = fork_run(*request.store, run.run, name, options);
  Document json = written_json(request, name, result);
  json["stages_left_out"] = result.stages_left_out;
  std::string text = written_text(request, fmt::format("forked {} as {}", run.run, name), result);
  if (!result.stages_left_out.empty()) {
    text += fmt::format("  left out {}: they run in the fork\n",
                        fmt::join(result.stages_left_out, ", "));
  }
  if (!request.dry_run) text += "resume it with its program under the new id\n";
  finish(request, json, text);
  return 0;
}

namespace {

int list_tags(const Request& request, const std::string& run) {
  Document json{{"schema", 1}, {"run", run}, {"tags", Document::array()}};
  std::vector<std::vector<std::string>> rows{{"TAG", "MADE", "BY", "RECORDS"}};
  for (const RunTag& tag : run_tags(*request.store, run)) {
    json["tags"].push_back({{"name", tag.name},
                            {"at", to_string(tag.at)},
                            {"who", tag.who},
                            {"records", tag.records}});
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
               "would restore generation {} of {} (the current one is {}): {}\n", then.generation,
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
    text += fmt::format("{}: generation {} is restored as generation {}\n", value.key, value.from,
                        value.generation);
  }
  json["unchanged"] = result.unchanged;
  if (result.unchanged > 0) {
    text +=
        fmt::format("{} already had that generation\n", cli::number_of(result.unchanged, "value"));
  }
  finish(request, json, text + "resume it with its program: what depends on this runs again\n");
  return 0;
}

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
