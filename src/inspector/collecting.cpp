// gc: collect_garbage() of manage.hpp.
#include <chrono>

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

/// An age as the library takes it; a part of a second counts as a whole one.
std::optional<std::chrono::seconds> age(std::optional<std::chrono::milliseconds> given) {
  if (!given) return std::nullopt;
  return std::chrono::ceil<std::chrono::seconds>(*given);
}

void ask_before_removing(Request& request, const char* flag,
                         std::optional<std::chrono::milliseconds> asked, const char* what) {
  if (request.dry_run || request.yes || !asked) return;
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
      text += fmt::format("  {} {}, generation {}{}  {}\n", one.run, one.path, one.generation,
                          one.left ? ", left the pipeline" : "", size);
    }
  }
  if (shown > most && !request.all) text += fmt::format("  {} more hidden: --all\n", shown - most);
  if (!result.leftovers.empty()) {
    text += fmt::format("  {} that no record names\n",
                        cli::number_of(result.leftovers.size(), "object"));
  }
  for (const GarbageResult::Skipped& one : result.skipped) {
    text += fmt::format("  left run {}: {}\n", one.run, one.why);
  }
  if (result.set_aside > 0) {
    text += fmt::format("  {} set aside earlier, {}: --set-aside-older-than TIME removes them\n",
                        cli::number_of(result.set_aside, "file"),
                        cli::format_size(result.set_aside_bytes));
  }
  if (result.removed.empty() && result.leftovers.empty()) return text + "nothing to remove\n";
  std::size_t runs = 0;
  std::size_t files = 0;
  for (const Garbage& one : result.removed) {
    runs += one.path.empty() ? 1U : 0U;
    files += !one.path.empty() && one.generation == 0 ? 1U : 0U;
  }
  std::string parts;
  const auto add = [&](std::size_t count, std::string_view what) {
    if (count > 0) parts += (parts.empty() ? "" : ", ") + cli::number_of(count, what);
  };
  add(runs, "run");
  add(result.removed.size() - runs - files, "generation");
  add(files, "file");
  add(result.leftovers.size(), "object");
  text += fmt::format("{} {}: {}\n", request.dry_run ? "would remove" : "removed",
                      cli::format_size(result.bytes), parts);
  if (request.dry_run) return text;
  if (!result.disk_bytes) return text + "the store keeps the room for new records\n";
  return text + fmt::format("the disk got back {}\n", cli::format_size(*result.disk_bytes));
}

}  // namespace

int gc(Request& request) {
  ask_before_removing(request, "--runs-older-than", request.runs_older_than, "whole runs");
  ask_before_removing(request, "--left-older-than", request.left_older_than,
                      "the values of items and stages that left the pipeline");
  ask_before_removing(request, "--set-aside-older-than", request.set_aside_older_than,
                      "copies of files that people have edited");
  GarbageOptions options{.prefix = request.prefix, .dry_run = request.dry_run};
  options.keep_generations = request.keep;
  options.older_than = age(request.older_than);
  options.runs_older_than = age(request.runs_older_than);
  options.left_older_than = age(request.left_older_than);
  options.set_aside_older_than = age(request.set_aside_older_than);
  options.max_bytes = request.max_bytes;
  if (request.artifacts) options.artifacts = RemoveArtifacts::remove;
  const GarbageResult result = collect_garbage(*request.store, options);
  Document json{{"schema", 1},
                {"dry_run", request.dry_run},
                {"bytes", result.bytes},
                {"set_aside", {{"files", result.set_aside}, {"bytes", result.set_aside_bytes}}},
                {"removed", Document::array()},
                {"leftovers", Document::array()},
                {"skipped", Document::array()}};
  if (result.disk_bytes) json["disk_bytes"] = *result.disk_bytes;
  for (const Garbage& one : result.removed) {
    json["removed"].push_back({{"run", one.run},
                               {"path", one.path},
                               {"generation", one.generation},
                               {"bytes", one.bytes},
                               {"where", one.where},
                               {"left", one.left}});
  }
  for (const Leftover& one : result.leftovers) {
    json["leftovers"].push_back({{"run", one.run}, {"where", one.where}, {"bytes", one.bytes}});
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
