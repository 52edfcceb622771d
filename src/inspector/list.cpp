#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/console.hpp"
#include "core/cost_json.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "inspector/commands.hpp"
#include "inspector/json.hpp"
#include "resumable/pipeline.hpp"
#include "survey/artifacts.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {
namespace {

/// What the manifest says when a call begins is out of date during the call and after a kill: then
/// the records decide, as in `status`.
void look_closer(const CheckpointStore& store, RunInfo& run) {
  const bool current =
      run.stages > 0 && run.state != RunState::running && run.state != RunState::killed;
  if (run.error || current) return;
  try {
    const auto pipeline = recorded_pipeline(store, run.run);
    if (!pipeline) return;
    const RunStatus status = resumable::status(*pipeline, store, run.run);
    run.stages = status.stages.size();
    run.stages_done = 0;
    run.last_stage.clear();
    for (const Decision& decision : status.plan) {
      if (decision.action != Action::skip) continue;
      ++run.stages_done;
      if (decision.causes.front().reason != Reason::not_taken) run.last_stage = decision.stage;
    }
    run.cost = status.cost;
  } catch (const Error&) {  // what was noted has to do
  }
}

std::optional<RecordTotals> sums_of(const CheckpointStore& store, RunInfo& run) {
  if (run.error) return std::nullopt;
  try {
    return record_totals(store, run.run);
  } catch (const Error& error) {
    run.error = error;
    return std::nullopt;
  }
}

survey::FilesSetAside aside_of(const CheckpointStore& store, RunInfo& run) {
  if (run.error) return {};
  try {
    return survey::files_set_aside(store, run.run);
  } catch (const Error& error) {
    run.error = error;
    return {};
  }
}

Document run_json(const RunInfo& run, const std::optional<RecordTotals>& sums,
                  const survey::FilesSetAside& aside) {
  Document json{{"run", run.run},
                {"pipeline", run.pipeline},
                {"state", state_text(run)},
                {"started", cli::utc_text(run.started)},
                {"at", cli::utc_text(run.at)},
                {"stages", {{"done", run.stages_done}, {"total", run.stages}}},
                {"last_stage", run.last_stage},
                {"records", sums ? sums->records : 0},
                {"bytes", sums ? sums->payload_bytes : 0},
                {"set_aside", {{"files", aside.files}, {"bytes", aside.bytes}}},
                {"cost", core::cost_json<Document>(run.cost)},
                {"overhead", core::overhead_json<Document>(run.overhead)},
                {"labels", run.labels}};
  if (run.time_to_live) json["ttl_seconds"] = run.time_to_live->count();
  if (run.owner) {
    json["owner"] = {{"pid", run.owner->pid},
                     {"host", run.owner->host},
                     {"since", core::format_utc_seconds(run.owner->since)}};
  }
  if (run.error) json["error"] = run.error->info().what;
  return json;
}

std::string or_dash(const std::string& text) { return text.empty() ? "-" : text; }

std::vector<std::string> run_row(const Request& request, const RunInfo& run,
                                 const std::optional<RecordTotals>& sums) {
  const bool counted = run.stages > 0;
  return {core::printable(run.run),
          time_text(request, run.started),
          or_dash(core::printable(run.pipeline)),
          state_text(run),
          counted ? fmt::format("{} of {}", run.stages_done, run.stages) : "-",
          or_dash(core::printable(run.last_stage)),
          sums ? cli::format_size(sums->payload_bytes) : "-",
          or_dash(core::format_cost(run.cost))};
}

// ---- --stats -----------------------------------------------------------------------------------

struct Stats {
  std::size_t runs = 0;
  std::size_t calls = 0;
  std::size_t resumed = 0;
  std::size_t succeeded = 0;
  std::size_t unreadable = 0;
  Savings saved{};
  Overhead overhead{};
};

Stats stats_of(const CheckpointStore& store, const std::vector<RunInfo>& runs) {
  Stats stats;
  for (const RunInfo& run : runs) {
    ++stats.runs;
    stats.calls += run.calls.size();
    stats.overhead += run.overhead;
    for (const RunCall& call : run.calls) {
      stats.resumed += call.resumed ? 1U : 0U;
      stats.succeeded += call.resumed && call.outcome == Outcome::done ? 1U : 0U;
    }
    try {
      if (run.error) throw Error(*run.error);
      const Savings saved = saved_by_resuming(store, run);
      stats.saved.duration += saved.duration;
      stats.saved.cost += saved.cost;
    } catch (const Error&) {
      ++stats.unreadable;
    }
  }
  return stats;
}

int print_stats(Request& request, const std::vector<RunInfo>& runs) {
  const Stats stats = stats_of(*request.store, runs);
  if (request.output.json) {
    print(request.console, {{"schema", 1},
                            {"store", request.store->url()},
                            {"runs", stats.runs},
                            {"unreadable", stats.unreadable},
                            {"calls", stats.calls},
                            {"resumes", stats.resumed},
                            {"succeeded", stats.succeeded},
                            {"saved", core::savings_json<Document>(stats.saved)},
                            {"overhead", core::overhead_json<Document>(stats.overhead)}});
    return 0;
  }
  std::string text =
      fmt::format("{} in {}: {} of resume() that did work\n", cli::number_of(stats.runs, "run"),
                  request.store->url(), cli::number_of(stats.calls, "call"));
  text += fmt::format("{} of them continued an earlier one", stats.resumed);
  if (stats.resumed > 0) {
    text += fmt::format(", and {} of those finished the run", stats.succeeded);
  }
  const std::string cost = core::format_cost(stats.saved.cost);
  text += fmt::format("\nsaved by resuming: {}{}\n", core::format_duration(stats.saved.duration),
                      cost.empty() ? "" : ", " + cost);
  const Overhead& overhead = stats.overhead;
  text +=
      fmt::format("overhead: {} for {} ({}), {} to load\n", core::format_duration(overhead.saving),
                  cli::number_of(overhead.commits, "commit"), cli::format_size(overhead.bytes),
                  core::format_duration(overhead.loading));
  if (stats.unreadable > 0) {
    text +=
        fmt::format("{} cannot be read and {} left out\n", cli::number_of(stats.unreadable, "run"),
                    stats.unreadable == 1 ? "is" : "are");
  }
  request.console.out << request.console.wrap(text);
  return 0;
}

}  // namespace

