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

Task TaskMaker::begin(std::uint32_t node, std::optional<std::size_t> item) const {
  const Node& declared = tools_.graph.nodes[node];
  const plan::NodeState& state = tools_.states[node];
  Task task;
  task.node = node;
  task.item = item;
  if (item) task.item_key = state.list->keys[*item];
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
  if (item && !state.closed) {
    task.closes = plan::Decider::fingerprint(tools_.decider.inputs(node, state, {}, tools_.states));
    task.closed_generation =
        tools_.facts.next_generation(core::about_path("closed", declared.name, ""));
  }
  return task;
}

Task TaskMaker::make(std::uint32_t node, std::optional<std::size_t> item) {
  std::vector<detail::AnyValue> args;  // first: an argument that is missing says why
  for (const Arg& arg : tools_.graph.nodes[node].args) {
    if (arg.kind != ArgKind::after) args.push_back(tools_.values.argument(node, arg, item));
  }
  Task task = begin(node, item);
  task.args = std::move(args);
  add_recorded(task, tools_.graph, tools_.facts);
  task.exports = tools_.exporter.targets_of(node, item, task.previous);
  if (tools_.adoption != nullptr) {
    task.offer = tools_.adoption->offer(node, tools_.states[node], item);
  }
  return task;
}

Task TaskMaker::make_shared(std::uint32_t node, std::size_t item, bool resumed,
                            Durability durability) {
  SharedTask shared{.resumed = resumed, .uid = tools_.facts.uid(), .durability = durability};
  for (const Arg& arg : tools_.graph.nodes[node].args) {
    if (arg.kind != ArgKind::after) shared.args.push_back(reference(node, arg, item));
  }
  Task task = begin(node, item);
  shared.task = task;
  shared.task.generation = tools_.facts.next_generation(task.key.path);
  task.shared = encode(shared);
  task.identity = identity_of(shared);
  return task;
}

ArgRef TaskMaker::reference(std::uint32_t node, const Arg& arg, std::size_t item) {
  const Node& source = tools_.graph.nodes[arg.node];
  ArgRef ref;
  if (source.kind == NodeKind::secret) {
    ref.from = ArgRef::From::program;
    return ref;
  }
  if (arg.list) {
    std::size_t place = item;
    const plan::ItemList* list = tools_.states[node].list.get();
    if (list->whole) {
      place = list->places_in_whole[place];
      list = list->whole.get();
    }
    ref.place = place;
    if (const plan::Grown* grown = list->grown_at(place)) {
      ref.from = ArgRef::From::bytes;
      ref.schema = grown->schema;
      ref.bytes = read_all(*grown->payload);
      if (grown->schemas) ref.schemas = *grown->schemas;
      return ref;
    }
    if (source.kind == NodeKind::files) {
      ref.from = ArgRef::From::file;
      const auto value = tools_.values.argument(node, arg, item);
      ref.file = *static_cast<const SourceFile*>(value.get());
      return ref;
    }
    ref.from = ArgRef::From::element;
  }
  const std::string item_key{tools_.states[node].list->keys[item]};
  const core::Key key = is_input(source) ? core::own_key("input", source.name)
                        : source.kind == NodeKind::condition
                            ? core::own_key("condition", source.name)
                        : source.kind == NodeKind::fan_out ? core::item_key(source.name, item_key)
                                                           : core::stage_key(source.name);
  const plan::Row* row = tools_.facts.current(key.path);
  if (row == nullptr) {  // there is no such item, or its record is gone: say so as a call would
    static_cast<void>(tools_.values.argument(node, arg, item));
    throw record::DamagedRecord{key.path, tools_.facts.next_generation(key.path) - 1};
  }
  ref.path = key.path;
  ref.generation = row->generation;
  ref.schema = row->head.schema;
  return ref;
}

namespace {

/// Only a redo that names the stage gets here with a value that the program cannot read.
bool is_readable(const detail::ValueType& type, const core::Head& head) {
  const std::uint32_t shape = value::shape_hash(type.shape_now());
  return type.oldest <= head.schema && head.schema <= type.version &&
         detail::unpacked(head.codec) == type.codec &&
         (head.schema != type.version || head.shape == shape || head.shape == 0 || shape == 0);
}

/// The value before, generations that may go, failed attempts.
void add_history(Task& task, const Node& declared, const record::RunFacts& facts) {
  record::Succession next = facts.succession(task.key.path, declared.type->version);
  task.generation = next.generation;
  task.previous = next.previous;
  task.erase = std::move(next.erase);
  const bool merges = task.previous && task.previous->head.has(core::edited) && next.made &&
                      is_readable(*declared.type, task.previous->head) &&
                      is_readable(*declared.type, next.made->head);
  if (merges) task.made = next.made;
  const std::string attempts = core::about_path("attempt", declared.name, task.item_key);
  task.attempt_generation = facts.next_generation(attempts);
  const plan::Row* last = facts.current(attempts);
  if (last == nullptr) return;
  task.attempts_on_record = {{attempts, last->generation}};
  if (last->head.fingerprint != task.fingerprint || last->head.revision != declared.revision)
    return;
  const auto failure = facts.payload(attempts, last->generation);
  task.tried = record::decode_failure(read_all(*failure)).tried;
}

void add_inside(Task& task, const std::string& stage, const record::RunFacts& facts) {
  for (const std::string& path : facts.inside_places(stage, task.item_key)) {
    stage::InsideRecord record;
    record.next = facts.next_generation(path);
    for (const plan::Row& row : facts.rows(path)) {
      record.lost = !row.is_whole();
      record.scarred = record.scarred || record.lost;
      if (record.lost) continue;
      if (record.row) record.older.push_back(record.row->generation);
      record.row = row;
    }
    record.requested = record.row && record.row->head.fence < task.epoch;
    record.settled = record.row && record.row->head.kind == core::Kind::intent &&
                     !plan::is_begun(facts.rows(path), facts.rows(core::outcome_path(path)));
    task.inside.emplace(path, std::move(record));
  }
}

}  // namespace

void add_recorded(Task& task, const detail::Graph& graph, const record::RunFacts& facts) {
  const Node& declared = graph.nodes[task.node];
  add_history(task, declared, facts);
  if (declared.grows) {
    const std::string path = core::about_path("queue", declared.name, task.item_key);
    task.enqueued_generation = facts.next_generation(path);
    if (const plan::Row* row = facts.current(path)) task.enqueued = *row;
  }
  add_inside(task, declared.name, facts);
}

}  // namespace resumable::run
