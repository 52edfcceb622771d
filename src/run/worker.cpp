#include "run/worker.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/shape.hpp"
#include "resumable/error.hpp"
#include "run/small_records.hpp"
#include "run/values.hpp"

namespace resumable::inline v0::run {

using detail::Node;

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
  } catch (const DamagedRecord& damaged) {
    completion.how = Completion::How::damaged;
    completion.damage = damaged;
  } catch (const Error& error) {
    const bool value = error.errc() < Errc::store_failed;  // the program's or the value's fault
    completion.how = value ? Completion::How::failed : Completion::How::store_failed;
    completion.error = std::current_exception();
    completion.message = error.what();
  } catch (...) {
    completion.error = std::current_exception();
    completion.message = words_of(completion.error);
  }
  return completion;
}

void Worker::attempt_until_done(Completion& completion) const {
  Task& task = completion.task;
  const Node& node = tools_.graph.nodes[task.node];
  StageServices services{{tools_.graph, tools_.facts, tools_.recorder, tools_.events, tools_.clock},
                         {task.node, task.item_key, task.fingerprint},
                         std::move(task.inside),
                         task.epoch,
                         task.approved_at,
                         tools_.cache};
  Inside& inside = services.inside();
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
    Event started = event(task.item ? EventKind::item_started : EventKind::stage_started, task);
    started.attempt = task.tried.total + 1;
    started.reasons = task.reasons;
    tools_.events.emit(std::move(started));
    const CallResult result =
        call(node, attempt, task.args, tools_.stop, tools_.timer, tools_.clock, [&] {
          Event late = event(EventKind::overdue, task);
          late.seconds = std::chrono::duration<double>(node.timeout).count();
          tools_.events.emit(std::move(late));
        });
    ++completion.attempts;
    completion.seconds += result.seconds;
    completion.cost += result.cost;
    for (Committed& record : inside.take_committed())
      completion.records.push_back(std::move(record));
    if (const auto damaged = inside.damage()) throw DamagedRecord{*damaged};
    switch (result.how) {
      case CallResult::How::value: commit(completion, result, services); return;
      case CallResult::How::waiting:
        completion.how = Completion::How::waiting;
        completion.message = result.message;
        return;
      case CallResult::How::interrupted:
        completion.how = Completion::How::interrupted;
        completion.message = result.message;
        return;
      case CallResult::How::failed:
        if (!try_again(completion, result)) return;
        break;
    }
  }
}

/// Puts a failed attempt on record; true when another one is due and was waited for.
bool Worker::try_again(Completion& completion, const CallResult& result) const {
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
  const auto wait =
      backoff(retry, task.tried.now + 1, result.retry_after, tools_.recorder.uid() + task.key.full);
  Event again = event(EventKind::retried, task);
  again.attempt = task.tried.total;
  again.attempts_allowed = retry.attempts;
  again.seconds = std::chrono::duration<double>(wait).count();
  again.message = result.message;
  again.code = code_of(result.error);
  again.cost = result.cost;
  tools_.events.emit(std::move(again));
  if (sys::sleep_until(tools_.clock, tools_.clock.boot() + wait, tools_.stop)) return true;
  completion.how = Completion::How::interrupted;
  completion.message = result.message;
  return false;
}

void Worker::record_failure(Completion& completion, const CallResult& result, bool final) const {
  Task& task = completion.task;
  const Node& node = tools_.graph.nodes[task.node];
  Draft draft;
  draft.key = core::about_key("attempt", node.name, task.item_key);
  draft.generation = task.attempt_generation++;
  draft.head.kind = core::Kind::attempt;
  draft.head.codec = CodecId::json;
  draft.head.revision = node.revision;
  draft.head.fingerprint = task.fingerprint;
  draft.payload = std::make_shared<StringPayload>(
      encode_failure({.tried = task.tried, .final = final, .message = result.message, .code = {}}));
  draft.head.identity = core::digest_of(*draft.payload);
  draft.header.seconds = result.seconds;
  draft.header.attempts = task.tried.total;
  draft.header.cost = task.tried.cost;
  draft.erase = task.attempts_on_record;
  task.attempts_on_record = {{draft.key.path, draft.generation}};
  completion.records.push_back(tools_.recorder.commit(std::move(draft)));
}

