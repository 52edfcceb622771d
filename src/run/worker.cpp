#include "run/worker.hpp"

#include <stdexcept>

#include "core/fault.hpp"
#include "core/key.hpp"
#include "record/small_records.hpp"
#include "resumable/detail/saturating.hpp"
#include "resumable/error.hpp"

namespace resumable::run {

using detail::Node;

namespace {

Completion::How how_of(core::Fault fault) {
  switch (fault) {
    case core::Fault::usage:
    case core::Fault::program:
    case core::Fault::value: return Completion::How::failed;
    case core::Fault::store:
    case core::Fault::owner:
    case core::Fault::files: break;
  }
  return Completion::How::store_failed;
}

/// Whether the value is rejected, which fails the attempt, or the validator fails, which counts as
/// a failure of the stage itself.
bool is_bad(const Node& node, stage::CallResult& result) {
  if (!node.check) return false;
  const Retry& retry = node.retry;
  try {
    const auto problem = (*node.check)(result.value.get());
    if (!problem) return false;
    const std::runtime_error refused{"its value is not valid: " + *problem};
    result.error = std::make_exception_ptr(refused);
    result.retryable = !retry.when || retry.when(refused);
  } catch (...) {
    result.error = std::current_exception();
    const stage::Outlook outlook = stage::outlook_of(retry, result.error);
    result.retryable = outlook.retryable;
    result.retry_after = outlook.retry_after;
  }
  result.how = stage::CallResult::How::failed;
  result.message = stage::words_of(result.error);
  return true;
}

}  // namespace

Event Worker::event(EventKind kind, const Task& task) const {
  Event event;
  event.kind = kind;
  event.stage = tools_.graph.nodes[task.node].shown();
  event.item = task.item_key;
  return event;
}

void Worker::run(Completion& completion) const noexcept {
  try {
    run_or_throw(completion);
  } catch (...) {  // not even memory for a message
    completion.how = Completion::How::failed;
    completion.error = std::current_exception();
  }
}

void Worker::run_or_throw(Completion& completion) const {
  try {
    attempt_until_done(completion);
  } catch (const record::DamagedRecord& damaged) {
    completion.how = Completion::How::damaged;
    completion.damage = damaged;
  } catch (const Error& error) {
    const bool conflict = completion.saved && core::fault_of(error.errc()) == core::Fault::files;
    completion.how = conflict ? Completion::How::conflict : how_of(core::fault_of(error.errc()));
    if (error.errc() == Errc::cancelled) completion.how = Completion::How::interrupted;
    completion.error = std::current_exception();
    completion.message = tools_.graph.message(error.what());
  } catch (...) {
    completion.error = std::current_exception();
    completion.message = tools_.graph.message(stage::words_of(completion.error));
  }
}

void Worker::tell_started(const Task& task) const {
  Event started = event(task.item ? EventKind::item_started : EventKind::stage_started, task);
  started.attempt = task.tried.total + 1;
  started.reasons = task.reasons;
  tools_.events.emit(std::move(started));
}

void Worker::tell_overdue(const Task& task) const noexcept try {
  Event late = event(EventKind::overdue, task);
  late.duration = tools_.graph.nodes[task.node].timeout;
  tools_.events.emit(std::move(late));
} catch (...) {
  // Out of memory in the timer's thread: the stage was asked to stop all the same.
}

void Worker::attempt_until_done(Completion& completion) const {
  Task& task = completion.task;
  const Node& node = tools_.graph.nodes[task.node];
  stage::StageServices services{
      {tools_.graph, tools_.facts, tools_.recorder, tools_.events, tools_.clock},
      {task.node, task.item_key, task.fingerprint},
      std::move(task.inside),
      task.epoch,
      task.approved_at,
      tools_.cache};
  if (task.offer && task.offer->value) return adopt(completion, services);
  stage::Inside& inside = services.inside();
  while (true) {
    if (tools_.stop.stop_requested()) {
      completion.how = Completion::How::interrupted;
      return;
    }
    detail::Attempt attempt{{.run = tools_.run,
                             .stage = node.shown(),
                             .item = task.item_key,
                             .number = task.tried.total + 1,
                             .resumed = tools_.resumed,
                             .approved = task.approved,
                             .limits = &tools_.limits},
                            services};
    services.begin_attempt();
    tell_started(task);
    stage::CallResult result = stage::call(node, attempt, task.args, tools_.stop, tools_.timer,
                                           tools_.clock, [&] { tell_overdue(task); });
    result.message = tools_.graph.message(std::move(result.message));
    ++completion.attempts;
    completion.seconds += result.seconds;
    completion.cost += result.cost;
    completion.continued = inside.continued();
    completion.continued_from_earlier_calls = inside.continued_from_earlier_calls();
    for (record::Committed& record : inside.take_committed())
      completion.records.push_back(std::move(record));
    if (const auto damaged = inside.damage()) throw record::DamagedRecord{*damaged};
    switch (result.how) {
      case stage::CallResult::How::value:
        if (!is_bad(node, result)) {
          commit(completion, result, services);
          return;
        }
        if (!try_again(completion, result)) return;
        break;
      case stage::CallResult::How::waiting:
      case stage::CallResult::How::interrupted:
        completion.how = result.how == stage::CallResult::How::waiting
                             ? Completion::How::waiting
                             : Completion::How::interrupted;
        completion.message = result.message;
        return;
      case stage::CallResult::How::failed:
        if (!try_again(completion, result)) return;
        break;
    }
  }
}

/// The value was made of a file that is there.
void Worker::adopt(Completion& completion, const stage::StageServices& services) const {
  completion.task.reasons = {Reason::adopted};
  stage::CallResult result;
  result.how = stage::CallResult::How::value;
  result.value = completion.task.offer->value;
  commit(completion, std::move(result), services);
}

// Records a failed attempt; true when another one is due, after the wait for it.
bool Worker::try_again(Completion& completion, const stage::CallResult& result) const {
  Task& task = completion.task;
  const Retry& retry = tools_.graph.nodes[task.node].retry;
  ++task.tried.now;
  ++task.tried.total;
  task.tried.cost += result.cost;
  const bool final = !result.retryable || task.tried.now >= retry.attempts;
  record_failure(completion, result, final);
  if (final) {
    completion.how = Completion::How::failed;
    completion.error = result.error;
    completion.message = result.message;
    return false;
  }
  const auto wait = stage::backoff(retry, task.tried.now + 1, result.retry_after,
                                   tools_.recorder.uid() + task.key.full);
  Event again = event(EventKind::retried, task);
  again.attempt = task.tried.total;
  again.attempts_allowed = retry.attempts;
  again.duration = wait;
  again.message = result.message;
  again.code = stage::code_of(result.error);
  again.cost = result.cost;
  tools_.events.emit(std::move(again));
  if (sys::sleep_until(tools_.clock, detail::later(tools_.clock.boot(), wait), tools_.stop))
    return true;
  completion.how = Completion::How::interrupted;
  completion.message = result.message;
  return false;
}

void Worker::record_failure(Completion& completion, const stage::CallResult& result,
                            bool final) const {
  Task& task = completion.task;
  const Node& node = tools_.graph.nodes[task.node];
  auto draft = record::Draft::small(
      core::Kind::attempt, core::about_key("attempt", node.name, task.item_key), CodecId::json,
      record::encode_failure(
          {.tried = task.tried,
           .final = final,
           .message = result.tries.empty() ? result.message : result.tries + ": " + result.message,
           .code = {}}));
  draft.generation = task.attempt_generation++;
  draft.head.revision = node.revision;
  draft.head.fingerprint = task.fingerprint;
  draft.header.seconds = result.seconds;
  draft.header.attempts = task.tried.total;
  draft.header.cost = task.tried.cost;
  draft.erase = task.attempts_on_record;
  task.attempts_on_record = {{draft.key.path, draft.generation}};
  completion.records.push_back(tools_.recorder.commit(std::move(draft)));
}

}  // namespace resumable::run
