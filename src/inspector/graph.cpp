#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "inspector/commands.hpp"
#include "inspector/drawing.hpp"
#include "inspector/json.hpp"
#include "inspector/recorded.hpp"
#include "resumable/error.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {
namespace {

/// A plan colours the graph; without one it is drawn all the same.
Plan plan_of(const Request& request, const RunInfo& run, const Pipeline& pipeline) {
  try {
    return ResumePlanner{*request.store}.plan(pipeline, {.run = run.run, .create = Create::never});
  } catch (const Error& error) {
    request.console.err << request.console.wrap(
        fmt::format("warning: the states are not known: {}\n", core::escaped(error.what())));
    return {};
  }
}

Document graph_json(const RunInfo& run, const Drawing& drawing) {
  Document json{{"schema", 1},
                {"run", run.run},
                {"pipeline", drawing.view.pipeline},
                {"nodes", Document::array()}};
  for (std::size_t i = 0; i < drawing.view.nodes.size(); ++i) {
    const survey::GraphNode& node = drawing.view.nodes[i];
    Document one{{"name", node.name}, {"kind", node.kind}, {"depends_on", Document::array()}};
    for (const survey::Edge& edge : node.edges) {
      one["depends_on"].push_back({{"name", drawing.view.nodes[edge.from].name}, {"as", edge.as}});
    }
    one["artifacts"] = node.artifacts;
    if (drawing.decisions[i]) {
      one["revision"] = node.revision;
      one["action"] = drawing.action(i);
    }
    json["nodes"].push_back(std::move(one));
  }
  return json;
}

}  // namespace

int graph(Request& request) {
  scan_once(request, Scan::heads);
  const RunInfo run = chosen_run(request);
  const auto pipeline = pipeline_of(request, run);
  if (!pipeline) return 1;
  const survey::GraphView view = survey::graph_view(*pipeline);
  const Plan plan = plan_of(request, run, *pipeline);
  Drawing drawing{.view = view, .decisions = {}};
  for (const survey::GraphNode& node : view.nodes) {
    const auto found = std::ranges::find(plan.stages(), node.name, &Decision::stage);
    drawing.decisions.push_back(found == plan.end() ? nullptr : &*found);
  }
  if (request.output.json) {
    print(request.console, graph_json(run, drawing));
  } else if (request.format == "dot") {
    request.console.out << as_dot(drawing);
  } else if (request.format == "mermaid") {
    request.console.out << as_mermaid(drawing);
  } else if (request.format == "svg") {
    request.console.out << as_svg(drawing);
  } else {
    request.console.out << request.console.wrap(as_text(drawing, request.console));
  }
  return 0;
}

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
