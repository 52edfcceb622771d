// status and plan: what the run's own program would print, from the graph that it recorded.
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/console.hpp"
#include "core/text.hpp"
#include "inspector/commands.hpp"
#include "inspector/json.hpp"
#include "inspector/recorded.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {
namespace {

/// What is left to say of a run whose graph is not known: what its manifest notes.
int status_without_graph(const Request& request, const RunInfo& run) {
  const bool done = run.state == RunState::done;
  if (request.output.json) {
    print(request.console, {{"schema", 1},
                            {"run", run.run},
                            {"pipeline", run.pipeline},
                            {"state", state_text(run)},
                            {"at", cli::utc_text(run.at)},
                            {"stages", Document::array()}});
  } else {
    const std::string dot = cli::dot(request.console);
    request.console.out << request.console.wrap(
        core::escaped(fmt::format("{}{}{}{}{}{}\n{} of {} stages done{}store {}\n", run.pipeline,
                                  dot, run.run, dot, state_text(run), cli::ago(run.at),
                                  run.stages_done, run.stages, dot, request.store->url())));
  }
  return request.output.exit_code && !done ? 5 : 0;
}

/// Asked often, by a probe: a run that is named and has an owner costs one look.
bool is_alive(const Request& request) {
  const CheckpointStore& store = *request.store;
  if (!request.runs.empty() && store.owner(request.runs.front())) return true;
  return store.owner(chosen_run(request).run).has_value();
}

const char* as_of = "as of the last program that worked on the run, and its inputs then";

}  // namespace

std::optional<Pipeline> pipeline_of(const Request& request, const RunInfo& run) {
  auto pipeline = recorded_pipeline(*request.store, run.run);
  if (pipeline) return pipeline;
  request.console.err << request.console.wrap(fmt::format(
      "note: the pipeline of run {} is not recorded: its program does that when it next works on "
      "the run\n",
      core::printable(run.run)));
  return std::nullopt;
}

int status(Request& request) {
  if (request.output.alive) return is_alive(request) ? 0 : 1;
  scan_once(request, Scan::headers);  // it counts what each record has cost
  const RunInfo run = chosen_run(request);
  const auto pipeline = pipeline_of(request, run);
  if (!pipeline) return status_without_graph(request, run);
  const std::vector<std::string> next{
      typed(request, "plan", {run.run, "--explain"}) + "   why each stage runs or not",
      fmt::format("to continue, resume it with its program ({})", core::printable(run.pipeline))};
  request.console.app = nullptr;  // what is advised is for the run's program
  return cli::status(request.console, *pipeline, *request.store, run.run, request.output, next);
}

int plan(Request& request) {
  scan_once(request, Scan::heads);
  const RunInfo run = chosen_run(request);
  const auto pipeline = pipeline_of(request, run);
  if (!pipeline) return status_without_graph(request, run);
  request.console.app = nullptr;
  const int code = cli::plan(request.console, *pipeline, *request.store,
                             {.run = run.run, .create = Create::never}, request.output);
  request.console.err << request.console.wrap(fmt::format("note: {}\n", as_of));
  return code;
}

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
