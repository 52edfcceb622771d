#include "plan/planner.hpp"

#include <fmt/format.h>

#include <unordered_set>

#include "core/key.hpp"
#include "resumable/error.hpp"

namespace resumable::inline v0::plan {
namespace {

using detail::Graph;
using detail::Node;

/// `from S` needs a value of every stage before S.
void check_from(const Graph& graph, const Decider& decider, const std::vector<NodeState>& states) {
  for (const Request& request : decider.requests()) {
    if (request.what != Request::What::from) continue;
    for (std::uint32_t i = 0; i < request.node; ++i) {
      const Decision& decision = states[i].decision;
      const bool missing = decision.action == Action::run && !decision.causes.empty() &&
                           decision.causes.front().reason == Reason::first_run;
      if (!is_stage(graph.nodes[i]) || !missing || !graph.depends(request.node, i)) continue;
      throw Error(Errc::no_value,
                  {.what = fmt::format("cannot begin from stage '{}': stage '{}' before it has no value",
                                       graph.nodes[request.node].name, graph.nodes[i].name),
                   .stage = graph.nodes[i].name,
                   .kept = "nothing was changed",
                   .next = "resume without --from: it begins at the first stage that has no value"});
    }
  }
}

/// Records of items that the list no longer has: kept, and used again if they return.
void note_orphans(const Graph& graph, const Facts& facts, detail::PlanData& plan) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const NodeState& state = plan.nodes[i];
    if (graph.nodes[i].kind != detail::NodeKind::fan_out || !state.list) continue;
    const auto stored = facts.item_paths(graph.nodes[i].name);
    if (stored.size() <= state.decision.skipped) continue;
    std::unordered_set<std::string> present;
    for (const std::string& key : state.list->keys) {
      present.insert(core::item_key(graph.nodes[i].name, key).path);
    }
    for (const std::string& path : stored) {
      if (present.contains(path)) continue;
      plan.notes.push_back({.reason = Reason::orphan, .subject = path,
                            .detail = "kept: used again if the item returns"});
    }
  }
}

void note_inputs(const Graph& graph, detail::PlanData& plan) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (!is_input(graph.nodes[i])) continue;
    for (const Cause& cause : plan.nodes[i].decision.causes) plan.notes.push_back(cause);
  }
}

}  // namespace

std::shared_ptr<detail::PlanData> make_plan(const Graph& graph, const Facts& facts,
                                            const Decider& decider, std::string run) {
  auto plan = std::make_shared<detail::PlanData>();
  plan->pipeline = graph.pipeline;
  plan->run = std::move(run);
  plan->graph = &graph;
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
    plan->nodes.push_back(decider.decide(i, plan->nodes));
  }
  check_from(graph, decider, plan->nodes);
  if (facts.exports()) judge_artifacts(graph, facts, plan->nodes);
  note_inputs(graph, *plan);
  note_orphans(graph, facts, *plan);
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
    const bool counted = is_stage(graph.nodes[i]);
    plan->stage_of_node.push_back(
        counted ? static_cast<std::uint32_t>(plan->stages.size()) : UINT32_MAX);
    if (counted) plan->stages.push_back(plan->nodes[i].decision);
  }
  return plan;
}

}  // namespace resumable::inline v0::plan
