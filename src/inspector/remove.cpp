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
                {.what = fmt::format("nobody can be asked whether to remove run '{}'",
                                     core::printable(run.run)),
                 .kept = "everything; nothing was removed",
                 .next = typed(request, "remove", {run.run, "--yes"}) +
                         "   (--dry-run instead shows what would go)"});
  }
  return cli::confirm(request.console, fmt::format("remove {}?", what));
}

}  // namespace

int remove(Request& request) {
  if (request.runs.empty()) {
    throw Error(Errc::bad_option, {.what = "which run?", .next = typed(request, "list")});
  }
  const RunInfo run = chosen_run(request);
  const RecordTotals sums = record_totals(*request.store, run.run);
  const std::string what = described(request, run, sums);
  RemoveResult result{.removed = false};
  if (!request.dry_run) {
    if (!may_remove(request, run, what)) {
      request.console.err << "nothing was removed\n";
      return 2;
    }
    RemoveOptions options{.wait = request.wait};
    if (request.artifacts) options.artifacts = RemoveArtifacts::remove;
    result = request.store->remove(run.run, options);
  } else if (run.owner) {
    request.console.err << "note: it cannot be removed while a process owns it\n";
  }
  if (request.output.json) {
    print(request.console, {{"schema", 1},
                            {"run", run.run},
                            {"removed", result.removed},
                            {"dry_run", request.dry_run},
                            {"records", sums.records},
                            {"bytes", sums.payload_bytes},
                            {"kept", result.kept}});
    return 0;
  }
  std::string text = fmt::format("{} {}\n", request.dry_run ? "would remove" : "removed", what);
  for (const std::string& path : result.kept) text += fmt::format("  kept {}\n", path);
  request.console.out << request.console.wrap(core::escaped(text));
  return 0;
}

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
