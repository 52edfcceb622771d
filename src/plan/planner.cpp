#include "plan/planner.hpp"

#include <algorithm>
#include <set>
#include <unordered_set>

#include <fmt/format.h>

#include "core/key.hpp"
#include "core/text.hpp"
#include "plan/choices.hpp"
#include "resumable/error.hpp"

namespace resumable::plan {
namespace {

using detail::Graph;
using detail::Node;

// Whether a stage has never had its value, or has lost it; one that is stale has one.
bool has_no_value(const Decision& decision) {
  if (decision.action == Action::skip || decision.action == Action::refuse) return false;
  if (decision.action == Action::wait || decision.causes.empty()) return true;
  switch (decision.causes.front().reason) {
    case Reason::first_run:
    case Reason::failed:
    case Reason::damaged:
    case Reason::lost: return true;
    case Reason::partial:
      return decision.causes.size() > 1 && (decision.causes[1].reason == Reason::first_run ||
                                            decision.causes[1].reason == Reason::failed ||
                                            decision.causes[1].reason == Reason::damaged ||
                                            decision.causes[1].reason == Reason::lost);
    default: return false;
  }
}

std::string similar_key(const ItemList& list, const std::string& key) {
  if (list.keys.size() > 1'000) return {};
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < list.keys.size(); ++i) keys.emplace_back(list.keys[i]);
  return core::did_you_mean(key, keys);
}

// `redo S/item` needs S to have such an item, as far as its items are known.
void check_items(const Graph& graph, const Decider& decider, const std::vector<NodeState>& states) {
  for (const Request& request : decider.requests()) {
    const NodeState& state = states[request.node];
    if (request.item.empty() || request.fence != UINT64_MAX || !state.list) continue;
    if (state.list->find(request.item, 0) < state.list->keys.size()) continue;
    const std::string guess = similar_key(*state.list, request.item);
    throw Error(
        Errc::unknown_stage,
        {.what = fmt::format("stage '{}' has no item '{}'.{}", graph.nodes[request.node].shown(),
                             core::printable(request.item),
                             guess.empty() ? "" : " Did you mean '" + guess + "'?"),
         .stage = graph.nodes[request.node].shown(),
         .item = request.item,
         .kept = "nothing was changed",
         .next = "name one of its items, or the stage as a whole"});
  }
}

// `from S` needs a value of every stage before S.
void check_from(const Graph& graph, const Decider& decider, const std::vector<NodeState>& states) {
  for (const Request& request : decider.requests()) {
    const bool made_now = request.fence == UINT64_MAX;
    if (request.what != Request::What::from || !made_now) continue;
    for (std::uint32_t i = 0; i < request.node; ++i) {
      const bool missing = has_no_value(states[i].decision);
      if (!is_stage(graph.nodes[i]) || !missing || !graph.depends(request.node, i)) continue;
      throw Error(
          Errc::no_value,
          {.what = fmt::format("cannot begin from stage '{}': the earlier stage '{}' has no value",
                               graph.nodes[request.node].shown(), graph.nodes[i].shown()),
           .stage = graph.nodes[i].shown(),
           .kept = "nothing was changed",
           .next = "resume: it begins at the first stage that has no value",
           .advice = {{.option = Option::from, .leave_out = true}}});
    }
  }
}

}  // namespace

std::vector<std::string> orphans(const Facts& facts, std::string_view stage, const ItemList& list,
                                 std::size_t kept) {
  if (facts.item_count(stage) <= kept) return {};
  std::vector<std::string> stored = facts.item_paths(stage);
  std::vector<std::string> present;
  present.reserve(list.keys.size());
  for (std::size_t i = 0; i < list.keys.size(); ++i) {
    present.push_back(core::item_key(stage, list.keys[i]).path);
  }
  std::ranges::sort(present);
  std::erase_if(stored,
                [&](const std::string& path) { return std::ranges::binary_search(present, path); });
  return stored;
}

namespace {

// Records of items that the list no longer has: kept, and used again if they return.
void note_orphans(const Graph& graph, const Facts& facts, detail::PlanData& plan) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const NodeState& state = plan.nodes[i];
    if (graph.nodes[i].kind != detail::NodeKind::fan_out || !state.list) continue;
    for (const std::string& path :
         orphans(facts, graph.nodes[i].name, *state.list, state.decision.skipped)) {
      const auto header = facts.header(path, facts.rows(path).back().generation);
      const std::string item = (header ? header->key : path).substr(graph.nodes[i].name.size());
      plan.notes.push_back({.reason = Reason::orphan,
                            .subject = graph.nodes[i].shown() + item,
                            .detail = "kept: used again if the item returns"});
    }
  }
  for (const std::string& stage : facts.stored_stages()) {
    if (graph.records(stage)) continue;
    plan.notes.push_back({.reason = Reason::orphan,
                          .subject = stage,
                          .detail = "kept: used again if the stage returns"});
  }
}

