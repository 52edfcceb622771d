// Deciding for one node, with the same decider as the plan, and getting it ready to run.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "core/key.hpp"
#include "core/text.hpp"
#include "resumable/error.hpp"
#include "run/executor.hpp"
#include "run/items.hpp"
#include "run/small_records.hpp"

namespace resumable::inline v0::run {

using detail::Arg;
using detail::Node;
using detail::NodeKind;

void Executor::resolve(std::uint32_t node) {
  const Happened before = report(node).happened;  // other than not_started when planned anew
  if (before == Happened::failed || before == Happened::waiting ||
      before == Happened::interrupted) {
    runs_[node].phase = Phase::stuck;
    return;
  }
  plan::NodeState state = tools_.decider.decide(node, states_);
  const Node& declared = tools_.graph.nodes[node];
  if (declared.kind == NodeKind::fan_out && state.taken && !state.list) {
    expand(node);
    state = tools_.decider.decide(node, states_);
  }
  const bool new_list = state.list && !states_[node].list;
  // What planning found on disk stays true; a decision that was open is settled now.
  const bool was_open =
      states_[node].decision.action == Action::decide || !states_[node].decision.listed;
  if (!was_open && states_[node].decision.action == state.decision.action) {
    state.decision.causes = states_[node].decision.causes;
    for (auto& [item, causes] : states_[node].causes) state.causes[item] = causes;
  }
  states_[node] = std::move(state);
  report(node).causes = states_[node].decision.causes;
  report(node).items = states_[node].items.size();
  const std::size_t kept = states_[node].decision.skipped;
  report(node).items_skipped = kept - std::min(kept, report(node).items_run);
  if (is_input(declared)) return settle(node);
  if (new_list && states_[node].taken) check_places(node, 0);
  switch (states_[node].decision.action) {
    case Action::skip: return skip(node);
    case Action::run:
    case Action::decide: return activate(node);
    case Action::wait:
      if (declared.kind == NodeKind::fan_out) return activate(node);
      runs_[node].phase = Phase::stuck;
      return ask(node, "", states_[node].decision.causes.front().detail);
    case Action::refuse: {
      const Cause& cause = states_[node].decision.causes.front();
      throw Error(Errc::unreadable,
                  {.what = fmt::format("stage '{}': {}", declared.name, cause.text()),
                   .stage = declared.name,
                   .file = cause.file,
                   .kept = "everything that was saved before"});
    }
  }
}

/// Takes the list apart into items and puts their keys on record.
void Executor::expand(std::uint32_t node) {
  const Node& declared = tools_.graph.nodes[node];
  const Arg& each = tools_.graph.each_arg(node);
  const detail::AnyValue list = value_of(each.node);
  auto items = list_items(declared, each, list, states_[each.node].identity.value());
  Draft draft;
  draft.key = core::own_key("items", declared.name);
  draft.generation = tools_.facts.next_generation(draft.key.path);
  draft.head.kind = core::Kind::items;
  draft.head.codec = CodecId::text;
  draft.head.revision = declared.revision;
  draft.head.fingerprint = items->list;
  draft.payload = std::make_shared<StringPayload>(encode_items(*items));
  draft.head.identity = core::digest_of(*draft.payload);
  if (draft.generation > 2) draft.erase.emplace_back(draft.key.path, draft.generation - 2);
  const Committed record = tools_.recorder.commit(std::move(draft));
  tools_.facts.note(record.path, record.generation, record.head);
  tools_.facts.note_items(declared.name, std::move(items));
}

void Executor::skip(std::uint32_t node) {
  const bool taken = states_[node].taken;
  if (taken && states_[node].list) check_paths(node);
  restore(node);
  if (taken) {
    begin_appending(node);
    each_appending(node, &Appending::finish);
  } else {
    give_back(node);
  }
  Happened& happened = report(node).happened;
  const bool first = happened == Happened::not_started;  // not so when planned anew after damage
  if (first) happened = taken ? Happened::skipped : Happened::not_taken;
  if (first && is_stage(tools_.graph.nodes[node])) {
    tell_notes(node);
    Event event;
    event.kind = EventKind::skipped;
    event.stage = report(node).stage;
    event.reasons = plan::reasons_of(states_[node].decision.causes);
    tools_.events.emit(std::move(event));
  }
  settle(node);
}

/// What was worked around, for those that log: the values of older generations or schemas.
void Executor::tell_notes(std::uint32_t node) {
  const plan::NodeState& state = states_[node];
  const auto tell = [&](const std::vector<Cause>& causes, std::string_view item) {
    for (const Cause& cause : causes) {
      if (cause.reason != Reason::fell_back && cause.reason != Reason::migrated) continue;
      Event event;
      event.kind = cause.reason == Reason::migrated ? EventKind::migrated : EventKind::fell_back;
      event.stage = report(node).stage;
      event.item = std::string{item};
      event.file = cause.file;
      event.message = cause.text();
      tools_.events.emit(std::move(event));
    }
  };
  if (!state.list) return tell(state.decision.causes, "");
  for (const auto& [i, causes] : state.causes) {
    if (state.items[i].action == Action::skip) tell(causes, state.list->keys[i]);
  }
}

void Executor::activate(std::uint32_t node) {
  NodeRun& run = runs_[node];
  run.phase = Phase::active;
  if (tools_.graph.nodes[node].kind != NodeKind::fan_out) {
    run.queue.push_back(0);
    active_.insert(node);
    return;
  }
  check_paths(node);
  if (tools_.graph.nodes[node].grows) claim_paths(node, 0);
  restore(node);
  const plan::NodeState& state = states_[node];
  for (std::size_t i = 0; i < state.items.size(); ++i) {
    if (state.items[i].action == Action::wait && !state.list->repeats.contains(i)) {
      run.broken = true;
      ask(node, state.list->keys[i], state.causes.at(i).front().detail);
    }
    // All inputs are settled: what is still open (no item to match) is told when it starts.
    const bool runs =
        state.items[i].action == Action::run || state.items[i].action == Action::decide;
    if (runs && !state.list->repeats.contains(i)) run.queue.push_back(i);
  }
  tell_notes(node);
  Event event;
  event.kind = EventKind::stage_started;
  event.stage = report(node).stage;
  event.reasons = plan::reasons_of(state.decision.causes);
  tools_.events.emit(std::move(event));
  begin_appending(node);
  active_.insert(node);
  if (run.queue.empty()) finish_item(node);
}

/// The paths of a queue's items, as they join it: none has two.
void Executor::claim_paths(std::uint32_t node, std::size_t from) {
  const plan::NodeState& state = states_[node];
  for (const core::Pattern& pattern : tools_.graph.patterns[node]) {
    for (std::size_t i = from; i < state.list->keys.size(); ++i) {
      if (state.list->repeats.contains(i)) continue;
      const std::string& key = state.list->keys[i];
      const std::string path = pattern.path(key, 0);
      const auto [other, fresh] = runs_[node].paths.emplace(core::fold_path(path), key);
      if (fresh || other->second == key) continue;
      throw Error(Errc::path_conflict,
                  {.what = fmt::format("items '{}' and '{}' of queue '{}' both export '{}'",
                                       core::printable(other->second), core::printable(key),
                                       tools_.graph.nodes[node].name, path),
                   .stage = tools_.graph.nodes[node].name,
                   .item = key,
                   .kept = "everything that was saved",
                   .next = "use {item} in the artifact's pattern"});
    }
  }
}

/// What an item of a queue has enqueued joins it; what is on record of that already is taken over.
void Executor::take_enqueued(std::uint32_t node, std::size_t item) {
  plan::NodeState& state = states_[node];
  NodeRun& run = runs_[node];
  const std::size_t before = state.items.size();
  tools_.decider.grow(node, state, item, states_);
  tools_.decider.extend(node, state, states_);
  report(node).items = state.items.size();
  check_places(node, before);
  claim_paths(node, before);
  for (std::size_t i = before; i < state.items.size(); ++i) {
    Event event;
    event.kind = EventKind::enqueued;
    event.stage = tools_.graph.nodes[node].name;
    event.item = state.list->keys[i];
    event.message = "by " + state.list->keys[state.list->grown_at(i)->parent];
    tools_.events.emit(std::move(event));
    if (state.items[i].action == Action::skip) {
      ++report(node).items_skipped;
      if (tools_.folder != nullptr) restore_one(node, i);
    } else if (state.items[i].action == Action::wait) {
      run.broken = true;
      ask(node, state.list->keys[i], state.causes.at(i).front().detail);
    } else {
      run.queue.push_back(i);
    }
  }
}

/// A queue that is through is put into its order, which does not depend on what finished first.
void Executor::put_in_order(std::uint32_t node) {
  plan::NodeState ordered = tools_.decider.decide(node, states_);
  const auto former = states_[node].list;
  std::vector<detail::AnyValue> items(ordered.items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::size_t at = former->find(ordered.list->keys[i], i);
    if (at < runs_[node].items.size()) items[i] = std::move(runs_[node].items[at]);
  }
  runs_[node].items = std::move(items);
  states_[node] = std::move(ordered);
}

/// Two items that map to one path, and an item and a stage that do, are found before any item runs.
void Executor::check_paths(std::uint32_t node) const {
  const auto& nodes = tools_.graph.nodes;
  const auto& patterns = tools_.graph.patterns;
  std::unordered_map<std::string, std::string> seen;  // folded path, to who exports it
  const auto refuse = [&](const std::string& one, const std::string& other,
                          const std::string& path) {
    throw Error(Errc::path_conflict,
                {.what = fmt::format("{} and {} both export '{}'", one, other, path),
                 .stage = nodes[node].name,
                 .kept = "no item of this stage has run",
                 .next = "use {item} or {position} in the artifact's pattern"});
  };
  const auto name_of = [&](std::uint32_t at, std::size_t item) {
    return fmt::format("item '{}' of stage '{}'", core::printable(states_[at].list->keys[item]),
                       nodes[at].name);
  };
  const auto for_each_path = [&](std::uint32_t at, const auto& visit) {
    for (const core::Pattern& pattern : patterns[at]) {
      if (nodes[at].kind != NodeKind::fan_out) {
        visit(pattern.path("", 0), fmt::format("stage '{}'", nodes[at].name));
        continue;
      }
      for (std::size_t i = 0; states_[at].list && i < states_[at].list->keys.size(); ++i) {
        if (states_[at].list->repeats.contains(i)) continue;
        visit(pattern.path(states_[at].list->keys[i], i + 1), name_of(at, i));
      }
    }
  };
  for_each_path(node, [&](const std::string& path, const std::string& who) {
    const auto [other, fresh] = seen.emplace(core::fold_path(path), who);
    if (!fresh) refuse(other->second, who, path);
  });
  for (std::uint32_t i = 0; i < nodes.size() && !seen.empty(); ++i) {
    const bool chained = tools_.graph.depends(std::max(i, node), std::min(i, node));
    if (i == node || chained || !states_[i].taken) continue;
    for_each_path(i, [&](const std::string& path, const std::string& who) {
      const auto other = seen.find(core::fold_path(path));
      if (other != seen.end()) refuse(other->second, who, path);
    });
  }
}

/// Planning did not know these paths: whatever is there now and is not ours stays, and is named
/// before any item runs.
void Executor::check_places(std::uint32_t node, std::size_t from) const {
  if (tools_.folder == nullptr) return;
  const plan::NodeState& state = states_[node];
  const std::string& stage = tools_.graph.nodes[node].name;
  for (const core::Pattern& pattern : tools_.graph.patterns[node]) {
    for (std::size_t i = from; i < state.list->keys.size(); ++i) {
      if (state.list->repeats.contains(i)) continue;
      const std::string path = pattern.path(state.list->keys[i], i + 1);
      const plan::Look look = tools_.facts.look(path);
      if (look.state == plan::Look::State::missing) continue;
      if (look.state == plan::Look::State::file && tools_.facts.is_known(path, look.digest))
        continue;
      const bool unread = look.state == plan::Look::State::unreadable;
      const std::string file = tools_.folder->full(path);
      throw Error(
          unread ? Errc::unreadable : Errc::edited,
          {.what = fmt::format(
               "stage '{}': artifact '{}': {}", stage, path,
               look.problem.empty() ? "a file that is not ours is in its place" : look.problem),
           .stage = stage,
           .item = state.list->keys[i],
           .operation = tools_.facts.cause_of(file) ? "read" : "",
           .file = file,
           .kept = "it is untouched, and no item of this stage has run",
           .next = unread ? "mend the cause, for instance its permissions, and resume"
                          : "move the file away and resume",
           .cause = tools_.facts.cause_of(file)});
    }
  }
}

}  // namespace resumable::inline v0::run
