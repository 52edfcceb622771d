// Handles the results of tasks: values, failures, questions to a person.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/fault.hpp"
#include "core/json.hpp"
#include "core/key.hpp"
#include "record/small_records.hpp"
#include "resumable/error.hpp"
#include "run/executor.hpp"

namespace resumable::run {

using detail::Node;
using detail::NodeKind;

void Executor::take_records(const Completion& completion) {
  for (const record::Committed& record : completion.records) {
    tools_.facts.note(record.path, record.generation, record.head);
  }
  const bool done =
      completion.how == Completion::How::committed || completion.how == Completion::How::disputed;
  exporter_.note_committed({completion.task.node, completion.task.item_key}, completion.exports,
                           done ? completion.task.exports.left : std::vector<core::Export>{});
  exporter_.note_published(completion.exported);
}

void Executor::complete(Completion completion) {
  const std::uint32_t node = completion.task.node;
  NodeRun& run = runs_[node];
  --run.running;
  if (completion.how == Completion::How::withdrawn) return withdrawn(completion);
  const bool was_closed = run.closed;
  take_records(completion);
  run.closed = run.closed || std::ranges::any_of(completion.records, [](const auto& record) {
                 return record.head.kind == core::Kind::closed;
               });
  if (run.closed) run.queue.clear();
  if (run.closed && !was_closed) pool_->hold(false);
  reports_.add(node, completion.task.item_key,
               {completion.attempts, Seconds{completion.seconds}, completion.cost,
                completion.continued_from_earlier_calls});
  switch (completion.how) {
    case Completion::How::committed: committed(completion); break;
    case Completion::How::damaged: damage_.found(*std::move(completion.damage)); break;
    case Completion::How::interrupted:
      interrupted(node, completion.task.item_key, completion.message);
      break;
    case Completion::How::waiting:
      run.broken = true;
      guard(node, [&] { record_waiting(completion); });
      break;
    case Completion::How::disputed:
      run.broken = true;
      ask(node, completion.task.item_key, completion.message, completion.advice);
      break;
    case Completion::How::store_failed:
      // Another process has taken over: what still runs here is in vain.
      if (stage::code_of(completion.error) == to_string(Errc::fenced)) stop_.request_stop();
      [[fallthrough]];
    case Completion::How::lost:
      if (completion.how == Completion::How::lost) guard(node, [&] { record_loss(completion); });
      [[fallthrough]];
    case Completion::How::failed:
      failed(node, completion.error, completion.message, completion.task.item_key,
             completion.how == Completion::How::store_failed ? Errc::store_failed : Errc::no_value);
      break;
    case Completion::How::withdrawn: break;
    case Completion::How::conflict:
      failed(node, completion.error, completion.message, completion.task.item_key, Errc::edited);
      worst_ = Outcome::refused;
      break;
  }
  if (run.phase == Phase::active) finish_item(node);
}

void Executor::committed(Completion& completion) {
  const std::uint32_t node = completion.task.node;
  plan::NodeState& state = states_[node];
  const core::Head& head = completion.records.back().head;
  const bool adopted = completion.task.offer && completion.task.offer->value;
  ++(adopted ? runs_[node].adopted : runs_[node].called);
  if (!completion.task.item) {
    state.identity = head.identity;
    state.dropped = false;
    if (tools_.graph.nodes[node].kind == NodeKind::condition) {
      state.outcome = *static_cast<const bool*>(completion.value.get());
    }
    values_.keep(node, std::move(completion.value));
    return;
  }
  if (adopted) {
    reports_.adopted(node, completion.task.item_key);
  } else {
    reports_.ran(node, completion.task.item_key);
  }
  const std::size_t index = *completion.task.item;
  const auto mark = [&](std::size_t i) {
    state.items[i].identity = head.identity;
    state.items[i].known = true;
    state.items[i].action = Action::skip;
    state.items[i].reason = Reason::done;
  };
  mark(index);
  for (const auto& [repeat, first] : state.list->repeats) {
    if (first == index) mark(repeat);
  }
  values_.keep_item(node, index, std::move(completion.value));
  guard(node, [&] {
    if (tools_.graph.nodes[node].grows && !runs_[node].closed) take_enqueued(node, index);
    exporter_.advance_appending(node);
  });
}

/// After each task of a node: checks whether the node is done.
void Executor::finish_item(std::uint32_t node) {
  NodeRun& run = runs_[node];
  if (run.running > 0 || damage_.is_open()) return;
  if (run.closed) run.broken = false;  // there is enough without that item
  if (run.broken) {
    if (!run.queue.empty() && may_start()) return;
    run.phase = Phase::stuck;
    active_.erase(node);
    return;
  }
  if (!run.queue.empty()) return;
  if (run.closed) {
    guard(node, [&] { record_closed(node); });
  } else if (tools_.graph.nodes[node].grows) {
    put_in_order(node);
  }
  guard(node, [&] {
    exporter_.finish_appending(node);
    if (tools_.options.durability == Durability::queued) tools_.recorder.flush();
  });
  if (run.broken) return finish_item(node);
  const bool adopted = run.adopted > 0 && run.called == 0;
  reports_.of(node).outcome = adopted ? StageOutcome::skipped : StageOutcome::ran;
  states_[node].decision.action = Action::skip;
  if (tools_.graph.nodes[node].kind == NodeKind::fan_out) {
    states_[node].identity = plan::identity_of(states_[node]);
  }
  stage_events_.finished(node, reports_.of(node));
  settle(node);
}

/// Also by a stop that came while the store was read for it.
void Executor::interrupted(std::uint32_t node, std::string_view item, const std::string& message) {
  NodeRun& run = runs_[node];
  run.broken = true;
  reports_.stopped(node, item, StageOutcome::interrupted, message);
  stage_events_.interrupted(node, item, message);
  if (run.phase == Phase::pending) run.phase = Phase::stuck;
}

void Executor::failed(std::uint32_t node, const std::exception_ptr& error,
                      const std::string& message, std::string_view item, Errc code) {
  NodeRun& run = runs_[node];
  run.broken = true;
  reports_.stopped(node, item, StageOutcome::failed, message, error);
  if (!failure_.error) failure_ = {error, tools_.graph.nodes[node].shown(), std::string{item}};
  const core::Fault fault = core::fault_of(code);
  const bool refused = fault == core::Fault::files || code == Errc::not_decodable;
  worst_ = refused ? Outcome::refused : worst_ == Outcome::refused ? worst_ : Outcome::failed;
  if (!tools_.options.keep_going || refused || fault == core::Fault::store) halted_ = true;
  stage_events_.failed(node, item, message, error);
  if (run.phase == Phase::pending) run.phase = Phase::stuck;
  if (run.running == 0 && run.phase == Phase::active && (halted_ || run.queue.empty())) {
    run.phase = Phase::stuck;
    active_.erase(node);
  }
}

/// No worker has begun it: it is as if it had not been started.
void Executor::withdrawn(const Completion& completion) {
  const std::uint32_t node = completion.task.node;
  NodeRun& run = runs_[node];
  if (!run.closed) run.queue.push_front(completion.task.item.value());
  if (run.phase == Phase::active) finish_item(node);
}

/// An item that takes its workers with it fails, as far as this call goes. The next call begins
/// with a new allowance. Losses do not count as failed attempts: a worker may have been preempted.
void Executor::record_loss(const Completion& completion) {
  const Task& task = completion.task;
  const Node& node = tools_.graph.nodes[task.node];
  // What its workers have left.
  tools_.facts.look_at(record::RunFacts::places_of(node.name, task.item_key));
  const core::Key key = core::about_key("attempt", node.name, task.item_key);
  record::Tried tried;
  if (const plan::Row* last = tools_.facts.current(key.path)) {
    tried = record::decode_failure(tools_.facts.text_of(key.path, *last)).tried;
  }
  auto draft = record::Draft::small(
      core::Kind::attempt, key, CodecId::json,
      record::encode_failure(
          {.tried = tried, .final = true, .message = completion.message, .code = {}}));
  draft.head.revision = node.revision;
  draft.head.fingerprint = task.fingerprint;
  draft.header.attempts = tried.total;
  draft.header.cost = tried.cost;
  tools_.facts.commit(tools_.recorder, std::move(draft));
}

/// The question is recorded with its inputs: the answer is valid only for these.
void Executor::record_waiting(const Completion& completion) {
  const Task& task = completion.task;
  const Node& node = tools_.graph.nodes[task.node];
  const core::OrderedJson json{{"state", "asked"}, {"message", completion.message}};
  auto draft = record::Draft::small(
      core::Kind::approval, core::about_key("approval", node.name, task.item_key), CodecId::json,
      json.dump(-1, ' ', false, core::OrderedJson::error_handler_t::replace));
  draft.head.fingerprint = task.fingerprint;
  tools_.facts.commit(tools_.recorder, std::move(draft));
  ask(task.node, task.item_key, completion.message, {});
}

/// A person has to act before this stage, or item, can continue.
void Executor::ask(std::uint32_t node, std::string_view item, const std::vector<Cause>& causes) {
  ask(node, item, plan::waiting_text(causes), causes.front().advice);
}

void Executor::ask(std::uint32_t node, std::string_view item, const std::string& message,
                   const std::vector<Advice>& advice) {
  if (StageReport& report = reports_.of(node); report.message.empty()) report.advice = advice;
  reports_.stopped(node, item, StageOutcome::waiting, message);
  if (worst_ == Outcome::done) worst_ = Outcome::waiting;
  stage_events_.waiting(node, item, message);
}

}  // namespace resumable::run