// Refusals come first.
void refuse(detail::PlanData& plan, Cause cause) {
  plan.notes.insert(plan.notes.begin() + static_cast<std::ptrdiff_t>(plan.refusals++),
                    std::move(cause));
}

std::unordered_set<std::string> paths_of(const core::Pattern& pattern, const ItemList& list) {
  std::unordered_set<std::string> paths;
  for (std::size_t i = 0; i < list.keys.size(); ++i)
    paths.insert(pattern.path(list.keys[i], i + 1));
  return paths;
}

// Files that a user has put beside those of a fan-out's items.
void note_strays(const Graph& graph, const Exports& exports, detail::PlanData& plan) {
  std::unordered_set<std::string> seen;
  for (std::size_t i = graph.nodes.size(); i-- > 0;) {
    const NodeState& state = plan.nodes[i];
    if (!state.list || !state.taken) continue;
    for (const core::Pattern& pattern : graph.patterns[i]) {
      const auto folder = pattern.folder();
      if (!folder || !seen.insert(pattern.text()).second) continue;
      std::unordered_set<std::string> expected;
      const Exports::Listing listing = exports.list(*folder);
      if (!listing.problem.empty()) {
        refuse(plan, {.reason = Reason::unreadable,
                      .file = exports.artifact_file(*folder),
                      .detail = listing.problem});
      }
      for (const std::string& path : listing.files) {
        if (exports.is_exported(path) || !pattern.matches(path)) continue;
        if (expected.empty()) expected = paths_of(pattern, *state.list);
        if (expected.contains(path)) continue;
        plan.notes.push_back({.reason = Reason::stray,
                              .subject = path,
                              .file = exports.artifact_file(path),
                              .detail = fmt::format("it stays as it is, and '{}' does not read it",
                                                    graph.nodes[i].shown())});
      }
    }
  }
}

void note_names(const Graph& graph, detail::PlanData& plan) {
  for (const Node& node : graph.nodes) {
    if (node.declared.empty()) continue;
    plan.notes.push_back(
        {.reason = Reason::renamed, .subject = node.declared, .before = node.name});
  }
}

// What inputs and conditions have to say; their refusals refuse the run.
void note_inputs(const Graph& graph, detail::PlanData& plan) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Decision& decision = plan.nodes[i].decision;
    const bool refused = decision.action == Action::refuse;
    if (is_stage(graph.nodes[i]) || (!is_input(graph.nodes[i]) && !refused)) continue;
    for (const Cause& cause : decision.causes) {
      if (refused) {
        refuse(plan, cause);
      } else {
        plan.notes.push_back(cause);
      }
    }
  }
}

// Damage that no stage reports: items, the library's own records, remaining earlier generations.
// The library's own records must not be treated as absent because they cannot be read.
void note_damage(const Graph& graph, const Facts& facts, bool strict, detail::PlanData& plan) {
  std::unordered_set<std::string> named;
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
    if (graph.nodes[i].kind == detail::NodeKind::condition) continue;  // its causes are not shown
    for (const Cause& cause : plan.nodes[i].decision.causes) named.insert(cause.file);
  }
  for (const Facts::DamagedRow& row : facts.damaged()) {
    Cause cause = damage_cause(facts, row.path, row.generation, row.damage);
    if (named.contains(cause.file)) continue;
    cause.subject = row.path;
    const bool refused = row.damage == Damage::torn ? strict : row.path.starts_with('@');
    const auto end = plan.notes.begin() + static_cast<std::ptrdiff_t>(plan.refusals);
    plan.notes.insert(refused ? end : plan.notes.end(), std::move(cause));
    plan.refusals += refused ? 1 : 0;
  }
}

