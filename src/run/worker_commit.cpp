// What a worker commits: the value as bytes, merged with a user's edit, with what it exports.
#include <utility>

#include "core/key.hpp"
#include "core/savings.hpp"
#include "plan/judge.hpp"
#include "record/values.hpp"
#include "resumable/detail/packed_json.hpp"
#include "resumable/digest.hpp"
#include "resumable/error.hpp"
#include "run/worker.hpp"
#include "value/changes.hpp"
#include "value/left_files.hpp"
#include "value/nested_schemas.hpp"
#include "value/redaction.hpp"

namespace resumable::run {

using detail::Node;

/// A value that equals the old one migrated keeps the old one's identity: nothing has changed. Any
/// other has that of its bytes, or none yet: see Draft.
Digest Worker::identity_for(const Task& task, const record::Draft& draft,
                            const detail::ValueType& type) const {
  const Digest unmigrated = draft.head.identity;
  if (!task.previous) return unmigrated;
  const detail::TypeShape shape = type.shape_now();
  const bool nothing_inside = shape.schemas.empty() && shape.found.empty();
  if (task.previous->head.schema >= type.version && nothing_inside) return unmigrated;
  if (task.previous->head.schema < type.oldest || task.previous->head.schema > type.version ||
      detail::unpacked(task.previous->head.codec) != type.codec) {
    return unmigrated;
  }
  try {
    const Digest fresh = core::digest_of(*draft.payload);
    const Digest& former = task.previous->head.identity;
    const auto value = tools_.facts.value(task.key.path, *task.previous, type);
    if (core::digest_of(*value::encode(tools_.graph, type, value.get())) == fresh) return former;
    // The same bytes as before, which meant something else in an earlier version.
    return fresh == former ? Digester{}.add(fresh).add(draft.header.schemas).finish() : fresh;
  } catch (const record::DamagedRecord&) {
    return unmigrated;
  } catch (const Error&) {
    return unmigrated;
  }
}

namespace {

std::string canonical(const detail::Graph& graph, const record::RunFacts& facts, const Task& task,
                      const plan::Row& row, const detail::ValueType& type) {
  const auto value = facts.value(task.key.path, row, type);
  return read_all(*value::encode(graph, type, value.get()));
}

}  // namespace

/// A user has edited the former value: the changes are merged into the new one. `draft` has the new
/// value, and afterwards the merged one; `own` is what the stage made, if that is different.
void Worker::merge(const Task& task, record::Draft& draft,
                   std::optional<record::Draft>& own) const {
  const Node& node = tools_.graph.nodes[task.node];
  const detail::ValueType& type = *node.type;
  const std::string base = canonical(tools_.graph, tools_.facts, task, *task.made, type);
  const std::string mine = canonical(tools_.graph, tools_.facts, task, *task.previous, type);
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
  const auto payload = value::encode(tools_.graph, type, value.get());
  if (read_all(*payload) == fresh) return;
  own = draft;
  draft.payload = payload;
  draft.head.identity = draft.header.payload_digest = core::digest_of(*payload);
  draft.generation = own->generation + 1;
  draft.head.set(core::edited);
  if (const auto header = tools_.facts.header(task.key.path, task.previous->generation)) {
    draft.header.edited_by = header->edited_by;
  }
  for (const value::Conflict& one : merged.conflicts) {
    draft.head.set(core::disputed);
    if (draft.header.collisions.size() == 20) break;
    draft.header.collisions.push_back({one.path, one.mine, one.theirs});
  }
}

/// Everything about the record that involves the program's code: to_json, codecs, renderers.
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
      const value::LeftFiles left;
      draft = record::Draft::value(kind, task.key, type,
                                   value::encode(tools_.graph, type, result.value));
      if (left.any()) draft.head.set(core::in_place);
      const bool shared = type.share != nullptr && !draft.payload->view();
      const bool as_it_is =
          shared || ((node.skip_round_trip || type.exact) && !tools_.graph.redaction);
      completion.value = as_it_is ? result.value : type.decode(draft.payload, type.version);
    } catch (const Error& error) {
      record::rethrow_with_place(error, node.shown(), task.item_key, {});
    }
    draft.head.identity = identity_for(task, draft, type);
  }
  draft.generation = task.generation;
  draft.head.revision = node.revision;
  draft.head.fingerprint = task.fingerprint;
  draft.header.seconds = completion.continued.duration.count() + result.seconds;
  draft.header.attempts = task.tried.total + 1;
  // What a loop had saved before an attempt failed is in the cost of both.
  draft.header.cost = core::larger(completion.continued, {.cost = task.tried.cost}).cost;
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

