#include "run/worker.hpp"

#include "core/fault.hpp"
#include "plan/judge.hpp"
#include "record/small_records.hpp"
#include "record/values.hpp"
#include "resumable/detail/packed_json.hpp"
#include "resumable/error.hpp"
#include "value/changes.hpp"

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

/// Whether the value is refused, which fails the attempt, or the validator fails, as if the stage
/// itself had.
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
  event.stage = tools_.graph.nodes[task.node].name;
  event.item = task.item_key;
  return event;
}

Completion Worker::run(Task task) const {
  Completion completion;
  completion.task = std::move(task);
  try {
    attempt_until_done(completion);
  } catch (const record::DamagedRecord& damaged) {
    completion.how = Completion::How::damaged;
    completion.damage = damaged;
  } catch (const Error& error) {
    const bool conflict = completion.saved && core::fault_of(error.errc()) == core::Fault::files;
    completion.how = conflict ? Completion::How::conflict : how_of(core::fault_of(error.errc()));
    completion.error = std::current_exception();
    completion.message = tools_.graph.message(error.what());
  } catch (...) {
    completion.error = std::current_exception();
    completion.message = tools_.graph.message(stage::words_of(completion.error));
  }
  return completion;
}

void Worker::tell_started(const Task& task) const {
  Event started = event(task.item ? EventKind::item_started : EventKind::stage_started, task);
  started.attempt = task.tried.total + 1;
  started.reasons = task.reasons;
  tools_.events.emit(std::move(started));
}

void Worker::tell_overdue(const Task& task) const {
  Event late = event(EventKind::overdue, task);
  late.duration = tools_.graph.nodes[task.node].timeout;
  tools_.events.emit(std::move(late));
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
                             .stage = node.name,
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
  if (sys::sleep_until(tools_.clock, tools_.clock.boot() + wait, tools_.stop)) return true;
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
          {.tried = task.tried, .final = final, .message = result.message, .code = {}}));
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

/// A value that equals the old one migrated keeps the old one's identity: nothing has changed. Any
/// other has that of its bytes, or none yet: see Draft.
Digest Worker::identity_for(const Task& task, const record::Draft& draft,
                            const detail::ValueType& type) const {
  const Digest unmigrated = draft.head.identity;
  if (!task.previous || task.previous->head.schema >= type.version) return unmigrated;
  if (task.previous->head.schema < type.oldest ||
      detail::unpacked(task.previous->head.codec) != type.codec) {
    return unmigrated;
  }
  try {
    const Digest fresh = core::digest_of(*draft.payload);
    const auto old = tools_.facts.payload(task.key.path, task.previous->generation);
    const auto value = type.decode(old, task.previous->head.schema);
    return core::digest_of(*type.encode(value.get())) == fresh ? task.previous->head.identity
                                                               : fresh;
  } catch (const record::DamagedRecord&) {
    return unmigrated;
  } catch (const Error&) {
    return unmigrated;
  }
}

namespace {

std::string canonical(const record::RunFacts& facts, const Task& task, const plan::Row& row,
                      const detail::ValueType& type) {
  const auto value = type.decode(facts.payload(task.key.path, row.generation), row.head.schema);
  return read_all(*type.encode(value.get()));
}

}  // namespace

/// A user has edited the former value: what was changed there goes into the new one. `draft` holds
/// the new value, and then the merged one; `own` is what the stage made, if that is another.
void Worker::merge(const Task& task, record::Draft& draft,
                   std::optional<record::Draft>& own) const {
  const Node& node = tools_.graph.nodes[task.node];
  const detail::ValueType& type = *node.type;
  const std::string base = canonical(tools_.facts, task, *task.made, type);
  const std::string mine = canonical(tools_.facts, task, *task.previous, type);
  const std::string fresh = read_all(*draft.payload);
  value::Merged merged = value::merge(type.codec, base, mine, fresh);
  const auto value_of = [&](const std::string& bytes) {
    return type.decode(std::make_shared<StringPayload>(bytes), type.version);
  };
  detail::AnyValue value;
  std::string problem;
  try {
    value = value_of(merged.bytes);
    if (node.check) problem = (*node.check)(value.get()).value_or("");
  } catch (const Error& error) {
    problem = error.info().what;
  }
  if (!problem.empty()) {  // each side is good, and both together are not
    value = value_of(mine);
    merged.conflicts = {{"", "your edit", "not the new value as well: " + problem}};
  }
  const auto payload = type.encode(value.get());
  if (read_all(*payload) == fresh) return;
  own = draft;
  draft.payload = payload;
  draft.head.identity = draft.header.payload_digest = core::digest_of(*payload);
  draft.generation = own->generation + 1;
  draft.head.flags = core::edited;
  if (const auto header = tools_.facts.header(task.key.path, task.previous->generation)) {
    draft.header.edited_by = header->edited_by;
  }
  for (const value::Conflict& one : merged.conflicts) {
    draft.head.flags = core::edited | core::disputed;
    if (draft.header.collisions.size() == 20) break;
    draft.header.collisions.push_back({one.path, one.mine, one.theirs});
  }
}

