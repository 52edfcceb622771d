// Deciding for one node, with the same decider as the plan, and getting it ready to run.
#include <algorithm>

#include <fmt/format.h>

#include "core/advice.hpp"
#include "core/key.hpp"
#include "core/text.hpp"
#include "record/items.hpp"
#include "record/small_records.hpp"
#include "resumable/error.hpp"
#include "run/executor.hpp"

namespace resumable::run {

using detail::Arg;
using detail::Node;
using detail::NodeKind;

void Executor::resolve(std::uint32_t node) {
  const StageOutcome before =
      reports_.of(node).outcome;  // other than not_started when planned again
  if (before == StageOutcome::failed || before == StageOutcome::waiting ||
      before == StageOutcome::interrupted) {
    runs_[node].phase = Phase::stuck;
    return;
  }
  plan::NodeState state = tools_.decider.decide(node, states_);
  const Node& declared = tools_.graph.nodes[node];
  if (tools_.decider.lacks_value(node, state, states_)) {
    lacking_ = declared.shown();
    return;
  }
  if (declared.kind == NodeKind::fan_out && state.taken && !state.list) {
    expand(node);
    state = tools_.decider.decide(node, states_);
  }
  const bool new_list = state.list && !states_[node].list;
  // What planning found on disk remains true; a decision that was open is made now.
  const bool was_open =
      states_[node].decision.action == Action::decide || !states_[node].decision.listed;
  if (!was_open && states_[node].decision.action == state.decision.action) {
    state.decision.causes = states_[node].decision.causes;
    // By key: a fan-out that an item has closed has other places now than its whole list.
    for (const auto& [item, causes] : states_[node].causes) {
      const std::size_t place = state.list->find(states_[node].list->keys[item], item);
      if (place < state.items.size()) state.causes[place] = causes;
    }
  }
  states_[node] = std::move(state);
  reports_.of(node).causes = states_[node].decision.causes;
  reports_.of(node).items = states_[node].items.size();
  const std::size_t kept = states_[node].decision.skipped;
  reports_.of(node).items_skipped = kept - std::min(kept, reports_.of(node).items_run);
  if (is_input(declared)) return settle(node);
  if (new_list) stage_events_.items_listed(node, states_[node]);
  if (new_list && states_[node].taken) exporter_.paths().check_free(node, 0);
  switch (states_[node].decision.action) {
    case Action::skip: return skip(node);
    case Action::run:
    case Action::decide: return activate(node);
    case Action::wait:
      if (declared.kind == NodeKind::fan_out) return activate(node);
      runs_[node].phase = Phase::stuck;
      return ask(node, "", states_[node].decision.causes);
    case Action::refuse: {
      const Cause& cause = states_[node].decision.causes.front();
      throw Error(Errc::unreadable, {.what = fmt::format("stage '{}': {}", declared.shown(),
                                                         cause.text(core::no_advice)),
                                     .stage = declared.shown(),
                                     .file = cause.file,
                                     .kept = "everything that was saved before"});
    }
  }
}

/// Splits the list into items and records their keys.
void Executor::expand(std::uint32_t node) {
  const Node& declared = tools_.graph.nodes[node];
  const Arg& each = tools_.graph.each_arg(node);
  const detail::AnyValue list = values_.of(each.node);
  auto items =
      record::list_items(tools_.graph, declared, each, list, states_[each.node].identity.value());
  tools_.facts.commit(tools_.recorder, record::items_draft(declared, *items));
  tools_.facts.note_items(declared.name, std::move(items));
}

void Executor::skip(std::uint32_t node) {
  const bool taken = states_[node].taken;
  if (states_[node].closed) {
    if (!states_[node].closed->is_settled) record_closed(node);
    reports_.of(node).message = states_[node].decision.causes.front().text();
  }
  if (taken && states_[node].list) exporter_.paths().check_unique(node);
  exporter_.restore(node);
  if (taken) {
    exporter_.begin_appending(node);
    exporter_.finish_appending(node);
  } else {
    exporter_.return_to_earlier(node);
  }
  StageOutcome& outcome = reports_.of(node).outcome;
  const bool first =
      outcome == StageOutcome::not_started;  // not so when planned again after damage
  if (first) outcome = taken ? StageOutcome::skipped : StageOutcome::not_taken;
  if (first && is_stage(tools_.graph.nodes[node])) {
    stage_events_.worked_around(node, states_[node]);
    stage_events_.skipped(node, states_[node]);
  }
  settle(node);
}

void Executor::activate(std::uint32_t node) {
  NodeRun& run = runs_[node];
  run.phase = Phase::active;
  if (tools_.graph.nodes[node].kind != NodeKind::fan_out) {
    run.queue.push_back(0);
    active_.insert(node);
    return;
  }
  exporter_.paths().check_unique(node);
  if (tools_.graph.nodes[node].grows) exporter_.paths().claim(node, 0);
  exporter_.restore(node);
  const plan::NodeState& state = states_[node];
  for (std::size_t i = 0; i < state.items.size(); ++i) {
    if (state.items[i].action == Action::wait && !state.list->repeats.contains(i)) {
      run.broken = true;
      ask(node, state.list->keys[i], state.causes.at(i));
    }
    // All inputs are known: a remaining problem (no item to match) is reported when it starts.
    const bool runs =
        state.items[i].action == Action::run || state.items[i].action == Action::decide;
    if (runs && !state.list->repeats.contains(i)) run.queue.push_back(i);
  }
  stage_events_.worked_around(node, state);
  stage_events_.started(node, state);
  exporter_.begin_appending(node);
  values_.expect(node, run.queue);
  active_.insert(node);
  if (run.queue.empty()) finish_item(node);
}

/// Adds what an item of a queue has enqueued; what is already recorded of that is reused.
void Executor::take_enqueued(std::uint32_t node, std::size_t item) {
  plan::NodeState& state = states_[node];
  NodeRun& run = runs_[node];
  const std::size_t before = state.items.size();
  tools_.decider.grow(node, state, item);
  tools_.decider.extend(node, state, states_);
  reports_.of(node).items = state.items.size();
  exporter_.paths().check_free(node, before);
  exporter_.paths().claim(node, before);
  for (std::size_t i = before; i < state.items.size(); ++i) {
    const Action action = state.items[i].action;
    const std::size_t runs = action == Action::skip || action == Action::wait ? 0 : 1;
    const StageReport& report = reports_.of(node);
    stage_events_.enqueued(node, state.list->keys[i],
                           state.list->keys[state.list->grown_at(i)->parent],
                           {i + 1, report.items_skipped + (action == Action::skip ? 1 : 0),
                            report.items_run + run.running + run.queue.size() + runs});
    if (state.items[i].action == Action::skip) {
      ++reports_.of(node).items_skipped;
      exporter_.restore_item(node, i);
    } else if (state.items[i].action == Action::wait) {
      run.broken = true;
      ask(node, state.list->keys[i], state.causes.at(i));
    } else {
      run.queue.push_back(i);
    }
  }
}

/// From now on a closed fan-out has exactly the items that have a value.
void Executor::record_closed(std::uint32_t node) {
  put_in_order(node);
  const plan::NodeState& state = states_[node];
  if (!state.closed) return;
  const Node& declared = tools_.graph.nodes[node];
  plan::Closed closed = *state.closed;
  closed.is_settled = true;
  closed.items.clear();
  for (std::size_t i = 0; i < state.list->keys.size(); ++i) {
    closed.items.emplace_back(state.list->keys[i]);
  }
  auto draft =
      record::Draft::small(core::Kind::closed, core::about_key("closed", declared.name, ""),
                           CodecId::json, record::encode_closed(closed));
  draft.head.revision = closed.revision;
  draft.head.fingerprint = closed.fingerprint;
  tools_.facts.commit(tools_.recorder, std::move(draft));
  reports_.of(node).items = state.items.size();
  reports_.of(node).message = state.decision.causes.front().text();
  exporter_.restore(node);
}

/// A queue that is done is put in order, which does not depend on what finished first.
void Executor::put_in_order(std::uint32_t node) {
  plan::NodeState ordered = tools_.decider.decide(node, states_);
  const auto former = states_[node].list;
  states_[node] = std::move(ordered);
  values_.reorder(node, *former);
}

}  // namespace resumable::run
