#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/console.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "inspector/commands.hpp"
#include "inspector/json.hpp"
#include "resumable/error.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {
namespace {

/// What would go, and what stays.
std::string described(const Request& request, const RunInfo& run, const RecordTotals& sums) {
  return fmt::format("run {} ({}, {}, {}){}", core::printable(run.run), state_text(run),
                     cli::number_of(sums.records, "record"), cli::format_size(sums.payload_bytes),
                     request.artifacts ? ", and the exported files that nobody has edited"
                                       : "; exported files stay");
}

bool may_remove(const Request& request, const RunInfo& run, const std::string& what) {
  if (request.yes) return true;
  if (!request.console.interactive) {
    throw Error(Errc::bad_option,
                {.what = fmt::format("cannot ask whether to remove run '{}': not a terminal",
                                     core::printable(run.run)),
                 .kept = "everything; nothing was removed",
                 .next = typed(request, "remove", {run.run, "--yes"}) +
                         "   (--dry-run instead shows what would go)"});
  }
  return cli::confirm(request.console, fmt::format("remove {}?", what));
}

RemoveOptions options_of(const Request& request) {
  RemoveOptions options{.wait = request.wait};
  if (request.artifacts) options.artifacts = RemoveArtifacts::remove;
  return options;
}

/// The run to remove, or the rest of an interrupted removal: its run is gone for every reader, but
/// some of its bytes may still be there. nullopt: that removal was just finished.
std::optional<RunInfo> run_to_remove(Request& request, RemoveResult& result) {
  try {
    return chosen_run(request);
  } catch (const Error& error) {
    if (error.errc() != Errc::unknown_run || request.dry_run) throw;
    try {
      result = request.store->remove(request.runs.front(), options_of(request));
    } catch (const Error&) {
      throw error;
    }
  }
  return std::nullopt;
}

void print_removed(const Request& request, const std::string& run, const std::string& text,
                   const RecordTotals& sums, const RemoveResult& result) {
  if (request.output.json) {
    print(request.console, {{"schema", 1},
                            {"run", run},
                            {"removed", result.removed},
                            {"dry_run", request.dry_run},
                            {"records", sums.records},
                            {"bytes", sums.payload_bytes},
                            {"kept", result.kept}});
    return;
  }
  std::string all = text + "\n";
  for (const std::string& path : result.kept) all += fmt::format("  kept {}\n", path);
  request.console.out << request.console.wrap(core::escaped(all));
}

}  // namespace

int remove(Request& request) {
  if (request.runs.empty()) {
    throw Error(Errc::bad_option, {.what = "which run?", .next = typed(request, "list")});
  }
  RemoveResult result{.removed = false};
  const auto run = run_to_remove(request, result);
  if (!run) {
    print_removed(request, request.runs.front(),
                  "finished removing run " + core::printable(request.runs.front()), {}, result);
    return 0;
  }
  const RecordTotals sums = record_totals(*request.store, run->run);
  const std::string what = described(request, *run, sums);
  if (!request.dry_run) {
    if (!may_remove(request, *run, what)) {
      request.console.err << "nothing was removed\n";
      return 2;
    }
    result = request.store->remove(run->run, options_of(request));
  } else if (run->owner) {
    request.console.err << "note: it cannot be removed while a process owns it\n";
  }
  print_removed(request, run->run, (request.dry_run ? "would remove " : "removed ") + what, sums,
                result);
  return 0;
}

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
