#include "plan/decider.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/key.hpp"
#include "core/text.hpp"
#include "plan/kept_items.hpp"
#include "resumable/error.hpp"

namespace resumable::plan {

using detail::Arg;
using detail::ArgKind;
using detail::Node;
using detail::NodeKind;

std::optional<Digest> identity_of(const NodeState& fan_out) {
  if (!fan_out.list) return std::nullopt;
  Digester digester;
  for (std::size_t i = 0; i < fan_out.items.size(); ++i) {
    if (!fan_out.items[i].known) return std::nullopt;
    digester.add(fan_out.list->keys[i]).add(fan_out.items[i].identity);
  }
  return digester.finish();
}

// ---- inputs ------------------------------------------------------------------------------------

namespace {

std::optional<Digest> item_identity(const NodeState& fan_out, std::string_view key,
                                    std::size_t hint) {
  if (!fan_out.list) return std::nullopt;
  const std::size_t index = fan_out.list->find(key, hint);
  if (index >= fan_out.items.size() || !fan_out.items[index].known) return std::nullopt;
  return fan_out.items[index].identity;
}

}  // namespace

std::optional<Digest> Decider::own_identity(const Arg& arg, const NodeState& self, std::size_t item,
                                            std::span<const NodeState> before) const {
  return arg.list ? std::optional{self.list->digests[item]}
                  : item_identity(before[arg.node], self.list->keys[item], item);
}

std::vector<KnownInput> Decider::inputs(std::uint32_t node, const NodeState& self,
                                        std::optional<std::size_t> item,
                                        std::span<const NodeState> before) const {
  std::vector<KnownInput> result;
  for (const Arg& arg : graph_.nodes[node].args) {
    const Node& source = graph_.nodes[arg.node];
    KnownInput input{source.name, source.shown(), before[arg.node].identity,
                     arg.kind == ArgKind::after || source.kind == NodeKind::secret};
    if (item && (arg.kind == ArgKind::each || arg.kind == ArgKind::matching)) {
      input.name += of_element;
      input.shown += of_element;
      input.identity = own_identity(arg, self, *item, before);
    }
    result.push_back(std::move(input));
  }
  return result;
}

std::optional<Digest> Decider::fingerprint(const std::vector<KnownInput>& inputs) {
  std::vector<const KnownInput*> sorted;
  for (const KnownInput& input : inputs) {
    if (input.exempt) continue;
    if (!input.identity) return std::nullopt;
    sorted.push_back(&input);
  }
  std::sort(sorted.begin(), sorted.end(), [](const KnownInput* a, const KnownInput* b) {
    return std::tie(a->name, *a->identity) < std::tie(b->name, *b->identity);
  });
  Digester digester;
  for (const KnownInput* input : sorted) digester.add(input->name).add(*input->identity);
  return digester.finish();
}

// ---- nodes -------------------------------------------------------------------------------------

NodeState Decider::decide(std::uint32_t node, std::span<const NodeState> before) const {
  const Node& declared = graph_.nodes[node];
  if (is_input(declared)) return decide_input(node);
  if (auto state = not_taken(node, before)) return *std::move(state);
  NodeState state = declared.kind == NodeKind::fan_out ? decide_fan_out(node, before)
                                                       : decide_stage(node, before);
  judge_.choices().tell(graph_, node, state.decision.causes);
  std::optional<std::uint32_t> unsettled;
  for (const Arg& arg : declared.args) {
    if (arg.kind != ArgKind::after && before[arg.node].open) unsettled = arg.node;
  }
  if (declared.when.graph != nullptr && !before[declared.when.node].outcome) {
    unsettled = declared.when.node;
  }
  state.open = unsettled.has_value();
  if (!state.open || state.decision.action == Action::refuse) return state;
  state.decision.action = Action::decide;
  state.decision.causes.insert(state.decision.causes.begin(),
                               {.reason = Reason::upstream,
                                .subject = graph_.nodes[*unsettled].shown(),
                                .detail = "decided once the condition is known"});
  state.decision.to_run = 0;
  state.identity.reset();
  for (ItemState& item : state.items) {
    if (item.action == Action::run) item.action = Action::decide;
    item.known = false;
  }
  return state;
}

// Its condition is not met, or a stage from which it takes a value or its condition is not taken.
std::optional<NodeState> Decider::not_taken(std::uint32_t node,
                                            std::span<const NodeState> before) const {
  const Node& declared = graph_.nodes[node];
  std::optional<std::uint32_t> source;
  for (const Arg& arg : declared.args) {
    if (arg.kind != ArgKind::after && !before[arg.node].taken) source = arg.node;
  }
  if (declared.when.graph != nullptr) {
    const NodeState& condition = before[declared.when.node];
    const bool met = condition.taken &&
                     condition.outcome.value_or(declared.when.expected) == declared.when.expected;
    if (!met) source = declared.when.node;
  }
  if (!source) return std::nullopt;
  NodeState state;
  state.taken = false;
  state.decision = {
      .stage = declared.shown(),
      .action = Action::skip,
      .causes = {{.reason = Reason::not_taken, .subject = graph_.nodes[*source].shown()}},
      .fan_out = declared.kind == NodeKind::fan_out};
  return state;
}

NodeState Decider::decide_input(std::uint32_t node) const {
  const Node& declared = graph_.nodes[node];
  NodeState state;
  state.decision = {.stage = declared.shown(), .action = Action::skip, .causes = {}};
  if (declared.kind == NodeKind::secret) {
    state.decision.causes.push_back({.reason = Reason::secret, .subject = declared.shown()});
    return state;
  }
  const InputFact fact = facts_.input(node);
  if (fact.known) {
    state.identity = fact.identity;
    if (!fact.left_out.empty()) {
      state.decision.causes.push_back(
          {.reason = Reason::left_out, .subject = declared.shown(), .detail = fact.left_out});
    }
  } else {
    state.decision.action = Action::refuse;
    state.decision.causes.push_back(
        {.reason = fact.reason,
         .subject = declared.shown(),
         .file = fact.file,
         .detail = !fact.problem.empty() ? fact.problem
                                         : "it was neither given nor recorded by an earlier call"});
  }
  return state;
}

NodeState Decider::decide_stage(std::uint32_t node, std::span<const NodeState> before) const {
  const Node& declared = graph_.nodes[node];
  const bool condition = declared.kind == NodeKind::condition;
  NodeState state;
  const auto known = inputs(node, state, std::nullopt, before);
  state.fingerprint = fingerprint(known);
  const core::Key key =
      condition ? core::own_key("condition", declared.name) : core::stage_key(declared.name);
  Verdict verdict = judge_.judge({node, "", key.path, known, state.fingerprint});
  state.decision = {.stage = declared.shown(),
                    .action = verdict.action,
                    .causes = std::move(verdict.causes),
                    .kept = verdict.kept};
  state.generation = verdict.generation;
  state.dropped = verdict.dropped;
  if (verdict.action == Action::skip) {
    state.identity = verdict.identity;
    if (condition) state.outcome = facts_.condition(declared.name);
    if (condition && !state.outcome) state.decision.action = Action::run;
  }
  return state;
}

NodeState Decider::decide_fan_out(std::uint32_t node, std::span<const NodeState> before) const {
  const Node& declared = graph_.nodes[node];
  NodeState state;
  state.decision = {.stage = declared.shown(), .fan_out = true};
  const Arg& each = graph_.each_arg(node);
  const NodeState& source = before[each.node];
  if (!each.list) {
    const bool growing =
        graph_.nodes[graph_.list_root(each.node)].grows && source.decision.action != Action::skip;
    if (!growing) state.list = source.list;
  } else if (source.identity) {
    const auto recorded = recorded_list(node);
    if (recorded && recorded->list == *source.identity) state.list = recorded;
  }
  if (state.list) {
    decide_items(node, state, before);
    auto closed = decide_closed(node, state, before);
    return closed ? *std::move(closed) : std::move(state);
  }
  state.decision.listed = false;
  const bool open = !source.identity || !each.list;
  state.decision.action = open ? Action::decide : Action::run;
  if (open) {
    state.decision.causes.push_back({.reason = Reason::upstream,
                                     .subject = graph_.nodes[each.node].shown(),
                                     .detail = "that stage's value determines its items"});
  } else {
    state.decision.causes.push_back(why_unlisted(node, *source.identity));
  }
  return state;
}

// A list that was split by other code is used again if changes of code are ignored.
std::shared_ptr<const ItemList> Decider::recorded_list(std::uint32_t node) const {
  const Node& declared = graph_.nodes[node];
  const Row* row = newest_whole(facts_.rows(core::own_key("items", declared.name).path));
  const bool keeps = row != nullptr && judge_.choices().keeps_list(node, declared.revision);
  return facts_.items(declared.name, keeps ? row->head.revision : declared.revision);
}

// What the item has enqueued with its present value, whatever that was made from.
std::shared_ptr<const Enqueued> Decider::enqueued(std::uint32_t node,
                                                  const std::string& item) const {
  const std::string& stage = graph_.nodes[node].name;
  const Row* row = newest_whole(facts_.rows(core::item_key(stage, item).path));
  return row == nullptr ? nullptr : facts_.enqueued(stage, item, row->head.fingerprint);
}

NodeState Decider::decide_over(std::uint32_t node, std::shared_ptr<const ItemList> list,
                               std::span<const NodeState> before) const {
  NodeState state;
  state.decision = {.stage = graph_.nodes[node].shown(), .fan_out = true};
  state.list = std::move(list);
  decide_items(node, state, before);
  return state;
}

// Why a list whose identity is known has to be split again.
Cause Decider::why_unlisted(std::uint32_t node, const Digest& list) const {
  const Node& declared = graph_.nodes[node];
  const std::span<const Row> rows = facts_.rows(core::own_key("items", declared.name).path);
  if (rows.empty() || !rows.back().is_whole()) {
    return {.reason = Reason::first_run};
  }
  const core::Head& head = rows.back().head;
  if (head.revision != declared.revision) {
    return {.reason = Reason::code_changed,
            .before = std::to_string(head.revision),
            .after = std::to_string(declared.revision)};
  }
  const Node& source = graph_.nodes[graph_.each_arg(node).node];
  Cause cause{.reason = Reason::input_changed,
              .subject = source.shown(),
              .before = facts_.input_text(source.name, head.fingerprint),
              .after = facts_.input_text(source.name, list)};
  if (cause.before.empty()) cause.before = head.fingerprint.brief();
  if (cause.after.empty()) cause.after = list.brief();
  cause.detail = "items that are as before are kept";
  return cause;
}

void Decider::decide_items(std::uint32_t node, NodeState& state,
                           std::span<const NodeState> before) const {
  if (graph_.nodes[node].grows && !state.closed) {
    // A copy: the recorded list is shared, and another decision must find it as it was recorded.
    state.growing = std::make_shared<ItemList>(*state.list);
    state.list = state.growing;
  }
  extend(node, state, before);
  Decision& whole = state.decision;
  std::optional<std::size_t> worst;
  for (const auto& [i, causes] : state.causes) {
    if (!worst || outweighs(state.items[i].action, state.items[*worst].action)) worst = i;
  }
  whole.action = worst ? state.items[*worst].action : Action::skip;
  if (worst && whole.skipped > 0 && whole.action == Action::run) {
    whole.causes.push_back({.reason = Reason::partial,
                            .before = std::to_string(whole.skipped),
                            .after = std::to_string(whole.items)});
  }
  if (worst) {
    for (const Cause& cause : state.causes[*worst]) whole.causes.push_back(cause);
  } else {
    whole.causes.push_back({.reason = Reason::done});
  }
  for (const auto& [i, causes] : state.causes) {
    for (const Cause& cause : causes) {
      if (cause.reason == Reason::uncertain && i != worst) whole.causes.push_back(cause);
    }
  }
  state.identity = identity_of(state);
}

void Decider::extend(std::uint32_t node, NodeState& state,
                     std::span<const NodeState> before) const {
  KeptItems kept{*this, node, state, before};
  if (state.items.empty()) state.items.reserve(state.list->keys.size());
  for (std::size_t i = state.items.size(); i < state.list->keys.size(); ++i) {
    state.items.emplace_back();
    if (const core::Head* head = kept.find(i)) {
      state.items[i] = {head->identity, Action::skip, Reason::done, true};
      ++state.decision.skipped;
      continue;
    }
    decide_item(node, state, i, before);
    const bool done = state.items[i].action == Action::skip && !state.list->repeats.contains(i);
    if (state.growing && done) grow(node, state, i);
  }
  state.decision.items = state.items.size();
}

void Decider::grow(std::uint32_t node, NodeState& state, std::size_t item) const {
  const Node& declared = graph_.nodes[node];
  const std::string key{state.list->keys[item]};
  const auto children = enqueued(node, key);
  if (!children) return;
  std::string clash;
  if (state.growing->grow(static_cast<std::uint32_t>(item), *children, clash)) return;
  throw Error(
      Errc::duplicate_name,
      {.what = fmt::format("item '{}' of queue '{}' is enqueued twice, with different content, the "
                           "second time by '{}'",
                           core::printable(clash), declared.shown(), core::printable(key)),
       .stage = declared.shown(),
       .item = clash,
       .kept = "everything that was saved",
       .next = "give different elements different keys, and raise the stage's revision"});
}

void Decider::decide_item(std::uint32_t node, NodeState& state, std::size_t i,
                          std::span<const NodeState> before) const {
  const Node& declared = graph_.nodes[node];
  const auto known = inputs(node, state, i, before);
  const std::string key{state.list->keys[i]};
  const auto fingerprint = Decider::fingerprint(known);
  const std::string path = core::item_key(declared.name, key).path;
  Verdict verdict = judge_.judge({node, key, path, known, fingerprint});
  const bool done = verdict.action == Action::skip && fingerprint;
  if (declared.grows && done && !enqueued(node, key)) {
    Cause lost{.reason = Reason::damaged,
               .file = facts_.locate(path, verdict.generation),
               .detail = "what it has enqueued is damaged or gone"};
    judge_.strict() ? verdict.refuse(std::move(lost)) : verdict.run(std::move(lost));
  }
  ItemState& item = state.items[i];
  item.action = verdict.action;
  item.reason = verdict.causes.empty() ? Reason::done : verdict.causes.front().reason;
  if (verdict.action == Action::skip && verdict.identity) {
    item.identity = *verdict.identity;
    item.known = true;
  }
  Decision& whole = state.decision;
  whole.skipped += verdict.action == Action::skip ? 1U : 0U;
  if (!state.list->repeats.contains(i)) whole.kept += verdict.kept;
  whole.to_run += verdict.action == Action::run && !state.list->repeats.contains(i) ? 1U : 0U;
  const bool plain = verdict.action == Action::skip && item.reason == Reason::done;
  if (!plain) state.causes[i] = std::move(verdict.causes);
}

}  // namespace resumable::plan
