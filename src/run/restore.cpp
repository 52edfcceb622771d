// Exporting again what a kept checkpoint should have left on disk.
#include <fmt/format.h>

#include <algorithm>

#include "core/key.hpp"
#include "resumable/error.hpp"
#include "run/executor.hpp"
#include "run/values.hpp"

namespace resumable::inline v0::run {

void Executor::restore(std::uint32_t node) {
  const detail::Node& declared = tools_.graph.nodes[node];
  if (tools_.folder == nullptr || declared.artifacts.empty() || !states_[node].taken) return;
  if (declared.kind != detail::NodeKind::fan_out) return restore_one(node, std::nullopt);
  for (std::size_t i = 0; i < states_[node].items.size(); ++i) {
    if (states_[node].items[i].action == Action::skip && !states_[node].list->repeats.contains(i)) {
      restore_one(node, i);
    }
  }
}

/// Exports what is missing, what an earlier stage of the chain has written over, and what has moved
/// with its item. The record comes first, here too: where the one there is does not announce what
/// will be at a path, the value gets a new generation that does.
void Executor::restore_one(std::uint32_t node, std::optional<std::size_t> item) {
  const detail::Node& declared = tools_.graph.nodes[node];
  Task task;
  task.node = node;
  task.item = item;
  task.item_key = item ? states_[node].list->keys[*item] : std::string{};
  task.key = item ? core::item_key(declared.name, task.item_key) : core::stage_key(declared.name);
  add_history(task);
  const auto header =
      task.previous ? tools_.facts.header(task.key.path, task.previous->generation) : std::nullopt;
  if (!header) return;
  add_exports(task);
  std::vector<core::Export> exports;
  std::vector<std::pair<std::size_t, std::string>> texts;  // to publish, by place in task.exports
  bool as_recorded = task.left.empty();
  detail::AnyValue value;
  for (std::size_t i = 0; i < task.exports.size(); ++i) {
    const ExportTo& to = task.exports[i];
    if (to.previous && to.previous->is_nothing()) {
      exports.push_back(*to.previous);
      continue;
    }
    const bool in_place = to.previous && to.on_disk && *to.on_disk == to.previous->digest;
    const bool stays = in_place || (to.on_disk && is_of_later(node, to.path, *to.on_disk)) ||
                       kept_by_later(task, to.path);
    if (stays && to.previous) {
      // A killed process could not tell any more that it was done.
      if (in_place) tools_.facts.note_published({to.path, *to.on_disk, {}, to.previous->order});
      exports.push_back(*to.previous);
      continue;
    }
    if (!value) value = load_record(tools_.graph, tools_.facts, node, task.item_key);
    auto text = render_artifact(declared.artifacts[i], *declared.type, value.get());
    if (!text) {
      as_recorded = false;
      exports.push_back({to.path, {}, {}, 0});
      continue;
    }
    const Digest content = digest(*text);
    if (!stays && is_announced(to, content)) {
      exports.push_back(*to.previous);
    } else {
      as_recorded = false;
      exports.push_back({to.path, content, to.on_disk, stays ? 0 : tools_.recorder.order()});
    }
    if (!stays) texts.emplace_back(i, *std::move(text));
  }
  if (!as_recorded) rerecord(task, *header, std::move(exports));
  for (const auto& [i, text] : texts) publish_again(task, task.exports[i], text);
}

/// The files of a stage that is not taken any more belong to the stages before it again.
void Executor::give_back(std::uint32_t node) {
  if (tools_.folder == nullptr || tools_.graph.patterns[node].empty()) return;
  std::set<std::pair<std::uint32_t, std::string>> heirs;
  for (const auto& [path, writers] : tools_.facts.all_writers()) {
    const bool ours = std::any_of(writers.begin(), writers.end(),
                                  [&](const PathWriter& one) { return one.node == node; });
    if (!ours) continue;
    const PathWriter* heir = nullptr;
    for (const PathWriter& one : writers) {
      const bool counts =
          one.node < node && states_[one.node].taken && runs_[one.node].phase == Phase::settled;
      if (counts && (heir == nullptr || one.node > heir->node)) heir = &one;
    }
    if (heir != nullptr) heirs.emplace(heir->node, heir->item);
  }
  for (const auto& [heir, item] : heirs) {
    if (tools_.graph.nodes[heir].kind != detail::NodeKind::fan_out) {
      restore_one(heir, std::nullopt);
      continue;
    }
    const std::size_t index = states_[heir].list->find(item, 0);
    if (index < states_[heir].items.size()) restore_one(heir, index);
  }
}

void Executor::publish_again(const Task& task, const ExportTo& to, const std::string& text) {
  const std::string& stage = tools_.graph.nodes[task.node].name;
  const auto published = tools_.folder->publish(to.path, text, to.on_disk);
  if (published.how != artifact::Published::How::done) {
    const bool conflict = published.how == artifact::Published::How::conflict;
    throw Error(conflict ? Errc::edited : Errc::store_failed,
                {.what = fmt::format("artifact '{}' of stage '{}' could not be exported again",
                                     to.path, stage),
                 .stage = stage,
                 .item = task.item_key,
                 .operation = published.operation,
                 .file = tools_.folder->full(to.path),
                 .kept = "the stage's value is saved; the file is untouched",
                 .next = conflict ? "move the file away and resume"
                                  : "mend the cause and resume: nothing reruns",
                 .cause = published.cause});
  }
  core::Export done{to.path, digest(text), {}, tools_.recorder.order()};
  tools_.facts.note_published(done);
  tools_.recorder.confirm(std::move(done));
  Event event;
  event.kind = EventKind::restored;
  event.stage = stage;
  event.item = task.item_key;
  event.file = tools_.folder->full(to.path);
  tools_.events.emit(std::move(event));
}

/// Whether a later stage of the chain has put this content there.
bool Executor::is_of_later(std::uint32_t node, const std::string& path,
                           const Digest& content) const {
  const auto writers = tools_.facts.writers(path);
  return std::any_of(writers.begin(), writers.end(), [&](const PathWriter& one) {
    return one.node > node && states_[one.node].taken && one.exported.digest == content;
  });
}

/// Whether a later stage of the chain has a checkpoint, is skipped and thus looks after this path.
bool Executor::kept_by_later(const Task& task, const std::string& path) const {
  for (std::uint32_t i = task.node + 1; i < states_.size(); ++i) {
    const plan::NodeState& state = states_[i];
    if (!state.taken || tools_.graph.patterns[i].empty()) continue;
    Action action = state.decision.action;
    if (task.item) {
      if (!state.list || *task.item >= state.items.size()) continue;
      if (state.list->keys[*task.item] != task.item_key) continue;
      action = state.items[*task.item].action;
    }
    if (action != Action::skip) continue;
    for (const core::Pattern& pattern : tools_.graph.patterns[i]) {
      if (pattern.path(task.item_key, task.item ? *task.item + 1 : 0) == path) return true;
    }
  }
  return false;
}

/// Whether the records tell the next process that this content at this path is ours, should this
/// one be killed right after putting it there.
bool Executor::is_announced(const ExportTo& to, const Digest& content) const {
  if (!to.previous || to.previous->digest != content) return false;
  for (const PathWriter& one : tools_.facts.writers(to.path)) {
    if (one.exported.order > to.previous->order) return false;
  }
  const core::Export* sure = tools_.facts.confirmed(to.path);
  return sure == nullptr || sure->order < to.previous->order || sure->digest == content;
}

void Executor::begin_appending(std::uint32_t node) {
  if (tools_.folder == nullptr) return;
  runs_[node].appending.clear();
  for (const detail::Artifact& one : tools_.graph.nodes[node].appended) {
    runs_[node].appending.push_back(
        std::make_unique<Appending>(Appending::Tools{tools_.graph, tools_.facts, tools_.recorder,
                                                     tools_.events, *tools_.folder, warnings_},
                                    node, one));
  }
  each_appending(node, &Appending::begin);
  each_appending(node, &Appending::advance);
}

void Executor::each_appending(std::uint32_t node,
                              void (Appending::*what)(const plan::NodeState&, Appending::ValueOf)) {
  const auto value = [&](std::size_t item) {
    const auto& items = runs_[node].items;
    if (item < items.size() && items[item]) return items[item];
    return load_record(tools_.graph, tools_.facts, node, states_[node].list->keys[item]);
  };
  for (const auto& one : runs_[node].appending) ((*one).*what)(states_[node], value);
}

/// At the end of a call, whatever ended it.
void Executor::confirm_appended() {
  for (NodeRun& run : runs_) {
    for (const auto& one : run.appending) {
      try {
        one->confirm_if_needed();
      } catch (const Error& error) {
        warnings_.emplace_back(error.what());
      }
    }
  }
}

/// The same value under a new generation that names where its artifacts will be.
void Executor::rerecord(const Task& task, const core::Header& old,
                        std::vector<core::Export> exports) {
  Draft draft;
  draft.key = task.key;
  draft.generation = task.generation;
  draft.head = task.previous->head;
  draft.header = old;
  draft.header.exports = std::move(exports);
  draft.header.confirmed = tools_.recorder.take_confirmed();
  // No record will claim the old places: what is there stays known as ours.
  for (const core::Export& one : task.left_in_place) {
    draft.header.confirmed.push_back({one.path, one.digest, {}, tools_.recorder.order()});
  }
  draft.payload = tools_.facts.payload(task.key.path, task.previous->generation);
  draft.erase = task.erase;
  const auto noted = draft.header.exports;
  const Committed record = tools_.recorder.commit(std::move(draft));
  tools_.facts.note(record.path, record.generation, record.head);
  tools_.facts.note_exports(task.node, task.item_key, noted);
  left_.insert(left_.end(), task.left.begin(), task.left.end());
}

/// The paths that belong to this run's items and stages, or may still do.
std::set<std::string> Executor::claimed_paths() const {
  std::set<std::string> claimed;
  for (const std::string& path : tools_.facts.foreign_exports()) claimed.insert(path);
  std::vector<std::set<std::string_view>> keys(states_.size());
  for (std::uint32_t node = 0; node < states_.size(); ++node) {
    const plan::NodeState& state = states_[node];
    const bool fan_out = tools_.graph.nodes[node].kind == detail::NodeKind::fan_out;
    for (const core::Pattern& pattern : tools_.graph.patterns[node]) {
      if (!fan_out) claimed.insert(pattern.path("", 0));
      for (std::size_t i = 0; state.list && i < state.list->keys.size(); ++i) {
        const std::string path = pattern.path(state.list->keys[i], i + 1);
        if (!tools_.facts.is_without_file(path)) claimed.insert(path);
        keys[node].insert(state.list->keys[i]);
      }
    }
  }
  for (const auto& [path, writers] : tools_.facts.all_writers()) {
    for (const PathWriter& one : writers) {
      const plan::NodeState& state = states_[one.node];
      const bool gone = state.list && !keys[one.node].contains(one.item);
      const bool moved = runs_[one.node].phase == Phase::settled && state.taken;
      if (!gone && !moved) claimed.insert(path);
    }
  }
  return claimed;
}

/// At the end: files of items that are gone or moved leave, if they are still as exported and
/// nothing of this run has their path. What a person changed stays, and is told.
void Executor::retire_left() {
  if (tools_.folder == nullptr) return;
  std::map<std::string, std::set<Digest>> ours;
  for (const core::Export& one : left_) ours[one.path].insert(one.digest);
  for (const auto& [path, one] : tools_.facts.all_confirmed()) ours[path].insert(one.digest);
  for (const auto& [path, writers] : tools_.facts.all_writers()) {
    for (const PathWriter& one : writers) ours[path].insert(one.exported.digest);
  }
  const std::set<std::string> claimed = claimed_paths();
  for (const auto& [path, contents] : ours) {
    if (claimed.contains(path)) continue;
    const artifact::Found found = tools_.folder->look(path);
    if (found.state == artifact::Found::State::missing ||
        (contents.contains(found.digest) && tools_.folder->retire(path, found.digest))) {
      tools_.facts.forget_published(path);
    } else {
      warnings_.push_back(
          fmt::format("'{}' was changed by hand, and the item it was made from is "
                      "not in the list any more: it stays",
                      tools_.folder->full(path)));
    }
  }
}

}  // namespace resumable::inline v0::run