/// A value that equals the old one migrated keeps the old one's identity: nothing has changed.
Digest Worker::identity_for(const Task& task, const Digest& fresh,
                            const detail::ValueType& type) const {
  if (!task.previous || task.previous->head.schema >= type.version) return fresh;
  if (task.previous->head.schema < type.oldest || task.previous->head.codec != type.codec) {
    return fresh;
  }
  try {
    const auto old = tools_.facts.payload(task.key.path, task.previous->generation);
    const auto value = type.decode(old, task.previous->head.schema);
    return core::digest_of(*type.encode(value.get())) == fresh ? task.previous->head.identity
                                                               : fresh;
  } catch (const DamagedRecord&) {
    return fresh;
  } catch (const Error&) {
    return fresh;
  }
}

/// Everything about the record that the host's code takes part in: to_json, codecs, renderers.
Worker::Texts Worker::prepare(Completion& completion, const CallResult& result,
                              Draft& draft) const {
  const Task& task = completion.task;
  const Node& node = tools_.graph.nodes[task.node];
  const detail::ValueType& type = *node.type;
  const std::string shape = type.shape != nullptr ? type.shape() : std::string{};
  if (type.codec == CodecId::none) {
    draft.payload = std::make_shared<StringPayload>("");
    draft.head.identity = task.fingerprint;
  } else {
    try {
      draft.payload = type.encode(result.value.get());
      completion.value = node.pass_live ? result.value : type.decode(draft.payload, type.version);
    } catch (const Error& error) {
      rethrow_with_place(error, node.name, task.item_key, {});
    }
    draft.header.payload_digest = core::digest_of(*draft.payload);
    draft.head.identity = identity_for(task, draft.header.payload_digest, type);
  }
  draft.key = task.key;
  draft.generation = task.generation;
  draft.head.kind =
      node.kind == detail::NodeKind::condition ? core::Kind::condition : core::Kind::value;
  draft.head.codec = type.codec;
  draft.head.schema = type.version;
  draft.head.revision = node.revision;
  draft.head.fingerprint = task.fingerprint;
  draft.head.shape = shape.empty() ? 0 : core::shape_hash(shape);
  draft.header.schema_name = std::string{type.schema};
  draft.header.shape = shape;
  draft.header.seconds = result.seconds;
  draft.header.attempts = task.tried.total + 1;
  draft.header.cost = task.tried.cost;
  draft.header.cost += result.cost;
  draft.header.inputs = task.inputs;
  return render(completion, draft);
}

/// What an item of a queue has enqueued, to be committed with its value: nothing, too, so that a
/// record that is lost shows.
Draft Worker::enqueued(const Task& task, const StageServices& services) const {
  const Node& node = tools_.graph.nodes[task.node];
  const detail::ValueType& element = *elements_of(node).element;
  Draft draft;
  draft.key = core::about_key("queue", node.name, task.item_key);
  draft.generation = task.enqueued_generation;
  if (task.enqueued) draft.erase.emplace_back(draft.key.path, task.enqueued->generation);
  draft.head.kind = core::Kind::queue;
  draft.head.codec = element.codec;
  draft.head.schema = element.version;
  draft.head.revision = node.revision;
  draft.head.fingerprint = task.fingerprint;
  draft.payload = std::make_shared<StringPayload>(encode_enqueued(services.enqueued()));
  draft.header.payload_digest = core::digest_of(*draft.payload);
  draft.head.identity = draft.header.payload_digest;
  return draft;
}

