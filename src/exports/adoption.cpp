#include "exports/adoption.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "core/key.hpp"
#include "exports/reading.hpp"
#include "record/items.hpp"
#include "record/values.hpp"
#include "resumable/error.hpp"
#include "value/redaction.hpp"

namespace resumable::exports {

using detail::Node;
using detail::NodeKind;

namespace {

core::Key key_of(const Node& node, const std::string& item) {
  return item.empty() ? core::stage_key(node.name) : core::item_key(node.name, item);
}

bool may_adopt(Action action) { return action == Action::run || action == Action::decide; }

/// Puts what was found before the reasons to run; the missing checkpoint need not be mentioned.
void put_first(std::vector<Cause>& causes, Cause first) {
  if (first.reason == Reason::adopted) {
    std::erase_if(causes, [](const Cause& one) {
      return one.reason == Reason::first_run || one.reason == Reason::lost ||
             one.reason == Reason::upstream;
    });
  }
  causes.insert(causes.begin(), std::move(first));
}

}  // namespace

// ---- what a plan says --------------------------------------------------------------------------

void Adoption::look(std::uint32_t node, plan::NodeState& state,
                    std::span<const plan::NodeState> before) {
  const Node& declared = tools_.graph.nodes[node];
  if (declared.artifacts.empty() || declared.grows || !state.taken || state.open) return;
  if (declared.kind == NodeKind::fan_out) {
    look_items(node, state, before);
  } else if (may_adopt(state.decision.action)) {
    look_stage(node, state);
  }
}

Cause Adoption::cause_of(const Offer& offer) const {
  const bool good = offer.value != nullptr;
  return {.reason = good ? Reason::adopted : Reason::not_adopted,
          .subject = offer.path,
          .file = tools_.ledger.artifact_file(offer.path),
          .detail = good ? std::string{}
                         : fmt::format("{}; a copy is kept in {}/removed", offer.problem,
                                       core::own_folder)};
}

void Adoption::look_stage(std::uint32_t node, plan::NodeState& state) {
  const auto offered = offer(node, state, std::nullopt);
  if (!offered) return;
  put_first(state.decision.causes, cause_of(*offered));
  if (!offered->value) return;
  // It is adopted whatever the inputs turn out to be, so later stages can be planned with its
  // value.
  state.decision.action = Action::run;
  const auto payload =
      value::encode(tools_.graph, *tools_.graph.nodes[node].type, offered->value.get());
  state.identity = digest(read_all(*payload));
  values_[node] = offered->value;
}

/// The items of a list that this plan adopts are not recorded yet.
void Adoption::list_items(std::uint32_t node, plan::NodeState& state,
                          std::span<const plan::NodeState> before) {
  const detail::Arg& each = tools_.graph.each_arg(node);
  const plan::NodeState& source = before[each.node];
  if (!each.list || !source.identity) return;
  detail::AnyValue list;
  if (const auto planned = values_.find(each.node); planned != values_.end()) {
    list = planned->second;
  } else if (is_input(tools_.graph.nodes[each.node])) {
    list = tools_.facts.host_input(each.node).value;
  } else if (source.decision.action == Action::skip) {
    list = record::load_record(tools_.graph, tools_.facts, each.node, "");
  }
  if (!list) return;
  state = tools_.decider.decide_over(
      node,
      record::list_items(tools_.graph, tools_.graph.nodes[node], each, list, *source.identity),
      before);
}

void Adoption::look_items(std::uint32_t node, plan::NodeState& state,
                          std::span<const plan::NodeState> before) {
  if (!state.list) list_items(node, state, before);
  if (!state.list) {
    state.decision.causes.front().detail += "; those whose files are there are adopted";
    return;
  }
  const detail::ValueType& type = *tools_.graph.nodes[node].type;
  std::size_t adopted = 0;
  std::optional<Cause> refused;
  std::optional<Cause> first;
  for (std::size_t i = 0; i < state.items.size(); ++i) {
    plan::ItemState& item = state.items[i];
    if (!may_adopt(item.action) || state.list->repeats.contains(i)) continue;
    const auto offered = offer(node, state, i);
    if (!offered) continue;
    Cause cause = cause_of(*offered);
    put_first(state.causes[i], cause);
    item.reason = cause.reason;
    if (!offered->value) {
      if (!refused) refused = std::move(cause);
      continue;
    }
    if (!first) {
      first = std::move(cause);
      first->subject = tools_.graph.patterns[node].front().text();
      first->file.clear();
    }
    if (item.action == Action::decide) ++state.decision.to_run;
    item.action = Action::run;
    item.identity = digest(read_all(*value::encode(tools_.graph, type, offered->value.get())));
    item.known = true;
    ++adopted;
  }
  if (first) summarise(state, adopted, *std::move(first));
  if (refused) put_first(state.decision.causes, *std::move(refused));
}

void Adoption::summarise(plan::NodeState& state, std::size_t adopted, Cause first) const {
  const bool all = adopted + state.decision.skipped == state.items.size();
  first.before = std::to_string(adopted);
  first.after = std::to_string(state.items.size());
  if (all) {
    state.decision.action = Action::run;
    put_first(state.decision.causes, std::move(first));
  } else {
    state.decision.causes.push_back(std::move(first));
  }
  state.identity = plan::identity_of(state);
}

// ---- what the files show -----------------------------------------------------------------------

std::vector<Adoption::Place> Adoption::places(std::uint32_t node,
                                              const plan::NodeState& state) const {
  if (tools_.graph.nodes[node].kind != NodeKind::fan_out) return {{}};
  std::vector<Place> all;
  for (std::size_t i = 0; i < state.list->keys.size(); ++i) {
    if (!state.list->repeats.contains(i)) all.push_back({std::string{state.list->keys[i]}, i + 1});
  }
  return all;
}

std::optional<Offer> Adoption::offer(std::uint32_t node, const plan::NodeState& state,
                                     std::optional<std::size_t> item) {
  const Node& declared = tools_.graph.nodes[node];
  // No file shows what an item of a queue has enqueued.
  if (declared.grows || declared.type->codec == CodecId::none) return std::nullopt;
  if (declared.artifacts.empty()) return std::nullopt;
  const Place place = item ? Place{std::string{state.list->keys[*item]}, *item + 1} : Place{};
  if (!tools_.facts.rows(key_of(declared, place.key).path).empty()) return std::nullopt;
  if (tools_.decider.requested(node, place.key, 0)) return std::nullopt;  // made again, not read
  if (!is_done(node, state)) return std::nullopt;
  Offer offered{.by = user_};
  offered.value = read(node, place, offered);
  if (offered.path.empty()) return std::nullopt;
  return offered;
}

/// Whether a file may be adopted: no record mentions it, or only records that adopted this very
/// text.
bool Adoption::is_free(const std::string& path, const Digest& content) const {
  return std::ranges::all_of(tools_.ledger.writers(path), [&](const PathWriter& one) {
    if (one.exported.digest != content) return false;
    const core::Key key = key_of(tools_.graph.nodes[one.node], one.item);
    const plan::Row* row = tools_.facts.current(key.path);
    const auto header =
        row == nullptr ? std::nullopt : tools_.facts.header(key.path, row->generation);
    return header && !header->adopted_by.empty();
  });
}

/// Whether the mark of a stage is in one of the files at these paths.
bool Adoption::shows(std::uint32_t node, std::size_t artifact,
                     const std::vector<Place>& places) const {
  const Node& declared = tools_.graph.nodes[node];
  for (std::size_t i = 0; i < declared.artifacts.size(); ++i) {
    const core::Pattern& pattern = tools_.graph.patterns[node][i];
    if (i == artifact || pattern.per_item()) continue;
    if (tools_.ledger.look(pattern.text()).state != plan::Look::State::file) return false;
  }
  const core::Pattern& pattern = tools_.graph.patterns[node][artifact];
  return std::ranges::any_of(places, [&](const Place& place) {
    const std::string path = pattern.path(place.key, place.position);
    const plan::Look look = tools_.ledger.look(path);
    if (look.state != plan::Look::State::file || !is_free(path, look.digest)) return false;
    std::string text;
    if (!declared.adopt_if) return true;
    return !tools_.folder.read(path, text) && declared.adopt_if({text, place.key, path});
  });
}

/// Whether the files show that a stage was done, by its own mark or by that of a later stage that
/// writes the same files.
bool Adoption::is_done(std::uint32_t node, const plan::NodeState& state) {
  const std::size_t items = state.list ? state.list->keys.size() : 0;
  Known& known = known_[node];
  if (known.looked && known.items == items) return known.done;
  known = {.looked = true, .items = items};
  const std::vector<Place> all = places(node, state);
  const auto& patterns = tools_.graph.patterns;
  for (const core::Pattern& pattern : patterns[node]) {
    for (std::uint32_t later = node; later < patterns.size(); ++later) {
      for (std::size_t i = 0; i < patterns[later].size(); ++i) {
        if (patterns[later][i].text() != pattern.text() || !shows(later, i, all)) continue;
        known.done = true;
        return true;
      }
    }
  }
  return false;
}

/// The value that the files of a stage or item yield; `offer` gets the file, or why there is no
/// value.
detail::AnyValue Adoption::read(std::uint32_t node, const Place& place, Offer& offer) const {
  const Node& declared = tools_.graph.nodes[node];
  detail::AnyValue value;
  for (std::size_t i = 0; i < declared.artifacts.size(); ++i) {
    const detail::Artifact& artifact = declared.artifacts[i];
    const bool as_found = i == 0 && declared.adopt;
    if (!as_found &&
        (!is_editable(artifact) || (!value && artifact.parse && artifact.parse->needs_former()))) {
      continue;
    }
    const std::string path = tools_.graph.patterns[node][i].path(place.key, place.position);
    const plan::Look look = tools_.ledger.look(path);
    if (look.state != plan::Look::State::file || !is_free(path, look.digest)) continue;
    std::string text;
    Reading reading;
    if (const auto error = tools_.folder.read(path, text)) {
      reading.problem = error.message();
    } else if (digest(text) != look.digest) {
      reading.problem = "it is being changed right now";
    } else if (as_found) {
      const FoundFile file{text, place.key, path};
      const bool json = declared.type->codec == CodecId::json && !artifact.render;
      reading = read_value(declared, text, json, [&] { return (*declared.adopt)(file); });
    } else {
      reading = read_artifact(declared, artifact, text, value.get());
    }
    if (offer.path.empty() || !reading.value) offer.path = path;
    if (!reading.value) {
      offer.problem = std::move(reading.problem);
      return nullptr;
    }
    value = std::move(reading.value);
  }
  return value;
}

}  // namespace resumable::exports
