// What became of tasks: values, failures, questions to a person.
#include <nlohmann/json.hpp>

#include "core/key.hpp"
#include "resumable/error.hpp"
#include "run/executor.hpp"

namespace resumable::inline v0::run {

using detail::Node;
using detail::NodeKind;

void Executor::take_records(const Completion& completion) {
  for (const Committed& record : completion.records) {
    tools_.facts.note(record.path, record.generation, record.head);
  }
  const bool fewer = completion.how == Completion::How::committed && !completion.task.left.empty();
  if (!completion.exports.empty() || fewer) {
    tools_.facts.note_exports(completion.task.node, completion.task.item_key, completion.exports);
  }
  for (const core::Export& one : completion.exported) tools_.facts.note_published(one);
}

void Executor::complete(Completion completion) {
  const std::uint32_t node = completion.task.node;
  NodeRun& run = runs_[node];
  --run.running;
  take_records(completion);
  StageReport& told = report(node);
  told.attempts += completion.attempts;
  told.seconds += completion.seconds;
  told.cost += completion.cost;
  switch (completion.how) {
    case Completion::How::committed: committed(completion); break;
    case Completion::How::damaged: damage_ = completion.damage; break;
    case Completion::How::interrupted: {
      run.broken = true;
      worsen(node, Happened::interrupted);
      Event event;
      event.kind = EventKind::interrupted;
      event.stage = told.stage;
      event.item = completion.task.item_key;
      event.message = completion.message;
      tools_.events.emit(std::move(event));
      break;
    }
    case Completion::How::waiting:
      run.broken = true;
      guard(node, [&] { record_waiting(completion); });
      break;
    case Completion::How::failed:
    case Completion::How::store_failed:
      failed(node, completion.error, completion.message, completion.task.item_key,
             completion.how == Completion::How::failed ? Errc::no_value : Errc::store_failed);
      break;
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
  NodeRun& run = runs_[node];
  const core::Head& head = completion.records.back().head;
  left_.insert(left_.end(), completion.task.left.begin(), completion.task.left.end());
  if (!completion.task.item) {
    state.identity = head.identity;
    if (tools_.graph.nodes[node].kind == NodeKind::condition) {
      state.outcome = *static_cast<const bool*>(completion.value.get());
    }
    if (run.consumers > 0) run.value = std::move(completion.value);
    return;
  }
  ++report(node).items_run;
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
  if (run.consumers > 0) {
    run.items.resize(state.items.size());
    run.items[index] = std::move(completion.value);
  }
  guard(node, [&] {
    if (tools_.graph.nodes[node].grows) take_enqueued(node, index);
    each_appending(node, &Appending::advance);
  });
}

/// After each task of a node: is the node through?
void Executor::finish_item(std::uint32_t node) {
  NodeRun& run = runs_[node];
  if (run.running > 0 || damage_) return;
  StageReport& told = report(node);
  if (run.broken) {
    if (!run.queue.empty() && may_start()) return;
    run.phase = Phase::stuck;
    active_.erase(node);
    return;
  }
  if (!run.queue.empty()) return;
  if (tools_.graph.nodes[node].grows) put_in_order(node);
  guard(node, [&] { each_appending(node, &Appending::finish); });
  if (run.broken) return finish_item(node);
  told.happened = Happened::ran;
  states_[node].decision.action = Action::skip;
  if (tools_.graph.nodes[node].kind == NodeKind::fan_out) {
    states_[node].identity = plan::identity_of(states_[node]);
  }
  Event event;
  event.kind = EventKind::stage_finished;
  event.stage = told.stage;
  event.seconds = told.seconds;
  event.cost = told.cost;
  tools_.events.emit(std::move(event));
  settle(node);
}

void Executor::failed(std::uint32_t node, std::exception_ptr error, const std::string& message,
                      std::string_view item, Errc fallback) {
  NodeRun& run = runs_[node];
  run.broken = true;
  StageReport& told = report(node);
  told.happened = Happened::failed;
  if (told.message.empty()) told.message = message;
  if (!told.error) told.error = error;
  if (!failure_.error) failure_ = {error, told.stage, std::string{item}};
  const bool refused =
      fallback == Errc::unreadable || fallback == Errc::not_decodable || fallback == Errc::edited;
  worst_ = refused ? Outcome::refused : worst_ == Outcome::refused ? worst_ : Outcome::failed;
  const bool store =
      fallback == Errc::store_failed || fallback == Errc::fenced || fallback == Errc::forked;
  if (!tools_.options.keep_going || refused || store) halted_ = true;
  Event event;
  event.kind = EventKind::failed;
  event.stage = told.stage;
  event.item = std::string{item};
  event.message = message;
  event.code = code_of(error);
  tools_.events.emit(std::move(event));
  if (run.phase == Phase::pending) run.phase = Phase::stuck;
  if (run.running == 0 && run.phase == Phase::active && (halted_ || run.queue.empty())) {
    run.phase = Phase::stuck;
    active_.erase(node);
  }
}

/// The question is on record, bound to the inputs: the answer is valid for these alone.
void Executor::record_waiting(const Completion& completion) {
  const Task& task = completion.task;
  const Node& node = tools_.graph.nodes[task.node];
  Draft draft;
  draft.key = core::about_key("approval", node.name, task.item_key);
  draft.generation = tools_.facts.next_generation(draft.key.path);
  draft.head.kind = core::Kind::approval;
  draft.head.codec = CodecId::json;
  draft.head.fingerprint = task.fingerprint;
  draft.payload = std::make_shared<StringPayload>(
      nlohmann::ordered_json{{"state", "asked"}, {"message", completion.message}}.dump(
          -1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  draft.head.identity = core::digest_of(*draft.payload);
  for (const plan::Row& row : tools_.facts.rows(draft.key.path)) {
    const bool whole = !row.quarantined && row.damage == Damage::none;
    if (whole && row.generation + 1 < draft.generation) {
      draft.erase.emplace_back(draft.key.path, row.generation);
    }
  }
  const Committed record = tools_.recorder.commit(std::move(draft));
  tools_.facts.note(record.path, record.generation, record.head);
  ask(task.node, task.item_key, completion.message);
}

/// The worst of what happened to its items is what happened to a stage.
void Executor::worsen(std::uint32_t node, Happened how) {
  const auto weight = [](Happened one) {
    switch (one) {
      case Happened::failed: return 3;
      case Happened::interrupted: return 2;
      case Happened::waiting: return 1;
      default: return 0;
    }
  };
  Happened& happened = report(node).happened;
  if (weight(how) > weight(happened)) happened = how;
}

/// A person has to act before this stage, or item, can go on.
void Executor::ask(std::uint32_t node, std::string_view item, const std::string& message) {
  worsen(node, Happened::waiting);
  if (report(node).message.empty()) report(node).message = message;
  if (worst_ == Outcome::done) worst_ = Outcome::waiting;
  Event event;
  event.kind = EventKind::waiting;
  event.stage = report(node).stage;
  event.item = std::string{item};
  event.message = message;
  tools_.events.emit(std::move(event));
}

}  // namespace resumable::inline v0::run
