#include "plan/decider.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "core/key.hpp"
#include "core/shape.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "resumable/error.hpp"

namespace resumable::inline v0::plan {

using detail::Arg;
using detail::ArgKind;
using detail::Node;
using detail::NodeKind;

std::optional<std::pair<std::size_t, std::size_t>> ItemList::find_repeats() {
  by_key.resize(keys.size());
  std::iota(by_key.begin(), by_key.end(), 0U);
  std::sort(by_key.begin(), by_key.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tie(keys[a], a) < std::tie(keys[b], b);
  });
  for (std::size_t i = 1, first = 0; i < by_key.size(); ++i) {
    if (keys[by_key[i]] != keys[by_key[first]]) {
      first = i;
    } else if (digests[by_key[i]] != digests[by_key[first]]) {
      return std::pair{std::size_t{by_key[first]}, std::size_t{by_key[i]}};
    } else {
      repeats[by_key[i]] = by_key[first];
    }
  }
  return std::nullopt;
}

std::size_t ItemList::find(std::string_view key, std::size_t hint) const {
  if (hint < keys.size() && keys[hint] == key) {
    const auto repeat = repeats.find(hint);
    return repeat == repeats.end() ? hint : repeat->second;
  }
  const auto at = std::lower_bound(by_key.begin(), by_key.end(), key,
                                   [&](std::uint32_t i, std::string_view k) { return keys[i] < k; });
  return at != by_key.end() && keys[*at] == key ? *at : keys.size();
}

std::optional<Digest> identity_of(const NodeState& fan_out) {
  if (!fan_out.list) return std::nullopt;
  Digester digester;
  for (std::size_t i = 0; i < fan_out.items.size(); ++i) {
    if (!fan_out.items[i].known) return std::nullopt;
    digester.add(fan_out.list->keys[i]).add(fan_out.items[i].identity);
  }
  return digester.finish();
}

/// What is being judged: a stage, a condition or one item.
struct Decider::Subject {
  std::uint32_t node;
  std::string_view item;
  std::string path;
  const std::vector<KnownInput>& inputs;
  std::optional<Digest> fingerprint;
};

struct Decider::Verdict {
  Action action = Action::skip;
  std::vector<Cause> causes;
  std::optional<Digest> identity;
  std::uint64_t generation = 0;

  void run(Cause cause) { raise(Action::run, std::move(cause)); }
  void decide(Cause cause) { raise(Action::decide, std::move(cause)); }
  void wait(Cause cause) { raise(Action::wait, std::move(cause)); }
  void refuse(Cause cause) { raise(Action::refuse, std::move(cause)); }
  void note(Cause cause) { causes.push_back(std::move(cause)); }

 private:
  static int weight(Action action) {
    switch (action) {
      case Action::skip: return 0;
      case Action::decide: return 1;
      case Action::run: return 2;
      case Action::wait: return 3;
      case Action::refuse: return 4;
    }
    return 0;
  }
  /// The strongest action wins, and its cause comes first; all causes are kept.
  void raise(Action wanted, Cause cause) {
    const bool stronger = weight(wanted) > weight(action);
    if (stronger) action = wanted;
    causes.insert(stronger ? causes.begin() : causes.end(), std::move(cause));
  }
};

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

std::vector<Decider::KnownInput> Decider::inputs(std::uint32_t node, const NodeState& self,
                                                 std::optional<std::size_t> item,
                                                 std::span<const NodeState> before) const {
  std::vector<KnownInput> result;
  for (const Arg& arg : graph_.nodes[node].args) {
    const Node& source = graph_.nodes[arg.node];
    KnownInput input{source.name, before[arg.node].identity,
                     arg.kind == ArgKind::after || source.kind == NodeKind::secret};
    if (item && (arg.kind == ArgKind::each || arg.kind == ArgKind::matching)) {
      input.name += "[]";
      input.identity = arg.list ? std::optional{self.list->digests[*item]}
                                : item_identity(before[arg.node], self.list->keys[*item], *item);
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
                                .subject = graph_.nodes[*unsettled].name,
                                .detail = "taken or not when the condition is known"});
  state.decision.to_run = 0;
  state.identity.reset();
  for (ItemState& item : state.items) {
    if (item.action == Action::run) item.action = Action::decide;
    item.known = false;
  }
  return state;
}

