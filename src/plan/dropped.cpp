// Values that were dropped after use (Keep::until_used), and what needs one again.
//
// The stage of a dropped value counts as done as long as nothing that takes the value runs. That
// depends on later stages. So everything is decided again, with what those that run need, until no
// more is needed: a stage that makes a value again may need dropped values itself, and others that
// take its value may have to run.
#include <algorithm>

#include <fmt/format.h>

#include "plan/decider.hpp"
#include "plan/planner.hpp"

namespace resumable::plan {

using detail::Arg;
using detail::ArgKind;
using detail::Node;

namespace {

/// Whether this runs for certain, or may run; nullopt: neither.
std::optional<bool> runs(const NodeState& state) {
  std::optional<bool> found;
  const auto add = [&](Action action) {
    if (action == Action::run) found = true;
    if (action == Action::decide && !found) found = false;
  };
  for (const ItemState& item : state.items) add(item.action);
  if (state.items.empty()) add(state.decision.action);
  return found;
}

/// Whether its record would be used, as far as it is known.
bool may_be_kept(const NodeState& state) {
  return state.decision.action == Action::skip || state.decision.action == Action::decide;
}

}  // namespace

void Judge::dropped(const Subject& subject, Verdict& verdict) const {
  verdict.dropped = true;
  const Node& declared = graph_.nodes[subject.node];
  std::optional<Need> need = needs_[subject.node];
  // Artifacts are made of the value. It had none when it was dropped.
  if (!declared.artifacts.empty()) need = {declared.artifacts.front().pattern, true};
  if (!need) return;
  Cause cause{
      .reason = Reason::dropped,
      .subject = need->by,
      .detail = fmt::format("'{}' {} it", need->by, need->is_certain ? "needs" : "may need")};
  if (need->is_certain && verdict.action != Action::run) {
    verdict.run(std::move(cause));
  } else if (verdict.action == Action::skip) {
    verdict.decide(std::move(cause));
  }
}

/// Notes that the node needs the dropped values that it takes; false if that is known already.
bool Decider::need(std::uint32_t node, bool is_certain, std::span<const NodeState> states) {
  bool is_new = false;
  for (const Arg& arg : graph_.nodes[node].args) {
    const NodeState& source = states[arg.node];
    if (arg.kind == ArgKind::after || !source.dropped || !may_be_kept(source)) continue;
    std::optional<Need>& known = judge_.needs()[arg.node];
    if (known && (known->is_certain || !is_certain)) continue;
    known = {graph_.nodes[node].shown(), is_certain};
    is_new = true;
  }
  return is_new;
}

std::vector<NodeState> Decider::decide_all(Adopting* adopting) {
  std::vector<NodeState> states;
  const auto decide_each = [&](Adopting* files) {
    states.clear();
    for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i) {
      NodeState state = decide(i, states);
      if (files != nullptr) files->look(i, state, states);
      states.push_back(std::move(state));
    }
  };
  const auto find_needs = [&] {
    bool found = false;
    if (std::ranges::none_of(states, &NodeState::dropped)) return found;
    for (std::uint32_t i = 0; i < states.size(); ++i) {
      const std::optional<bool> certain = runs(states[i]);
      if (certain && need(i, *certain, states)) found = true;
    }
    return found;
  };
  do {
    decide_each(nullptr);
  } while (find_needs());
  if (adopting != nullptr) decide_each(adopting);
  // What may be needed is decided once that is known: see lacks_value().
  for (std::optional<Need>& one : judge_.needs()) {
    if (one && !one->is_certain) one.reset();
  }
  return states;
}

bool Decider::lacks_value(std::uint32_t node, const NodeState& state,
                          std::span<const NodeState> before) {
  return runs(state) && need(node, true, before);
}

}  // namespace resumable::plan