/// Everything about the record that the host's code takes part in: to_json, codecs, renderers.
exports::Publisher::Texts Worker::prepare(Completion& completion, const stage::CallResult& result,
                                          record::Draft& draft,
                                          std::optional<record::Draft>& own) const {
  Task& task = completion.task;
  const Node& node = tools_.graph.nodes[task.node];
  const detail::ValueType& type = *node.type;
  const core::Kind kind =
      node.kind == detail::NodeKind::condition ? core::Kind::condition : core::Kind::value;
  if (type.codec == CodecId::none) {
    draft = record::Draft::value(kind, task.key, type, nullptr);
    draft.head.identity = task.fingerprint;
  } else {
    try {
      draft = record::Draft::value(kind, task.key, type, type.encode(result.value.get()));
      completion.value =
          node.skip_round_trip ? result.value : type.decode(draft.payload, type.version);
    } catch (const Error& error) {
      record::rethrow_with_place(error, node.name, task.item_key, {});
    }
    draft.head.identity = identity_for(task, draft, type);
  }
  draft.generation = task.generation;
  draft.head.revision = node.revision;
  draft.head.fingerprint = task.fingerprint;
  draft.header.seconds = result.seconds;
  draft.header.attempts = task.tried.total + 1;
  draft.header.cost = task.tried.cost;
  draft.header.cost += result.cost;
  draft.header.inputs = task.inputs;
  if (task.made) {
    merge(task, draft, own);
    if (own) completion.value = type.decode(draft.payload, type.version);
  }
  if (tools_.publisher == nullptr) return {};
  if (task.offer && task.offer->value) {
    draft.header.adopted_by = task.offer->by;
    return tools_.publisher->keep(task.node, task.exports, completion.value.get(), draft);
  }
  return tools_.publisher->render(task.node, task.exports, completion.value.get(), draft);
}

/// What an item of a queue has enqueued, to be committed with its value: nothing, too, so that a
/// record that is lost shows.
record::Draft Worker::enqueued(const Task& task, const stage::StageServices& services) const {
  const Node& node = tools_.graph.nodes[task.node];
  const detail::ValueType& element = *stage::elements_of(node).element;
  auto draft =
      record::Draft::small(core::Kind::queue, core::about_key("queue", node.name, task.item_key),
                           element.codec, record::encode_enqueued(services.enqueued()));
  draft.generation = task.enqueued_generation;
  if (task.enqueued) draft.erase.emplace_back(draft.key.path, task.enqueued->generation);
  draft.head.schema = element.version;
  draft.head.revision = node.revision;
  draft.head.fingerprint = task.fingerprint;
  return draft;
}

void Worker::commit(Completion& completion, stage::CallResult result,
                    const stage::StageServices& services) const {
  Task& task = completion.task;
  record::Draft draft;
  std::optional<record::Draft> own;
  exports::Publisher::Texts texts;
  try {
    texts = prepare(completion, result, draft, own);
  } catch (...) {
    // The function's value cannot be saved, or not be shown: that fails the attempt, for good.
    result.error = std::current_exception();
    result.message = tools_.graph.message(stage::words_of(result.error));
    result.retryable = false;
    static_cast<void>(try_again(completion, result));
    return;
  }
  if (tools_.publisher != nullptr) tools_.publisher->announce(task.exports, draft);
  draft.erase = task.erase;
  for (const auto& attempt : task.attempts_on_record) draft.erase.push_back(attempt);
  for (auto& one : services.inside().unused()) draft.erase.push_back(std::move(one));
  std::vector<record::Draft> drafts;
  if (tools_.graph.nodes[task.node].grows) drafts.push_back(enqueued(task, services));
  if (own) drafts.push_back(*std::move(own));
  drafts.push_back(draft);
  for (record::Committed& one : tools_.recorder.commit(std::move(drafts))) {
    completion.records.push_back(std::move(one));
  }
  completion.saved = true;
  completion.exports = draft.header.exports;

  const record::Committed& record = completion.records.back();
  Event done = event(EventKind::committed, task);
  done.attempt = task.tried.total + 1;
  done.reasons = task.reasons;
  done.duration = Seconds{result.seconds};
  done.cost = draft.header.cost;
  if (task.offer && task.offer->value) done.file = tools_.publisher->file(task.offer->path);
  done.changed = !task.previous || task.previous->head.identity != record.head.identity;
  tools_.events.emit(std::move(done), record);
  if (tools_.publisher != nullptr) {
    tools_.publisher->publish({task.node, task.item_key}, task.exports, draft.header.exports, texts,
                              completion.exported);
  }
  // Not before: whatever throws up to here leaves a value that is saved and not exported.
  completion.how = Completion::How::committed;
  if (!draft.head.has(core::disputed)) return;
  completion.how = Completion::How::disputed;
  completion.message = plan::conflict_text(tools_.graph.nodes[task.node].name, task.item_key,
                                           draft.header.collisions);
}

}  // namespace resumable::run