/// Its condition is not met, or what it takes a value of, or asks its condition of, is not taken.
std::optional<NodeState> Decider::not_taken(std::uint32_t node,
                                            std::span<const NodeState> before) const {
  const Node& declared = graph_.nodes[node];
  std::optional<std::uint32_t> source;
  for (const Arg& arg : declared.args) {
    if (arg.kind != ArgKind::after && !before[arg.node].taken) source = arg.node;
  }
  if (declared.when.graph != nullptr) {
    const NodeState& condition = before[declared.when.node];
    const bool met = condition.taken && condition.outcome.value_or(declared.when.expected) ==
                                            declared.when.expected;
    if (!met) source = declared.when.node;
  }
  if (!source) return std::nullopt;
  NodeState state;
  state.taken = false;
  state.decision = {.stage = declared.name, .action = Action::skip,
                    .causes = {{.reason = Reason::not_taken,
                                .subject = graph_.nodes[*source].name}},
                    .fan_out = declared.kind == NodeKind::fan_out};
  return state;
}

NodeState Decider::decide_input(std::uint32_t node) const {
  const Node& declared = graph_.nodes[node];
  NodeState state;
  state.decision = {.stage = declared.name, .action = Action::skip, .causes = {}};
  if (declared.kind == NodeKind::secret) {
    state.decision.causes.push_back({.reason = Reason::secret, .subject = declared.name});
    return state;
  }
  const InputFact fact = facts_.input(node);
  if (fact.known) {
    state.identity = fact.identity;
  } else {
    state.decision.action = Action::refuse;
    state.decision.causes.push_back(
        {.reason = fact.reason, .subject = declared.name, .file = fact.file,
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
  Verdict verdict = judge({node, "", key.path, known, state.fingerprint});
  state.decision = {.stage = declared.name, .action = verdict.action,
                    .causes = std::move(verdict.causes)};
  state.generation = verdict.generation;
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
  state.decision = {.stage = declared.name, .fan_out = true};
  const Arg& each = graph_.each_arg(node);
  const NodeState& source = before[each.node];
  if (!each.list) {
    state.list = source.list;
  } else if (source.identity) {
    const auto recorded = facts_.items(declared.name, declared.revision);
    if (recorded && recorded->list == *source.identity) state.list = recorded;
  }
  if (state.list) {
    decide_items(node, state, before);
    return state;
  }
  state.decision.listed = false;
  const bool open = !source.identity;
  state.decision.action = open ? Action::decide : Action::run;
  if (open) {
    state.decision.causes.push_back({.reason = Reason::upstream,
                                     .subject = graph_.nodes[each.node].name,
                                     .detail = "its items are known when that stage's value is"});
  } else {
    state.decision.causes.push_back(why_unlisted(node, *source.identity));
  }
  return state;
}

/// Why a list whose identity is known has to be taken apart again.
Cause Decider::why_unlisted(std::uint32_t node, const Digest& list) const {
  const Node& declared = graph_.nodes[node];
  const std::span<const Row> rows = facts_.rows(core::own_key("items", declared.name).path);
  if (rows.empty() || rows.back().quarantined || rows.back().damage != Damage::none) {
    return {.reason = Reason::first_run};
  }
  const core::Head& head = rows.back().head;
  if (head.revision != declared.revision) {
    return {.reason = Reason::code_changed, .before = std::to_string(head.revision),
            .after = std::to_string(declared.revision)};
  }
  const std::string& name = graph_.nodes[graph_.each_arg(node).node].name;
  Cause cause{.reason = Reason::input_changed, .subject = name,
              .before = facts_.input_text(name, head.fingerprint),
              .after = facts_.input_text(name, list)};
  if (cause.before.empty()) cause.before = head.fingerprint.brief();
  if (cause.after.empty()) cause.after = list.brief();
  cause.detail = "items that are as before are kept";
  return cause;
}

void Decider::decide_items(std::uint32_t node, NodeState& state,
                           std::span<const NodeState> before) const {
  const Node& declared = graph_.nodes[node];
  const std::size_t count = state.list->keys.size();
  state.items.resize(count);
  Decision& whole = state.decision;
  whole.items = count;
  std::optional<std::size_t> worst;
  for (std::size_t i = 0; i < count; ++i) {
    const auto known = inputs(node, state, i, before);
    const std::string& key = state.list->keys[i];
    Verdict verdict = judge({node, key, core::item_key(declared.name, key).path, known,
                             fingerprint(known)});
    ItemState& item = state.items[i];
    item.action = verdict.action;
    item.reason = verdict.causes.empty() ? Reason::done : verdict.causes.front().reason;
    if (verdict.action == Action::skip && verdict.identity) {
      item.identity = *verdict.identity;
      item.known = true;
    }
    whole.skipped += verdict.action == Action::skip ? 1U : 0U;
    whole.to_run += verdict.action == Action::run && !state.list->repeats.contains(i) ? 1U : 0U;
    const bool plain = verdict.action == Action::skip && item.reason == Reason::done;
    if (!plain) state.causes[i] = std::move(verdict.causes);
    const auto heavier = [&](Action a, Action b) {
      static constexpr Action order[] = {Action::skip, Action::decide, Action::run, Action::wait,
                                         Action::refuse};
      return std::find(order, order + 5, a) > std::find(order, order + 5, b);
    };
    if (!plain && (!worst || heavier(item.action, state.items[*worst].action))) worst = i;
  }
  whole.action = worst ? state.items[*worst].action : Action::skip;
  if (worst && whole.skipped > 0 && whole.action == Action::run) {
    whole.causes.push_back({.reason = Reason::partial,
                            .before = std::to_string(whole.skipped),
                            .after = std::to_string(count)});
  }
  if (worst) {
    for (const Cause& cause : state.causes[*worst]) whole.causes.push_back(cause);
  } else {
    whole.causes.push_back({.reason = Reason::done});
  }
  state.identity = identity_of(state);
}

// ---- judging one record ------------------------------------------------------------------------

bool Decider::names(std::uint32_t node, std::string_view item) const {
  return std::any_of(requests_.begin(), requests_.end(), [&](const Request& request) {
    return request.what == Request::What::redo && request.node == node &&
           (request.item.empty() || request.item == item);
  });
}

bool Decider::requested(std::uint32_t node, std::string_view item, std::uint64_t fence) const {
  return std::any_of(requests_.begin(), requests_.end(), [&](const Request& request) {
    if (fence >= request.fence) return false;
    switch (request.what) {
      case Request::What::fresh: return true;
      case Request::What::from: return graph_.depends(node, request.node);
      case Request::What::redo:
        return request.node == node && (request.item.empty() || request.item == item);
    }
    return false;
  });
}

namespace {

Reason gate_of(Damage damage) {
  if (damage == Damage::newer) return Reason::newer;
  return damage == Damage::foreign ? Reason::foreign : Reason::unreadable;
}

}  // namespace

Cause damage_cause(const Facts& facts, std::string_view path, std::uint64_t generation,
                   Damage damage) {
  Cause cause{.reason = damage == Damage::torn || damage == Damage::none ? Reason::corrupt
                                                                         : gate_of(damage),
              .file = facts.locate(path, generation)};
  switch (damage) {
    case Damage::torn: cause.detail = "its bytes are not those that were written"; break;
    case Damage::newer: cause.detail = "it was written by a newer version of the library"; break;
    case Damage::foreign: cause.detail = "it is not a record of this run"; break;
    case Damage::unreadable: cause.detail = "the operating system refused to read it"; break;
    case Damage::none: cause.detail = "its header is not as it was written"; break;
  }
  return cause;
}

/// The record that is looked at, and what was wrong with newer ones.
struct Decider::Usable {
  const Row* row = nullptr;
  std::optional<core::Header> header;  ///< read where the head alone does not settle it
  std::optional<Cause> damage;
  std::optional<Cause> gate;           ///< neither whole nor damaged: nothing may be touched
};

Decider::Usable Decider::find_usable(const Subject& subject) const {
  Usable result;
  const std::span<const Row> rows = facts_.rows(subject.path);
  const bool ages = graph_.nodes[subject.node].max_age.count() > 0;
  for (std::size_t i = rows.size(); i-- > 0 && result.row == nullptr;) {
    const Row& row = rows[i];
    if (row.quarantined) continue;
    if (row.damage != Damage::none && row.damage != Damage::torn) {
      result.gate = damage_cause(facts_, subject.path, row.generation, row.damage);
      return result;
    }
    bool whole = row.damage == Damage::none;
    if (whole && (ages || !subject.fingerprint || row.head.fingerprint != *subject.fingerprint)) {
      result.header = facts_.header(subject.path, row.generation);
      whole = result.header.has_value();
    }
    if (whole) {
      result.row = &row;
    } else if (!result.damage) {
      result.damage = damage_cause(facts_, subject.path, row.generation, row.damage);
    }
  }
  return result;
}

Decider::Verdict Decider::judge(const Subject& subject) const {
  Verdict verdict;
  Usable usable = find_usable(subject);
  const Row* row = usable.row;
  std::optional<Cause>& damage = usable.damage;
  if (usable.gate) {
    verdict.refuse(*std::move(usable.gate));
    return verdict;
  }
  const bool fits = row != nullptr && (!damage || !subject.fingerprint ||
                                       row->head.fingerprint == *subject.fingerprint);
  if (damage && strict_) {
    verdict.refuse(*std::move(damage));
    return verdict;
  }
  if (!fits) {
    if (damage) {
      verdict.run(*std::move(damage));
    } else {
      no_record(subject, verdict);
    }
    approval(subject, verdict);
    return verdict;
  }
  if (damage) {
    damage->reason = Reason::fell_back;
    damage->after = std::to_string(row->generation);
    verdict.note(*std::move(damage));
  }
  if (!gate(subject, *row, verdict)) return verdict;
  stale(subject, usable, verdict);
  approval(subject, verdict);
  if (verdict.action == Action::skip) {
    verdict.identity = row->head.identity;
    verdict.generation = row->generation;
    if (verdict.causes.empty()) verdict.note({.reason = Reason::done});
  }
  return verdict;
}

const Decider::Shape& Decider::shape_of(const detail::ValueType& type) const {
  const auto [at, fresh] = shapes_.try_emplace(&type);
  if (fresh && type.shape != nullptr) {
    at->second.text = type.shape();
    at->second.hash = at->second.text.empty() ? 0 : core::shape_hash(at->second.text);
  }
  return at->second;
}

bool Decider::gate(const Subject& subject, const Row& row, Verdict& verdict) const {
  const detail::ValueType& type = *graph_.nodes[subject.node].type;
  const core::Head& head = row.head;
  if (requested(subject.node, subject.item, head.fence) && names(subject.node, subject.item)) {
    return true;  // its old value is not looked at
  }
  const auto file = [&] { return facts_.locate(subject.path, row.generation); };
  const std::string found = std::to_string(head.schema);
  const Shape& shape = shape_of(type);
  if (head.schema > type.version) {
    verdict.refuse({.reason = Reason::newer, .before = found, .after = std::to_string(type.version),
                    .file = file(),
                    .detail = fmt::format("saved with schema {}; this program knows {} to {}", found,
                                          type.oldest, type.version)});
  } else if (head.schema < type.oldest) {
    verdict.refuse({.reason = Reason::no_migration, .before = found,
                    .after = std::to_string(type.version), .file = file(),
                    .detail = fmt::format("saved with schema {}; migrations begin at {}", found,
                                          type.oldest)});
  } else if (head.codec != type.codec) {
    verdict.refuse({.reason = Reason::codec_changed, .file = file(),
                    .detail = "it was saved by another codec"});
  } else if (head.schema == type.version && head.shape != 0 && shape.hash != 0 &&
             shape.hash != head.shape) {
    const auto header = facts_.header(subject.path, row.generation);
    verdict.refuse(
        {.reason = Reason::shape_changed, .before = found, .file = file(),
         .detail = header ? fmt::format("{}", fmt::join(core::diff_shapes(header->shape, shape.text),
                                                        "; "))
                          : "the type's fields changed"});
  } else if (head.schema < type.version) {
    verdict.note({.reason = Reason::migrated, .before = found, .after = std::to_string(type.version)});
  }
  return verdict.action != Action::refuse;
}

void Decider::stale(const Subject& subject, const Usable& usable, Verdict& verdict) const {
  const Node& declared = graph_.nodes[subject.node];
  const core::Head& head = usable.row->head;
  if (requested(subject.node, subject.item, head.fence)) verdict.run({.reason = Reason::requested});
  if (head.revision != declared.revision) {
    verdict.run({.reason = Reason::code_changed, .before = std::to_string(head.revision),
                 .after = std::to_string(declared.revision)});
  }
  if (!subject.fingerprint || head.fingerprint != *subject.fingerprint) {
    compare_inputs(subject, usable, verdict);
  }
  if (declared.max_age.count() > 0 && usable.header) age(subject, *usable.header, verdict);
}

void Decider::compare_inputs(const Subject& subject, const Usable& usable,
                             Verdict& verdict) const {
  const std::optional<core::Header>& header = usable.header;
  const auto old_identity = [&](const std::string& name) -> const Digest* {
    if (!header) return nullptr;
    for (const core::InputIdentity& input : header->inputs) {
      if (input.name == name) return &input.identity;
    }
    return nullptr;
  };
  bool found = false;
  std::size_t declared = 0;
  for (const KnownInput& input : subject.inputs) {
    if (input.exempt) continue;
    ++declared;
    if (!input.identity) {
      verdict.decide({.reason = Reason::upstream, .subject = input.name});
      continue;
    }
    const Digest* old = old_identity(input.name);
    if (old != nullptr && *old == *input.identity) continue;
    found = true;
    Cause cause{.reason = Reason::input_changed, .subject = input.name};
    if (old != nullptr) cause.before = facts_.input_text(input.name, *old);
    cause.after = facts_.input_text(input.name, *input.identity);
    if (old != nullptr && cause.before.empty()) cause.before = old->brief();
    if (cause.after.empty()) cause.after = input.identity->brief();
    verdict.run(std::move(cause));
  }
  if (header && header->inputs.size() > declared) {
    found = true;
    verdict.run({.reason = Reason::input_changed, .detail = "it takes fewer inputs than before"});
  }
  if (subject.fingerprint && !found) verdict.run({.reason = Reason::input_changed});
}

void Decider::age(const Subject& subject, const core::Header& header, Verdict& verdict) const {
  const auto saved = core::parse_utc(header.at);
  if (!saved) return;
  const auto age = facts_.now() - *saved;
  if (age < std::chrono::seconds{0}) {
    verdict.note({.reason = Reason::clock_skew, .before = header.at,
                  .detail = "saved in the future: its age is unknown and it is kept"});
  } else if (age > graph_.nodes[subject.node].max_age) {
    verdict.run({.reason = Reason::expired, .before = header.at});
  }
}

void Decider::no_record(const Subject& subject, Verdict& verdict) const {
  const Node& declared = graph_.nodes[subject.node];
  const std::string path = core::about_key("attempt", declared.name, subject.item).path;
  const std::span<const Row> rows = facts_.rows(path);
  const bool failed = !rows.empty() && rows.back().damage == Damage::none && subject.fingerprint &&
                      rows.back().head.fingerprint == *subject.fingerprint &&
                      rows.back().head.revision == declared.revision;
  if (!failed) {
    verdict.run({.reason = Reason::first_run});
    return;
  }
  const auto header = facts_.header(path, rows.back().generation);
  verdict.run({.reason = Reason::failed,
               .before = header ? std::to_string(header->attempts) : std::string{}});
}

/// A stage that asked for a person with these very inputs is not called again before the answer.
void Decider::approval(const Subject& subject, Verdict& verdict) const {
  if (verdict.action != Action::run || !subject.fingerprint) return;
  const std::string& stage = graph_.nodes[subject.node].name;
  const auto [state, message] = facts_.approval(stage, subject.item, *subject.fingerprint);
  if (state == Approval::asked) verdict.wait({.reason = Reason::waiting, .detail = message});
}

}  // namespace resumable::inline v0::plan