/// What an item of a queue has enqueued, to be committed with its value; recorded even if empty, so
/// that a lost record is noticed.
record::Draft Worker::enqueued(const Task& task, const stage::StageServices& services) const {
  const Node& node = tools_.graph.nodes[task.node];
  const detail::ValueType& element = *stage::elements_of(node).element;
  auto draft =
      record::Draft::small(core::Kind::queue, core::about_key("queue", node.name, task.item_key),
                           element.codec, record::encode_enqueued(services.enqueued()));
  draft.generation = task.enqueued_generation;
  if (task.enqueued) draft.erase.emplace_back(draft.key.path, task.enqueued->generation);
  draft.head.schema = element.version;
  draft.header.schemas = value::schemas_inside(element.shape_now());
  draft.head.revision = node.revision;
  draft.head.fingerprint = task.fingerprint;
  return draft;
}

/// That the item has closed the fan-out, to be committed with its value. Only the first one does.
std::optional<record::Draft> Worker::closed(const Task& task,
                                            const stage::StageServices& services) const {
  const auto reason = services.closing();
  if (!reason || !task.closes) return std::nullopt;
  const std::scoped_lock lock{guard_};
  if (!closed_.insert(task.node).second) return std::nullopt;
  const Node& node = tools_.graph.nodes[task.node];
  auto draft = record::Draft::small(
      core::Kind::closed, core::about_key("closed", node.name, ""), CodecId::json,
      record::encode_closed({.reason = *reason, .item = task.item_key, .items = {}}));
  draft.generation = task.closed_generation;
  draft.head.revision = node.revision;
  draft.head.fingerprint = *task.closes;
  return draft;
}

/// `drafts`, and that the fan-out is closed, unless another worker has closed it meanwhile: its
/// record is there then, and what this item has made counts all the same.
std::vector<record::Committed> Worker::commit_closing(std::optional<record::Draft> closing,
                                                      std::vector<record::Draft> drafts) const {
  if (closing) {
    std::vector<record::Draft> all = drafts;
    all.insert(all.begin(), *std::move(closing));
    try {
      return tools_.recorder.commit(std::move(all));
    } catch (const Error& error) {
      if (error.errc() != Errc::fenced) throw;
    }
  }
  return tools_.recorder.commit(std::move(drafts));
}

void Worker::commit(Completion& completion, stage::CallResult result,
                    const stage::StageServices& services) const {
  Task& task = completion.task;
  record::Draft draft;
  std::optional<record::Draft> own;
  exports::Publisher::Texts texts;
  try {
    try {
      texts = prepare(completion, result, draft, own);
    } catch (const Error& error) {
      if (error.errc() != Errc::cancelled) throw;
      // A stop has ended a call that read, and ends no other: the value is not lost to it.
      own.reset();
      texts = prepare(completion, result, draft, own);
    }
  } catch (...) {
    // If the function's value cannot be saved or rendered, the attempt fails for good.
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
  for (record::Committed& one : commit_closing(closed(task, services), std::move(drafts))) {
    completion.records.push_back(std::move(one));
  }
  completion.saved = true;
  completion.exports = draft.header.exports;
  tell_committed(completion, result, draft);
  if (tools_.publisher != nullptr) {
    tools_.publisher->publish({task.node, task.item_key}, task.exports, draft.header.exports, texts,
                              completion.exported);
  }
  // Not earlier: if anything before this throws, the value is saved and not exported.
  completion.how = Completion::How::committed;
  if (draft.head.has(core::disputed)) ask_about_dispute(completion, draft);
}

void Worker::tell_committed(const Completion& completion, const stage::CallResult& result,
                            const record::Draft& draft) const {
  const Task& task = completion.task;
  const record::Committed& record = completion.records.back();
  Event done = event(EventKind::committed, task);
  done.attempt = task.tried.total + 1;
  done.reasons = task.reasons;
  done.duration = Seconds{result.seconds};
  done.cost = draft.header.cost;
  if (task.offer && task.offer->value) done.file = tools_.publisher->file(task.offer->path);
  done.changed = !task.previous || task.previous->head.identity != record.head.identity;
  tools_.events.emit(std::move(done), record);
}

void Worker::ask_about_dispute(Completion& completion, const record::Draft& draft) const {
  completion.how = Completion::How::disputed;
  completion.message = plan::conflict_text(draft.header.collisions);
  completion.advice = plan::conflict_advice(tools_.graph.nodes[completion.task.node].shown(),
                                            completion.task.item_key);
}

}  // namespace resumable::run
