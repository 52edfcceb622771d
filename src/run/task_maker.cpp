#include "run/task_maker.hpp"

#include "core/key.hpp"
#include "record/small_records.hpp"
#include "resumable/detail/packed_json.hpp"
#include "value/nested_schemas.hpp"

namespace resumable::run {

using detail::Arg;
using detail::ArgKind;
using detail::Node;
using detail::NodeKind;

Task TaskMaker::make(std::uint32_t node, std::optional<std::size_t> item) {
  const Node& declared = tools_.graph.nodes[node];
  const plan::NodeState& state = tools_.states[node];
  Task task;
  task.node = node;
  task.item = item;
  if (item) task.item_key = state.list->keys[*item];
  for (const Arg& arg : declared.args) {
    if (arg.kind != ArgKind::after) task.args.push_back(tools_.values.argument(node, arg, item));
  }
  const auto known = tools_.decider.inputs(node, state, item, tools_.states);
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
  if (task.approved) {
    const std::string approval = core::about_path("approval", declared.name, task.item_key);
    const plan::Row* given = tools_.facts.current(approval);
    if (given != nullptr) task.approved_at = given->head.fence;
  }
  task.epoch = tools_.decider.epoch(node, task.item_key);
  add_history(task);
  if (declared.grows) {
    const std::string path = core::about_path("queue", declared.name, task.item_key);
    task.enqueued_generation = tools_.facts.next_generation(path);
    if (const plan::Row* row = tools_.facts.current(path)) task.enqueued = *row;
  }
  if (item && !state.closed) {
    task.closes = plan::Decider::fingerprint(tools_.decider.inputs(node, state, {}, tools_.states));
    task.closed_generation =
        tools_.facts.next_generation(core::about_path("closed", declared.name, ""));
  }
  add_inside(task);
  task.exports = tools_.exporter.targets_of(node, item, task.previous);
  if (tools_.adoption != nullptr) task.offer = tools_.adoption->offer(node, state, item);
  return task;
}

namespace {

/// Only a redo that names the stage gets here with a value that the program cannot read.
bool is_readable(const detail::ValueType& type, const core::Head& head) {
  const std::uint32_t shape = value::shape_hash(type.shape_now());
  return type.oldest <= head.schema && head.schema <= type.version &&
         detail::unpacked(head.codec) == type.codec &&
         (head.schema != type.version || head.shape == shape || head.shape == 0 || shape == 0);
}

}  // namespace

/// What is recorded of it: the value before, generations that may go, failed attempts.
void TaskMaker::add_history(Task& task) const {
  const Node& declared = tools_.graph.nodes[task.node];
  record::Succession next = tools_.facts.succession(task.key.path, declared.type->version);
  task.generation = next.generation;
  task.previous = next.previous;
  task.erase = std::move(next.erase);
  const bool merges = task.previous && task.previous->head.has(core::edited) && next.made &&
                      is_readable(*declared.type, task.previous->head) &&
                      is_readable(*declared.type, next.made->head);
  if (merges) task.made = next.made;
  const std::string attempts = core::about_path("attempt", declared.name, task.item_key);
  task.attempt_generation = tools_.facts.next_generation(attempts);
  const plan::Row* last = tools_.facts.current(attempts);
  if (last == nullptr) return;
  task.attempts_on_record = {{attempts, last->generation}};
  if (last->head.fingerprint != task.fingerprint || last->head.revision != declared.revision)
    return;
  const auto failure = tools_.facts.payload(attempts, last->generation);
  task.tried = record::decode_failure(read_all(*failure)).tried;
}

void TaskMaker::add_inside(Task& task) const {
  const std::string& stage = tools_.graph.nodes[task.node].name;
  for (const std::string& path : tools_.facts.inside_places(stage, task.item_key)) {
    stage::InsideRecord record;
    record.next = tools_.facts.next_generation(path);
    for (const plan::Row& row : tools_.facts.rows(path)) {
      record.lost = !row.is_whole();
      record.scarred = record.scarred || record.lost;
      if (record.lost) continue;
      if (record.row) record.older.push_back(record.row->generation);
      record.row = row;
    }
    if (record.row) {
      record.requested = tools_.decider.requested(task.node, task.item_key, record.row->head.fence);
    }
    record.settled =
        record.row && record.row->head.kind == core::Kind::intent &&
        !plan::is_begun(tools_.facts.rows(path), tools_.facts.rows(core::outcome_path(path)));
    task.inside.emplace(path, std::move(record));
  }
}

}  // namespace resumable::run