// Side effects of stages and items that do not run, or that the pipeline no longer has: nobody will
// verify these.
void note_begun(const Facts& facts, detail::PlanData& plan) {
  const std::vector<std::string> begun = facts.begun_effects();
  if (begun.empty()) return;
  std::unordered_set<std::string> told;
  const auto tell = [&](const std::vector<Cause>& causes) {
    for (const Cause& cause : causes) {
      if (cause.reason == Reason::uncertain) told.insert(cause.file);
    }
  };
  for (const NodeState& state : plan.nodes) {
    tell(state.decision.causes);
    for (const auto& [item, causes] : state.causes) tell(causes);
  }
  for (const std::string& path : begun) {
    Cause cause = begun_effect(facts, path);
    if (told.contains(cause.file)) continue;
    constexpr std::string_view above = "@intent/";
    if (cause.subject.starts_with(above)) cause.subject.erase(0, above.size());
    const Row& row = facts.rows(path).back();
    const std::string key = row.is_whole() ? facts.idempotency_key(path, row) : "";
    cause.detail =
        key.empty() ? "its record is damaged" : "look on the other side for idempotency key " + key;
    plan.notes.push_back(std::move(cause));
  }
}

// How the program differs from the one that made what is kept of this stage: values, and what
// those that run continue from.
std::set<std::string> changes_since_made(const Node& node, const NodeState& state,
                                         const Facts& facts) {
  std::set<std::string> changes;
  const auto add = [&](const std::string& path) {
    const Row* row = newest_whole(facts.rows(path));
    if (row != nullptr) changes.merge(facts.program_changes(row->head.fence));
  };
  const auto look = [&](Action action, const std::string& path, std::string_view item) {
    if (action == Action::skip) add(path);
    if (action != Action::run || !state.decision.kept.any()) return;
    for (const std::string& inside : facts.inside_paths(node.name, item)) add(inside);
  };
  if (!is_stage(node) || !state.taken) return {};
  if (node.kind != detail::NodeKind::fan_out) {
    look(state.decision.action, core::stage_key(node.name).path, {});
    return changes;
  }
  for (std::size_t i = 0; i < state.items.size() && changes.empty(); ++i) {
    const std::string_view key = state.list->keys[i];
    look(state.items[i].action, core::item_key(node.name, key).path, key);
  }
  return changes;
}

// Functions are not compared, so this warns users who changed one and forgot to raise its revision.
void note_program(const Graph& graph, const Facts& facts, detail::PlanData& plan) {
  if (facts.program_changes().empty()) return;
  std::vector<std::string> names;
  std::set<std::string> changes;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    auto some = changes_since_made(graph.nodes[i], plan.nodes[i], facts);
    if (!some.empty()) names.push_back(graph.nodes[i].shown());
    changes.merge(some);
  }
  if (names.empty()) return;
  plan.notes.push_back({.reason = Reason::program_changed,
                        .subject = fmt::format("{}", fmt::join(changes, ", ")),
                        .detail = fmt::format("{}", fmt::join(names, ", "))});
}

}  // namespace

std::shared_ptr<detail::PlanData> make_plan(const Graph& graph, const Facts& facts,
                                            const Exports& exports, Decider& decider,
                                            std::string run, Adopting* adopting) {
  auto plan = std::make_shared<detail::PlanData>();
  plan->pipeline = graph.pipeline;
  plan->run = std::move(run);
  plan->graph = graph.own();
  plan->nodes = decider.decide_all(adopting);
  check_items(graph, decider, plan->nodes);
  check_from(graph, decider, plan->nodes);
  check_choices(graph, facts, decider, plan->nodes);
  judge_paths(graph, plan->nodes);
  if (exports.exports()) judge_artifacts(graph, facts, exports, plan->nodes);
  note_names(graph, *plan);
  note_inputs(graph, *plan);
  note_damage(graph, facts, decider.strict(), *plan);
  note_orphans(graph, facts, *plan);
  note_begun(facts, *plan);
  if (exports.exports()) note_strays(graph, exports, *plan);
  note_program(graph, facts, *plan);
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
    const bool counted = is_stage(graph.nodes[i]);
    plan->stage_of_node.push_back(counted ? static_cast<std::uint32_t>(plan->stages.size())
                                          : UINT32_MAX);
    if (counted) plan->stages.push_back(plan->nodes[i].decision);
  }
  return plan;
}

void note_caps(const Graph& graph, unsigned concurrency, detail::PlanData& plan) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const unsigned wanted = graph.nodes[i].concurrency;
    const Decision& decision = plan.nodes[i].decision;
    const bool runs = decision.action == Action::run || decision.action == Action::decide;
    const bool few = decision.listed && decision.items <= concurrency;
    if (concurrency == 0 || wanted <= concurrency || !runs || few) continue;
    plan.notes.push_back({.reason = Reason::concurrency_limited,
                          .subject = graph.nodes[i].shown(),
                          .before = std::to_string(wanted),
                          .after = std::to_string(concurrency),
                          .detail = "allow the call more",
                          .advice = {{.option = Option::concurrency}}});
  }
}

}  // namespace resumable::plan