void Worker::commit(Completion& completion, CallResult result,
                    const StageServices& services) const {
  Task& task = completion.task;
  Draft draft;
  Texts texts;
  try {
    texts = prepare(completion, result, draft);
  } catch (...) {
    // The function's value cannot be saved, or not be shown: that fails the attempt, for good.
    result.error = std::current_exception();
    result.message = words_of(result.error);
    result.retryable = false;
    static_cast<void>(try_again(completion, result));
    return;
  }
  if (!task.exports.empty()) draft.header.confirmed = tools_.recorder.take_confirmed();
  // No record will claim the old places: what is there stays known as ours.
  for (const core::Export& one : task.left_in_place) {
    draft.header.confirmed.push_back({one.path, one.digest, {}, tools_.recorder.order()});
  }
  draft.erase = task.erase;
  for (const auto& attempt : task.attempts_on_record) draft.erase.push_back(attempt);
  for (auto& one : services.inside().unused()) draft.erase.push_back(std::move(one));
  std::vector<Draft> drafts;
  if (tools_.graph.nodes[task.node].grows) drafts.push_back(enqueued(task, services));
  drafts.push_back(draft);
  for (Committed& one : tools_.recorder.commit(std::move(drafts))) {
    completion.records.push_back(std::move(one));
  }
  completion.how = Completion::How::committed;
  completion.exports = draft.header.exports;

  const Committed& record = completion.records.back();
  Event done = event(EventKind::committed, task);
  done.attempt = task.tried.total + 1;
  done.reasons = task.reasons;
  done.seconds = result.seconds;
  done.save_seconds = record.seconds;
  done.bytes = record.bytes;
  done.cost = draft.header.cost;
  done.changed = !task.previous || task.previous->head.identity != record.head.identity;
  tools_.events.emit(std::move(done));
  publish(completion, draft, texts);
}

/// Renders before the commit: the record names what it exports, and a throw fails the attempt.
Worker::Texts Worker::render(Completion& completion, Draft& draft) const {
  Texts texts;
  Task& task = completion.task;
  const Node& node = tools_.graph.nodes[task.node];
  for (std::size_t i = 0; i < task.exports.size(); ++i) {
    const ExportTo& to = task.exports[i];
    texts.push_back(render_artifact(node.artifacts[i], *node.type, completion.value.get()));
    if (!texts.back()) {
      draft.header.exports.push_back({to.path, {}, {}, 0});
      if (!to.had_file()) continue;
      task.left.push_back(*to.previous);
      if (to.on_disk == to.previous->digest) task.left_in_place.push_back(*to.previous);
      continue;
    }
    core::Export one{to.path, digest(*texts.back()), to.on_disk, tools_.recorder.order()};
    // Made again the same, and a later stage has its version there: that one stays.
    if (to.taken_over && to.previous && to.previous->digest == one.digest) one = *to.previous;
    draft.header.exports.push_back(std::move(one));
  }
  return texts;
}

void Worker::publish(Completion& completion, const Draft& draft, const Texts& texts) const {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const ExportTo& to = completion.task.exports[i];
    const core::Export& wanted = draft.header.exports[i];
    if (!texts[i]) continue;
    if (to.taken_over && to.previous && to.previous->order == wanted.order) continue;
    const artifact::Published published = tools_.folder->publish(to.path, *texts[i], to.on_disk);
    const std::string file = tools_.folder->full(to.path);
    if (published.how != artifact::Published::How::done) {
      const bool conflict = published.how == artifact::Published::How::conflict;
      completion.how = conflict ? Completion::How::conflict : Completion::How::store_failed;
      completion.error = std::make_exception_ptr(Error(
          conflict ? Errc::edited : Errc::store_failed,
          {.what = fmt::format("artifact '{}' of stage '{}' {}", to.path,
                               tools_.graph.nodes[completion.task.node].name,
                               conflict ? "is in the way of a file that is not ours, or was changed"
                                        : "could not be exported"),
           .stage = tools_.graph.nodes[completion.task.node].name,
           .item = completion.task.item_key,
           .operation = published.operation,
           .file = file,
           .kept = conflict ? "the file is untouched; the stage's value is saved"
                            : "the stage's value is saved",
           .next = conflict ? "move the file away and resume: the value is exported then"
                            : "mend the cause and resume: it is exported again, nothing reruns",
           .cause = published.cause}));
      completion.message = words_of(completion.error);
      return;
    }
    core::Export confirmed{to.path, wanted.digest, {}, tools_.recorder.order()};
    tools_.recorder.confirm(confirmed);
    completion.exported.push_back(std::move(confirmed));
    Event told = event(EventKind::exported, completion.task);
    told.file = file;
    tools_.events.emit(std::move(told));
  }
}

std::optional<std::string> render_artifact(const detail::Artifact& artifact,
                                           const detail::ValueType& type, const void* value) {
  if (artifact.render) return (*artifact.render)(value);
  std::string bytes = read_all(*type.encode(value));
  if (type.codec != CodecId::json) return bytes;
  return nlohmann::ordered_json::parse(bytes).dump(2) + "\n";
}

}  // namespace resumable::inline v0::run
