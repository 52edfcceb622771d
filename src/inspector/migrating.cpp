// migrate: brings a store to the layout that this program writes. There is only one layout so far,
// so no run needs it; this checks that, and makes a backup on request.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/console.hpp"
#include "core/text.hpp"
#include "inspector/commands.hpp"
#include "inspector/json.hpp"
#include "resumable/error.hpp"
#include "resumable/manage.hpp"
#include "resumable/run_list.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {
namespace {

void refuse_newer(const CheckpointStore& store, const std::string& run) {
  store.scan(run, {.quarantined = false}, [&](const RecordHead& head) {
    if (head.damage != Damage::newer) return true;
    throw Error(Errc::newer, {.what = fmt::format("run '{}' has a record of a newer format than "
                                                  "this program knows",
                                                  core::printable(run)),
                              .run = run,
                              .file = store.locate(run, head.id),
                              .kept = "everything; nothing was migrated",
                              .next = "use a newer program"});
  });
}

}  // namespace

int migrate(Request& request) {
  Document json{{"schema", 1}, {"store", request.store->url()}, {"runs", 0}, {"migrated", 0}};
  std::string text;
  if (!request.to.empty()) {
    const auto to = open_store(request.to, request.options.stores, CreateStore::if_absent);
    const BackUpResult backup = back_up_store(*request.store, *to, {.wait = request.wait});
    json["backup"] = {{"store", to->url()}, {"runs", backup.runs}, {"bytes", backup.bytes}};
    text +=
        fmt::format("backed up {} ({}) to {}, and read the copies back\n",
                    cli::number_of(backup.runs, "run"), cli::format_size(backup.bytes), to->url());
  }
  const std::vector<RunInfo> runs = list_runs(*request.store);
  for (const RunInfo& run : runs) {
    if (run.error) throw *run.error;
    refuse_newer(*request.store, run.run);
  }
  json["runs"] = runs.size();
  text += fmt::format("{} in {}: all have the newest layout, and nothing was migrated\n",
                      cli::number_of(runs.size(), "run"), request.store->url());
  if (request.output.json) {
    print(request.console, json);
  } else {
    request.console.out << request.console.wrap(core::escaped(text));
  }
  return 0;
}

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