int list(Request& request) {
  std::vector<RunInfo> runs = chosen_runs(request);
  if (request.stats) return print_stats(request, runs);
  Document json{{"schema", 1}, {"store", request.store->url()}, {"runs", Document::array()}};
  std::vector<std::vector<std::string>> rows{
      {"RUN", "STARTED", "PIPELINE", "STATE", "DONE", "LAST_STAGE", "SIZE", "COST"}};
  std::string problems;
  survey::FilesSetAside all_aside;
  for (RunInfo& run : runs) {
    look_closer(*request.store, run);
    const auto sums = sums_of(*request.store, run);
    const auto aside = aside_of(*request.store, run);
    all_aside.files += aside.files;
    all_aside.bytes += aside.bytes;
    if (run.error) problems += fmt::format("warning: {}\n", core::escaped(run.error->what()));
    json["runs"].push_back(run_json(run, sums, aside));
    rows.push_back(run_row(request, run, sums));
  }
  if (request.output.json) {
    print(request.console, json);
    return 0;
  }
  if (!runs.empty()) request.console.out << request.console.wrap(cli::table(rows));
  request.console.err << request.console.wrap(problems);
  const std::size_t all = list_runs(*request.store).size();
  std::string last = fmt::format("{} in {}", cli::number_of(runs.size(), "run"),
                                 core::printable(request.store->url()));
  if (all > runs.size()) last += fmt::format(", {} hidden by the filters", all - runs.size());
  if (all_aside.files > 0) {
    last += fmt::format(", with {} set aside ({})", cli::number_of(all_aside.files, "file"),
                        cli::format_size(all_aside.bytes));
  }
  if (all == 0) last += ": a program that calls resumable::resume() with this store creates one";
  request.console.err << request.console.wrap(last + "\n");
  return 0;
}

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
