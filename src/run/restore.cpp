// Exporting again what a kept checkpoint should have left on disk.
#include <fmt/format.h>

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

/// Exports what is missing, and what an earlier stage of the chain has written over; moves files
/// whose place in the list has changed. A new generation says so when paths changed.
void Executor::restore_one(std::uint32_t node, std::optional<std::size_t> item) {
  const detail::Node& declared = tools_.graph.nodes[node];
  Task task;
  task.node = node;
  task.item = item;
  task.item_key = item ? states_[node].list->keys[*item] : std::string{};
  task.key = item ? core::item_key(declared.name, task.item_key) : core::stage_key(declared.name);
  add_history(task);
  const auto header = task.previous ? tools_.facts.header(task.key.path, task.previous->generation)
                                    : std::nullopt;
  if (!header) return;
  add_exports(task);
  const auto later_owner = [&](const std::string& path) {
    const auto owner = path_owner_.find(path);
    if (owner != path_owner_.end()) return owner->second > node;
    for (std::uint32_t i = node + 1; i < states_.size(); ++i) {
      for (const core::Pattern& pattern : tools_.graph.patterns[i]) {
        if (states_[i].decision.action == Action::skip && states_[i].taken &&
            pattern.path(task.item_key, item ? *item + 1 : 0) == path) {
          return true;
        }
      }
    }
    return false;
  };
  detail::AnyValue value;
  bool moved = false;
  for (std::size_t i = 0; i < task.exports.size(); ++i) {
    const ExportTo& to = task.exports[i];
    moved = moved || !to.previous;
    const bool in_place = to.previous && to.on_disk && *to.on_disk == to.previous->digest;
    if (in_place || later_owner(to.path)) continue;
    if (!value) value = load_record(tools_.graph, tools_.facts, node, task.item_key);
    const std::string text = render_artifact(declared.artifacts[i], *declared.type, value.get());
    const auto published = tools_.folder->publish(to.path, text, to.on_disk);
    if (published.how != artifact::Published::How::done) {
      const bool conflict = published.how == artifact::Published::How::conflict;
      throw Error(conflict ? Errc::edited : Errc::store_failed,
                  {.what = fmt::format("artifact '{}' of stage '{}' could not be exported again", to.path,
                                       declared.name),
                   .stage = declared.name,
                   .item = task.item_key,
                   .operation = published.operation,
                   .file = tools_.folder->full(to.path),
                   .kept = "the stage's value is saved; the file is untouched",
                   .next = "move the file away and resume",
                   .cause = published.cause});
    }
    core::Export done{to.path, digest(text), {}, tools_.recorder.order()};
    tools_.recorder.confirm(done);
    tools_.facts.note_confirmed(done);
    on_disk_[to.path] = done.digest;
    path_owner_[to.path] = node;
    Event event;
    event.kind = EventKind::restored;
    event.stage = declared.name;
    event.item = task.item_key;
    event.file = tools_.folder->full(to.path);
    tools_.events.emit(std::move(event));
  }
  if (moved) rerecord(task, *header);
}

/// The same value under a new generation that names where its artifacts are now. The files at the
/// old places go to .resumable/removed/ if they are still as exported.
void Executor::rerecord(const Task& task, const core::Header& old) {
  Draft draft;
  draft.key = task.key;
  draft.generation = task.generation;
  draft.head = task.previous->head;
  draft.header = old;
  draft.header.confirmed = tools_.recorder.take_confirmed();
  draft.header.exports.clear();
  draft.payload = tools_.facts.payload(task.key.path, task.previous->generation);
  for (const ExportTo& to : task.exports) {
    const auto present = on_disk_.find(to.path);
    const auto content = present != on_disk_.end() ? std::optional{present->second} : to.on_disk;
    if (content) {
      draft.header.exports.push_back({to.path, *content, to.on_disk, tools_.recorder.order()});
    }
  }
  draft.erase = task.erase;
  const Committed record = tools_.recorder.commit(std::move(draft));
  tools_.facts.note(record.path, record.generation, record.head);
  left_.insert(left_.end(), old.exports.begin(), old.exports.end());
}

/// At the end: files of items that are gone or moved leave, if they are still as exported and
/// nothing of this run has their path.
void Executor::retire_left() {
  if (tools_.folder == nullptr) return;
  for (std::uint32_t node = 0; node < states_.size(); ++node) {
    if (tools_.graph.patterns[node].empty() || !states_[node].list) continue;
    std::set<std::string> present;
    for (const std::string& key : states_[node].list->keys) {
      present.insert(core::item_key(tools_.graph.nodes[node].name, key).path);
    }
    for (const std::string& path : tools_.facts.item_paths(tools_.graph.nodes[node].name)) {
      if (present.contains(path)) continue;
      const auto header = tools_.facts.header(path, tools_.facts.current(path)->generation);
      if (header) left_.insert(left_.end(), header->exports.begin(), header->exports.end());
    }
  }
  for (const core::Export& one : left_) {
    if (!on_disk_.contains(one.path)) tools_.folder->retire(one.path, one.digest);
  }
}

}  // namespace resumable::inline v0::run
