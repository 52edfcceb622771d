#include "run/claim_runner.hpp"

#include "core/key.hpp"
#include "record/values.hpp"
#include "resumable/error.hpp"
#include "run/task_maker.hpp"

namespace resumable::run {

using detail::Arg;
using detail::ArgKind;
using detail::Node;

namespace {

/// That an item has closed the fan-out with its present inputs; nullptr if none has.
const plan::Row* closed_row(const Task& task, const Node& node, const record::RunFacts& facts) {
  const plan::Row* row = facts.current(core::about_path("closed", node.name, ""));
  return row != nullptr && task.closes && row->head.fingerprint == *task.closes ? row : nullptr;
}

}  // namespace

ClaimRunner::ClaimRunner(Tools tools)
    : tools_(std::move(tools)), cache_(tools_.store, tools_.clock, [] { return Wait{}; }) {}

ClaimRunner::Result ClaimRunner::run(const WorkClaim& claim, ClaimLease& lease,
                                     const std::stop_token& stop) const noexcept {
  Result result;
  Completion& completion = result.completion;
  try {
    try {
      run_or_throw(claim, lease, stop, result);
    } catch (const record::DamagedRecord& damaged) {
      completion.how = Completion::How::damaged;
      completion.damage = damaged;
    } catch (...) {
      completion.how = Completion::How::failed;
      completion.error = std::current_exception();
      completion.message = tools_.graph.message(stage::words_of(completion.error));
    }
  } catch (...) {  // not even memory for a message
    completion.how = Completion::How::failed;
    completion.error = std::current_exception();
  }
  result.is_lost = lease.is_lost();
  return result;
}

void ClaimRunner::run_or_throw(const WorkClaim& claim, ClaimLease& lease,
                               const std::stop_token& stop, Result& result) const {
  SharedTask shared = decode_task(tools_.graph, claim.task.task);
  result.uid = shared.uid;
  Completion& completion = result.completion;
  const Node& node = tools_.graph.nodes[shared.task.node];
  record::RunFacts facts{tools_.graph, tools_.store, claim.run, tools_.clock, tools_.files};
  facts.uid(shared.uid);
  const std::string closed = core::about_path("closed", node.name, "");
  auto places = record::RunFacts::places_of(node.name, shared.task.item_key);
  places.push_back(closed);
  facts.look_at(places);
  if (is_there(shared.task, facts, completion)) return;
  Task& task = completion.task = std::move(shared.task);
  task.closed_generation = facts.next_generation(closed);
  if (closed_row(task, node, facts) != nullptr) task.closes.reset();
  add_recorded(task, tools_.graph, facts);
  auto ref = shared.args.begin();
  for (const Arg& arg : node.args) {
    if (arg.kind != ArgKind::after) task.args.push_back(argument(claim.run, arg, *ref++, facts));
  }
  record::Recorder recorder{lease, tools_.clock, shared.uid, tools_.graph.pipeline,
                            shared.durability};
  recorder.keep(tagged(claim, shared.uid));
  const Worker worker{{.graph = tools_.graph,
                       .facts = facts,
                       .recorder = recorder,
                       .events = tools_.events(claim.run),
                       .publisher = nullptr,
                       .timer = tools_.timer,
                       .clock = tools_.clock,
                       .stop = stop,
                       .run = claim.run,
                       .resumed = shared.resumed,
                       .limits = tools_.limits,
                       .cache = cache_}};
  worker.run(completion);
  if (completion.how != Completion::How::store_failed || !completion.error) return;
  try {
    std::rethrow_exception(completion.error);
  } catch (const Error& error) {
    result.clashed = error.errc() == Errc::fenced && !lease.is_lost();
  } catch (...) {  // NOLINT(bugprone-empty-catch): no clash
  }
}

/// A worker that ended after the commit of the value, and before it could say so, has left it.
bool ClaimRunner::is_there(const Task& task, const record::RunFacts& facts,
                           Completion& completion) const {
  const Node& node = tools_.graph.nodes[task.node];
  const plan::Row* row = facts.current(task.key.path);
  const bool is = row != nullptr && row->generation >= task.generation &&
                  row->head.fingerprint == task.fingerprint &&
                  row->head.revision == node.revision && row->head.fence >= task.epoch;
  if (!is) return false;
  const auto add = [&](const std::string& path, const plan::Row* found) {
    if (found != nullptr) completion.records.push_back({path, found->generation, found->head});
  };
  const std::string queue = core::about_path("queue", node.name, task.item_key);
  add(queue, facts.current(queue));
  add(core::about_path("closed", node.name, ""), closed_row(task, node, facts));
  add(task.key.path, row);
  completion.how = Completion::How::committed;
  completion.saved = true;
  return true;
}

/// Tags do not change while somebody owns the run.
record::Tagged ClaimRunner::tagged(const WorkClaim& claim, const std::string& uid) const {
  {
    const std::scoped_lock lock{guard_};
    const auto known = runs_.find(claim.run);
    if (known != runs_.end() && known->second.fence == claim.fence) return known->second.tagged;
  }
  record::RunFacts facts{tools_.graph, tools_.store, claim.run, tools_.clock, tools_.files};
  facts.uid(uid);
  facts.look_at({"@tag/"});
  record::Tagged tagged = record::tagged(facts);
  const std::scoped_lock lock{guard_};
  runs_[claim.run] = {claim.fence, tagged};
  return tagged;
}

detail::AnyValue ClaimRunner::argument(const std::string& run, const Arg& arg, const ArgRef& ref,
                                       const record::RunFacts& facts) const {
  const Node& source = tools_.graph.nodes[arg.node];
  switch (ref.from) {
    case ArgRef::From::record: {
      if (arg.kind == ArgKind::value) return shared_value(run, *source.type, ref, facts);
      plan::Row row;
      row.generation = ref.generation;
      row.head.schema = ref.schema;
      return facts.value(ref.path, row, *source.type);
    }
    case ArgRef::From::element:
      return arg.list->at(shared_value(run, *source.type, ref, facts), ref.place);
    case ArgRef::From::bytes:
      return arg.list->element->decode(std::make_shared<StringPayload>(ref.bytes),
                                       {ref.schema, ref.schemas});
    case ArgRef::From::file: return std::make_shared<const SourceFile>(ref.file);
    case ArgRef::From::program: return source.given;
  }
  return nullptr;
}

/// Of a value that other items take as well.
detail::AnyValue ClaimRunner::shared_value(const std::string& run, const detail::ValueType& type,
                                           const ArgRef& ref, const record::RunFacts& facts) const {
  constexpr std::size_t most = 64;
  const ValueKey key{run, facts.uid(), ref.path, ref.generation};
  {
    const std::scoped_lock lock{guard_};
    const auto known = values_.find(key);
    if (known != values_.end()) return known->second;
  }
  plan::Row row;
  row.generation = ref.generation;
  row.head.schema = ref.schema;
  detail::AnyValue value = facts.value(ref.path, row, type);
  const std::scoped_lock lock{guard_};
  if (values_.size() >= most) values_.clear();
  return values_.emplace(key, std::move(value)).first->second;
}

}  // namespace resumable::run
