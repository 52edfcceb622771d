#include "exports/exporter.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/key.hpp"
#include "core/remedy.hpp"
#include "record/values.hpp"
#include "resumable/error.hpp"

namespace resumable::exports {

Exporter::Exporter(Tools tools)
    : tools_(std::move(tools)),
      paths_(tools_.graph, tools_.ledger, tools_.folder, tools_.states),
      appending_(tools_.graph.nodes.size()) {
  if (tools_.folder == nullptr) return;
  publisher_.emplace(
      Publisher::Tools{tools_.graph, tools_.recorder, tools_.events, *tools_.folder});
}

void Exporter::reset() {
  paths_.reset();
  for (auto& list : appending_) list.clear();
}

Targets Exporter::targets_of(std::uint32_t node, std::optional<std::size_t> item,
                             const std::optional<plan::Row>& previous) {
  Targets targets;
  if (tools_.folder == nullptr) return targets;
  const std::string key = key_of(node, item);
  const std::string& stage = tools_.graph.nodes[node].name;
  std::vector<core::Export> former;
  if (previous && !tools_.graph.patterns[node].empty()) {
    const core::Key record = item ? core::item_key(stage, key) : core::stage_key(stage);
    const auto header = tools_.facts.header(record.path, previous->generation);
    if (header) former = header->exports;
  }
  for (const core::Pattern& pattern : tools_.graph.patterns[node]) {
    Target to;
    to.path = pattern.path(key, item ? *item + 1 : 0);
    // Planning found these bytes to be ours; a file that appeared since is a conflict.
    const plan::Look look = tools_.ledger.look(to.path);
    if (look.state == plan::Look::State::file) to.on_disk = look.digest;
    to.edited = to.on_disk && tools_.ledger.is_edited(to.path, *to.on_disk);
    const bool unknown = to.on_disk && (!tools_.ledger.is_known(to.path, *to.on_disk) ||
                                        tools_.ledger.is_lost_edit(to.path, *to.on_disk));
    if (unknown && tools_.ledger.adopting()) {
      to.edited = true;
    } else if (unknown) {
      keep_unknown({node, key}, to);
    }
    for (const core::Export& one : former) {
      if (one.path == to.path) to.previous = one;
    }
    to.taken_over = to.previous && to.on_disk && *to.on_disk != to.previous->digest &&
                    is_of_later(node, to.path, *to.on_disk);
    targets.files.push_back(std::move(to));
  }
  for (core::Export& one : former) {
    if (one.is_nothing()) continue;
    const bool stays = std::any_of(targets.files.begin(), targets.files.end(),
                                   [&](const Target& to) { return to.path == one.path; });
    if (stays) continue;
    const plan::Look look = tools_.ledger.look(one.path);
    one.before.reset();
    if (look.state == plan::Look::State::file && look.digest == one.digest) {
      targets.left_in_place.push_back(one);
    }
    targets.left.push_back(std::move(one));
  }
  return targets;
}

/// The plan accepts a file that no record mentions only if a record that is damaged or lost may
/// have exported it.
void Exporter::keep_unknown(const Subject& subject, const Target& target) {
  const std::string file = tools_.folder->full(target.path);
  if (const auto error = tools_.folder->keep_copy(target.path)) {
    throw Error(
        Errc::store_failed,
        {.what = fmt::format("no copy could be made of '{}', which a record that is damaged "
                             "or lost may have exported",
                             target.path),
         .stage = tools_.graph.nodes[subject.node].shown(),
         .item = subject.item,
         .operation = "copy",
         .file = file,
         .kept = "the file is untouched",
         .next = core::remedy(error, "fix the cause, or move the file away,") + " and resume",
         .cause = error});
  }
  warnings_.push_back(
      fmt::format("'{}' is exported again, because the record that exported it is damaged or lost: "
                  "a copy of what was "
                  "there is kept in {}/removed",
                  file, core::own_folder));
}

/// A process that was killed after the move could not confirm the export, nor sync its folder.
void Exporter::settle(const Subject& subject, const core::Export& exported) {
  const core::Export* sure = tools_.ledger.confirmed(exported.path);
  if (sure != nullptr && sure->order >= exported.order) return;
  if (const auto error = tools_.folder->settle(exported.path)) {
    throw Error(
        Errc::store_failed,
        {.what = fmt::format("the folder of artifact '{}' could not be synced", exported.path),
         .stage = tools_.graph.nodes[subject.node].shown(),
         .item = subject.item,
         .operation = "fsync",
         .file = tools_.folder->full(exported.path),
         .kept = "the stage's value is saved",
         .next = core::remedy(error, "fix the cause") + " and resume: nothing reruns",
         .cause = error});
  }
  tools_.ledger.note_published({exported.path, exported.digest, {}, exported.order});
}

void Exporter::note_committed(const Subject& subject, const std::vector<core::Export>& exports,
                              const std::vector<core::Export>& left) {
  if (exports.empty() && left.empty()) return;
  tools_.ledger.note_exports(subject.node, subject.item, exports);
  left_.insert(left_.end(), left.begin(), left.end());
}

void Exporter::note_published(const std::vector<core::Export>& exports) {
  for (const core::Export& one : exports) tools_.ledger.note_published(one);
}

// ---- what kept checkpoints should have on disk -------------------------------------------------

void Exporter::restore(std::uint32_t node) {
  const detail::Node& declared = tools_.graph.nodes[node];
  const plan::NodeState& state = tools_.states[node];
  if (declared.artifacts.empty() || !state.taken) return;
  if (declared.kind != detail::NodeKind::fan_out) return restore_one(node, std::nullopt);
  for (std::size_t i = 0; i < state.items.size(); ++i) {
    if (state.items[i].action == Action::skip && !state.list->repeats.contains(i)) {
      restore_one(node, i);
    }
  }
}

/// Exports what is missing, what an earlier stage of the chain has overwritten, and what has moved
/// with its item. Here, too, the record comes first: if the existing one does not announce what
/// will be at a path, the value gets a new generation that does.
void Exporter::restore_one(std::uint32_t node, std::optional<std::size_t> item) {
  if (tools_.folder == nullptr) return;
  const detail::Node& declared = tools_.graph.nodes[node];
  const Subject subject{node, key_of(node, item)};
  const core::Key key =
      item ? core::item_key(declared.name, subject.item) : core::stage_key(declared.name);
  record::Succession next = tools_.facts.succession(key.path, declared.type->version);
  const auto header =
      next.previous ? tools_.facts.header(key.path, next.previous->generation) : std::nullopt;
  if (!header) return;
  const Targets targets = targets_of(node, item, next.previous);
  const Restoring restoring = restoring_of(node, item, targets);
  if (!restoring.as_recorded) {
    auto payload = tools_.facts.payload(key.path, next.previous->generation);
    record::Draft draft{key,     next.generation,    next.previous->head,
                        *header, std::move(payload), std::move(next.erase)};
    draft.keeps_fence = true;
    draft.header.exports = restoring.exports;
    rerecord(subject, std::move(draft), targets);
  }
  for (const auto& [i, text] : restoring.texts) {
    const auto put = publisher_->put(subject, targets.files[i], text, restoring.exports[i].order,
                                     EventKind::restored);
    if (put) note_published({*put});
  }
}

Exporter::Fate Exporter::fate_of(std::uint32_t node, std::optional<std::size_t> item,
                                 const Target& to) const {
  if (to.previous && to.previous->is_nothing()) return Fate::nothing;
  if (to.previous && to.on_disk && *to.on_disk == to.previous->digest) return Fate::in_place;
  const bool later = (to.on_disk && is_of_later(node, to.path, *to.on_disk)) ||
                     is_kept_by_later(node, item, to.path);
  return later ? Fate::later : Fate::write;
}

Exporter::Restoring Exporter::restoring_of(std::uint32_t node, std::optional<std::size_t> item,
                                           const Targets& targets) {
  const detail::Node& declared = tools_.graph.nodes[node];
  const Subject subject{node, key_of(node, item)};
  Restoring restoring;
  // A new generation stands in for a newer one that is damaged: from then on an edit is an edit.
  restoring.as_recorded =
      targets.left.empty() && !tools_.ledger.has_lost_record(node, subject.item);
  detail::AnyValue value;
  for (std::size_t i = 0; i < targets.files.size(); ++i) {
    const Target& to = targets.files[i];
    const Fate fate = fate_of(node, item, to);
    if (fate == Fate::in_place) settle(subject, *to.previous);
    if (to.previous && fate != Fate::write) {
      restoring.exports.push_back(*to.previous);
      continue;
    }
    if (!value) value = record::load_record(tools_.graph, tools_.facts, node, subject.item);
    auto text = render_artifact(declared.artifacts[i], *declared.type, value.get());
    if (!text) {
      restoring.as_recorded = false;
      restoring.exports.push_back({to.path, {}, {}, 0});
      continue;
    }
    const Digest content = digest(*text);
    const bool writes = fate == Fate::write;
    if (writes && is_announced(to, content)) {
      restoring.exports.push_back(*to.previous);
    } else {
      restoring.as_recorded = false;
      restoring.exports.push_back(
          {to.path, content, to.on_disk, writes ? tools_.recorder.order() : 0});
    }
    if (!writes) continue;
    if (to.edited && *to.on_disk != content) publisher_->keep_edited(subject, to);
    restoring.texts.emplace_back(i, *std::move(text));
  }
  return restoring;
}

/// The same value under a new generation that names where its artifacts will be.
void Exporter::rerecord(const Subject& subject, record::Draft draft, const Targets& targets) {
  draft.header.confirmed.clear();
  publisher_->announce(targets, draft);
  const auto exports = draft.header.exports;
  const record::Committed record = tools_.recorder.commit(std::move(draft));
  tools_.facts.note(record.path, record.generation, record.head);
  note_committed(subject, exports, targets.left);
}

void Exporter::return_to_earlier(std::uint32_t node) {
  if (tools_.folder == nullptr || tools_.graph.patterns[node].empty()) return;
  std::set<std::pair<std::uint32_t, std::string>> heirs;
  for (const auto& [path, writers] : tools_.ledger.all_writers()) {
    const bool ours = std::any_of(writers.begin(), writers.end(),
                                  [&](const PathWriter& one) { return one.node == node; });
    if (!ours) continue;
    const PathWriter* heir = nullptr;
    for (const PathWriter& one : writers) {
      const bool counts =
          one.node < node && tools_.states[one.node].taken && tools_.is_settled(one.node);
      if (counts && (heir == nullptr || one.node > heir->node)) heir = &one;
    }
    if (heir != nullptr) heirs.emplace(heir->node, heir->item);
  }
  for (const auto& [heir, item] : heirs) {
    const plan::NodeState& state = tools_.states[heir];
    if (tools_.graph.nodes[heir].kind != detail::NodeKind::fan_out) {
      restore_one(heir, std::nullopt);
      continue;
    }
    const std::size_t index = state.list->find(item, 0);
    if (index < state.items.size()) restore_one(heir, index);
  }
}

/// Whether a later stage of the chain has put this content there.
bool Exporter::is_of_later(std::uint32_t node, const std::string& path,
                           const Digest& content) const {
  const auto writers = tools_.ledger.writers(path);
  return std::any_of(writers.begin(), writers.end(), [&](const PathWriter& one) {
    return one.node > node && tools_.states[one.node].taken && one.exported.digest == content;
  });
}

/// Whether a later stage of the chain has a checkpoint and is skipped, and so takes care of this
/// path.
bool Exporter::is_kept_by_later(std::uint32_t node, std::optional<std::size_t> item,
                                const std::string& path) const {
  const std::string key = key_of(node, item);
  for (std::uint32_t i = node + 1; i < tools_.states.size(); ++i) {
    const plan::NodeState& state = tools_.states[i];
    if (!state.taken || tools_.graph.patterns[i].empty()) continue;
    Action action = state.decision.action;
    if (item) {
      if (!state.list || *item >= state.items.size()) continue;
      if (state.list->keys[*item] != key) continue;
      action = state.items[*item].action;
    }
    if (action != Action::skip) continue;
    for (const core::Pattern& pattern : tools_.graph.patterns[i]) {
      if (pattern.path(key, item ? *item + 1 : 0) == path) return true;
    }
  }
  return false;
}

/// Whether the records show that this content at this path is ours, in case this process is killed
/// right after putting it there.
bool Exporter::is_announced(const Target& to, const Digest& content) const {
  if (!to.previous || to.previous->digest != content) return false;
  for (const PathWriter& one : tools_.ledger.writers(to.path)) {
    if (one.exported.order > to.previous->order) return false;
  }
  const core::Export* sure = tools_.ledger.confirmed(to.path);
  return sure == nullptr || sure->order < to.previous->order || sure->digest == content;
}

// ---- what no record claims any more ------------------------------------------------------------

/// The paths that belong, or may belong, to this run's items and stages.
std::set<std::string> Exporter::claimed_paths() const {
  std::set<std::string> claimed;
  for (const std::string& path : tools_.ledger.foreign_exports()) claimed.insert(path);
  std::vector<std::set<std::string_view>> keys(tools_.states.size());
  for (std::uint32_t node = 0; node < tools_.states.size(); ++node) {
    const plan::NodeState& state = tools_.states[node];
    const bool fan_out = tools_.graph.nodes[node].kind == detail::NodeKind::fan_out;
    for (const core::Pattern& pattern : tools_.graph.patterns[node]) {
      if (!fan_out) claimed.insert(pattern.path("", 0));
      for (std::size_t i = 0; state.list && i < state.list->keys.size(); ++i) {
        const std::string path = pattern.path(state.list->keys[i], i + 1);
        if (!tools_.ledger.is_without_file(path)) claimed.insert(path);
        keys[node].insert(state.list->keys[i]);
      }
    }
  }
  for (const auto& [path, writers] : tools_.ledger.all_writers()) {
    for (const PathWriter& one : writers) {
      const plan::NodeState& state = tools_.states[one.node];
      const bool gone = state.list && !keys[one.node].contains(one.item);
      const bool moved = tools_.is_settled(one.node) && state.taken;
      if (!gone && !moved) claimed.insert(path);
    }
  }
  return claimed;
}

void Exporter::retire() {
  if (tools_.folder == nullptr) return;
  std::map<std::string, std::set<Digest>> ours;
  for (const core::Export& one : left_) ours[one.path].insert(one.digest);
  for (const auto& [path, one] : tools_.ledger.all_confirmed()) ours[path].insert(one.digest);
  for (const auto& [path, writers] : tools_.ledger.all_writers()) {
    for (const PathWriter& one : writers) ours[path].insert(one.exported.digest);
  }
  const std::set<std::string> claimed = claimed_paths();
  for (const auto& [path, contents] : ours) {
    if (claimed.contains(path)) continue;
    const Found found = tools_.folder->look(path);
    const bool is_ours =
        contents.contains(found.digest) && !tools_.ledger.is_edited(path, found.digest);
    Published moved{.how = Published::How::conflict};
    if (found.state == Found::State::unreadable) {
      moved = {Published::How::failed, found.cause, "read"};
    } else if (found.state == Found::State::file && is_ours) {
      moved = tools_.folder->retire(path, found.digest);
    }
    if (found.state == Found::State::missing || moved.how == Published::How::done) {
      tools_.ledger.forget_published(path);
      continue;
    }
    const bool changed = moved.how == Published::How::conflict;
    warnings_.push_back(
        fmt::format("'{}' {}, and the item it was made from is not in the list any more: it stays",
                    tools_.folder->full(path),
                    changed ? "was changed by hand"
                            : fmt::format("could not be moved away ({})", moved.cause.message())));
  }
}

// ---- files that fan-outs append to -------------------------------------------------------------

void Exporter::begin_appending(std::uint32_t node) {
  if (tools_.folder == nullptr) return;
  appending_[node].clear();
  for (const detail::Artifact& one : tools_.graph.nodes[node].appended) {
    appending_[node].push_back(std::make_unique<Appending>(
        Appending::Tools{tools_.graph, tools_.facts, tools_.ledger, tools_.recorder, tools_.events,
                         *tools_.folder, warnings_},
        node, one));
  }
  each_appending(node, &Appending::begin);
  each_appending(node, &Appending::advance);
}

void Exporter::advance_appending(std::uint32_t node) { each_appending(node, &Appending::advance); }
void Exporter::finish_appending(std::uint32_t node) { each_appending(node, &Appending::finish); }

void Exporter::each_appending(std::uint32_t node,
                              void (Appending::*what)(const plan::NodeState&, Appending::ValueOf)) {
  const plan::NodeState& state = tools_.states[node];
  const std::string& stage = tools_.graph.nodes[node].name;
  record::ReadAhead ahead{tools_.facts};
  std::size_t expected = 0;
  const auto value = [&](std::size_t item) {
    if (auto known = tools_.value_in_memory(node, item)) return known;
    // Those that follow are asked for next, up to the first that is not done.
    for (expected = std::max(expected, item);
         expected < state.items.size() && state.items[expected].known; ++expected) {
      record::expect_item(ahead, tools_.facts, stage, state.list->keys[expected]);
    }
    return record::load_record(tools_.graph, tools_.facts, node, state.list->keys[item], ahead);
  };
  for (const auto& one : appending_[node]) ((*one).*what)(tools_.states[node], value);
}

void Exporter::confirm_appended() {
  for (const auto& list : appending_) {
    for (const auto& one : list) {
      try {
        one->confirm_if_needed();
      } catch (const Error& error) {
        warnings_.emplace_back(error.what());
      }
    }
  }
}

}  // namespace resumable::exports
