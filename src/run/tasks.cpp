// Making tasks: everything that a worker needs to know, settled in the executor's thread.
#include <fmt/format.h>

#include <algorithm>

#include "core/key.hpp"
#include "core/text.hpp"
#include "resumable/error.hpp"
#include "run/executor.hpp"
#include "run/values.hpp"

namespace resumable::inline v0::run {

using detail::Arg;
using detail::ArgKind;
using detail::Node;
using detail::NodeKind;

/// Starts the next task, in the order of declaration; false when there is none or no room.
bool Executor::start_one() {
  if (running_ >= limit_) return false;
  for (const std::uint32_t node : active_) {
    NodeRun& run = runs_[node];
    const unsigned limit = tools_.graph.nodes[node].concurrency;
    if (run.queue.empty() || (limit != 0 && run.running >= limit)) continue;
    const std::size_t item = run.queue.front();
    if (!fits(node, item)) continue;
    run.queue.pop_front();
    guard(node, [&] { start(node, item); });
    return true;
  }
  return false;
}

void Executor::start(std::uint32_t node, std::size_t item) {
  const bool fan_out = tools_.graph.nodes[node].kind == NodeKind::fan_out;
  Task task = make_task(node, fan_out ? std::optional{item} : std::nullopt);
  ++runs_[node].running;
  runs_[node].started = true;
  any_started_ = true;
  if (!pool_) {
    complete(worker_->run(std::move(task)));
    return;
  }
  ++running_;
  pool_->post([this, shared = std::make_shared<Task>(std::move(task))] {
    Completion completion = worker_->run(std::move(*shared));
    const std::scoped_lock lock{guard_};
    completions_.push_back(std::move(completion));
    done_.notify_one();
  });
}

Task Executor::make_task(std::uint32_t node, std::optional<std::size_t> item) {
  const Node& declared = tools_.graph.nodes[node];
  const plan::NodeState& state = states_[node];
  Task task;
  task.node = node;
  task.item = item;
  if (item) task.item_key = state.list->keys[*item];
  for (const Arg& arg : declared.args) {
    if (arg.kind != ArgKind::after) task.args.push_back(argument(node, arg, item));
  }
  const auto known = tools_.decider.inputs(node, state, item, states_);
  task.fingerprint = plan::Decider::fingerprint(known).value();
  for (const auto& input : known) {
    if (!input.exempt) task.inputs.push_back({input.name, *input.identity});
  }
  task.key = item                                   ? core::item_key(declared.name, task.item_key)
             : declared.kind == NodeKind::condition ? core::own_key("condition", declared.name)
                                                    : core::stage_key(declared.name);
  const auto causes = item ? state.causes.find(*item) : state.causes.end();
  task.reasons =
      plan::reasons_of(causes != state.causes.end() ? causes->second : state.decision.causes);
  task.approved = tools_.facts.approval(declared.name, task.item_key, task.fingerprint).first ==
                  plan::Approval::approved;
  const core::Key approval = core::about_key("approval", declared.name, task.item_key);
  const plan::Row* given = task.approved ? tools_.facts.current(approval.path) : nullptr;
  if (given != nullptr) task.approved_at = given->head.fence;
  task.epoch = tools_.decider.epoch(node, task.item_key);
  add_history(task);
  if (declared.grows) {
    const std::string path = core::about_key("queue", declared.name, task.item_key).path;
    task.enqueued_generation = tools_.facts.next_generation(path);
    if (const plan::Row* row = tools_.facts.current(path)) task.enqueued = *row;
  }
  add_inside(task);
  if (tools_.folder != nullptr) add_exports(task);
  return task;
}

/// What is on record of it: the value before, generations that may go, failed attempts.
void Executor::add_history(Task& task) {
  const Node& declared = tools_.graph.nodes[task.node];
  task.generation = tools_.facts.next_generation(task.key.path);
  if (const plan::Row* row = tools_.facts.current(task.key.path)) task.previous = *row;
  for (const plan::Row& row : tools_.facts.rows(task.key.path)) {
    const bool whole = !row.quarantined && row.damage == Damage::none;
    const bool pinned = row.head.schema > declared.type->version;
    if (whole && !pinned && row.generation != task.previous->generation) {
      task.erase.emplace_back(task.key.path, row.generation);
    }
  }
  const core::Key attempts = core::about_key("attempt", declared.name, task.item_key);
  task.attempt_generation = tools_.facts.next_generation(attempts.path);
  const plan::Row* last = tools_.facts.current(attempts.path);
  if (last == nullptr) return;
  task.attempts_on_record = {{attempts.path, last->generation}};
  if (last->head.fingerprint != task.fingerprint || last->head.revision != declared.revision)
    return;
  const auto failure = tools_.facts.payload(attempts.path, last->generation);
  task.tried = decode_failure(read_all(*failure)).tried;
}

void Executor::add_inside(Task& task) {
  const std::string& stage = tools_.graph.nodes[task.node].name;
  for (const std::string& path : tools_.facts.inside_places(stage, task.item_key)) {
    InsideRecord record;
    record.next = tools_.facts.next_generation(path);
    for (const plan::Row& row : tools_.facts.rows(path)) {
      if (row.quarantined || row.damage != Damage::none) continue;
      if (record.row) record.older.push_back(record.row->generation);
      record.row = row;
    }
    if (record.row) {
      record.requested = tools_.decider.requested(task.node, task.item_key, record.row->head.fence);
    }
    task.inside.emplace(path, std::move(record));
  }
}

void Executor::add_exports(Task& task) {
  const std::size_t position = task.item ? *task.item + 1 : 0;
  std::vector<core::Export> previous;
  if (task.previous && !tools_.graph.patterns[task.node].empty()) {
    const auto header = tools_.facts.header(task.key.path, task.previous->generation);
    if (header) previous = header->exports;
  }
  for (const core::Pattern& pattern : tools_.graph.patterns[task.node]) {
    ExportTo to;
    to.path = pattern.path(task.item_key, position);
    // Planning found these bytes to be ours; a file that came since is a conflict.
    const plan::Look look = tools_.facts.look(to.path);
    if (look.state == plan::Look::State::file) to.on_disk = look.digest;
    for (const core::Export& one : previous) {
      if (one.path == to.path) to.previous = one;
    }
    to.taken_over = to.previous && to.on_disk && *to.on_disk != to.previous->digest &&
                    is_of_later(task.node, to.path, *to.on_disk);
    task.exports.push_back(std::move(to));
  }
  for (core::Export& one : previous) {
    if (one.is_nothing()) continue;
    const bool stays = std::any_of(task.exports.begin(), task.exports.end(),
                                   [&](const ExportTo& to) { return to.path == one.path; });
    if (stays) continue;
    const plan::Look look = tools_.facts.look(one.path);
    one.before.reset();
    if (look.state == plan::Look::State::file && look.digest == one.digest) {
      task.left_in_place.push_back(one);
    }
    task.left.push_back(std::move(one));
  }
}

detail::AnyValue Executor::argument(std::uint32_t node, const Arg& arg,
                                    std::optional<std::size_t> item) {
  if (arg.kind == ArgKind::value) return value_of(arg.node);
  const auto& list = states_[node].list;
  if (const plan::Grown* grown = arg.list ? list->grown_at(item.value()) : nullptr) {
    const detail::ValueType& type = *arg.list->element;
    if (grown->schema <= type.version) return type.decode(grown->payload, grown->schema);
    throw Error(Errc::newer, {.what = fmt::format("item '{}' was enqueued with schema {}; this "
                                                  "program knows {} to {}",
                                                  core::printable(list->keys[*item]), grown->schema,
                                                  type.oldest, type.version),
                              .stage = tools_.graph.nodes[node].name,
                              .item = list->keys[*item],
                              .kept = "everything that was saved",
                              .next = "use a newer program"});
  }
  if (arg.list) return arg.list->at(value_of(arg.node), item.value());
  return item_of(arg.node, states_[node].list->keys[item.value()], *item);
}

const detail::AnyValue& Executor::value_of(std::uint32_t node) {
  NodeRun& run = runs_[node];
  const Node& declared = tools_.graph.nodes[node];
  if (run.value) return run.value;
  if (is_input(declared)) {
    run.value = tools_.facts.host_input(node).value;
  } else if (declared.kind != NodeKind::fan_out) {
    run.value = load_record(tools_.graph, tools_.facts, node, "");
  } else {
    std::vector<detail::AnyValue> items;
    for (std::size_t i = 0; i < states_[node].items.size(); ++i) {
      items.push_back(item_of(node, states_[node].list->keys[i], i));
    }
    run.value = declared.gather(items);
  }
  return run.value;
}

detail::AnyValue Executor::item_of(std::uint32_t node, std::string_view key, std::size_t hint) {
  const std::size_t index = states_[node].list->find(key, hint);
  if (index == states_[node].list->keys.size()) {
    throw Error(Errc::no_value, {.what = fmt::format("stage '{}' has no item '{}' to match",
                                                     tools_.graph.nodes[node].name, key),
                                 .stage = tools_.graph.nodes[node].name,
                                 .item = std::string{key}});
  }
  auto& items = runs_[node].items;
  items.resize(states_[node].list->keys.size());
  if (!items[index]) items[index] = load_record(tools_.graph, tools_.facts, node, key);
  return items[index];
}

}  // namespace resumable::inline v0::run
