#include "exports/appending.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/key.hpp"
#include "resumable/error.hpp"

namespace resumable::exports {

void Appending::refuse(std::string_view how) {
  failed_ = true;
  const std::string& stage = tools_.graph.nodes[node_].name;
  throw Error(
      Errc::edited,
      {.what = fmt::format("'{}', to which stage '{}' appends, {}", artifact_.pattern, stage, how),
       .stage = stage,
       .file = tools_.folder.full(artifact_.pattern),
       .kept = "the file is untouched; what the stage's items gave is saved",
       .next = "move the file away and resume: it is written again, nothing reruns"});
}

/// After an error nothing that this call did to the file is trusted, and none of it is recorded:
/// the next call compares what is there with what belongs there.
void Appending::check(std::error_code error, std::string_view operation) {
  if (!error) return;
  failed_ = true;
  if (error == std::errc::file_exists) refuse("was changed while this program ran");
  throw Error(Errc::store_failed,
              {.what = fmt::format("'{}' could not be appended to", artifact_.pattern),
               .stage = tools_.graph.nodes[node_].name,
               .operation = std::string{operation},
               .file = tools_.folder.full(artifact_.pattern),
               .kept = "what the stage's items gave is saved",
               .next = "fix the cause and resume: nothing reruns",
               .cause = error});
}

bool Appending::is_done(const plan::NodeState& state, std::size_t place) const {
  const std::size_t item = state.list->find(order_[place], place);
  return item < state.items.size() && state.items[item].action == Action::skip &&
         state.items[item].known;
}

/// The order of a queue is settled as far as those are done whose children come next. An item that
/// several have enqueued stands under the first of them in this order, whichever finished first:
/// so parents are expanded in this order, and a child that stands there already is passed over.
void Appending::follow_order(const plan::NodeState& state) {
  const auto place = [&](const std::string& key) {
    if (placed_.insert(key).second) order_.push_back(key);
  };
  const auto& keys = state.list->keys;
  const detail::Node& node = tools_.graph.nodes[node_];
  const std::size_t roots = node.grows ? keys.size() - state.list->grown.size() : keys.size();
  if (order_.empty()) {
    for (std::size_t i = 0; i < roots; ++i) place(keys[i]);
  }
  for (; node.grows && expanded_ < order_.size() && is_done(state, expanded_); ++expanded_) {
    const std::string path = core::item_key(node.name, order_[expanded_]).path;
    const plan::Row* row = tools_.facts.current(path);
    const auto children =
        row != nullptr ? tools_.facts.enqueued(node.name, order_[expanded_], row->head.fingerprint)
                       : nullptr;
    if (!children) continue;
    for (const auto& child : children->elements) place(child.key);
  }
}

std::string Appending::text_of(const plan::NodeState& state, std::size_t place,
                               ValueOf value) const {
  const detail::AnyValue one = value(state.list->find(order_[place], place));
  return (*artifact_.render)(one.get()).value_or("");
}

void Appending::count(const plan::NodeState& state, std::size_t place) {
  const std::size_t item = state.list->find(order_[place], place);
  sequence_.add(order_[place]).add(state.items[item].identity);
  next_ = place + 1;
}

bool Appending::begins_as_recorded(const plan::NodeState& state, const AppendedSoFar& known) {
  for (std::size_t i = 0; i < known.items; ++i) {
    if (i >= order_.size() || !is_done(state, i)) return false;
    count(state, i);
  }
  return sequence_.finish() == known.sequence;
}

void Appending::begin(const plan::NodeState& state, ValueOf value) {
  follow_order(state);
  const auto known = tools_.ledger.appended(artifact_.pattern);
  const auto look = GrowingFile::look(tools_.folder, artifact_.pattern, known ? known->bytes : 0);
  const bool missing = look.error == std::errc::no_such_file_or_directory;
  if (look.error && !missing) refuse("cannot be read (" + look.error.message() + ")");
  if (!known) {
    if (!missing) refuse("is a foreign file");
    return confirm();  // from now on it is
  }
  if (missing) return;
  if (look.size < known->bytes || look.digest != known->digest) refuse("was changed by hand");
  check(file_.open(known->bytes), "open");
  open_ = true;
  must_rewrite_ = !begins_as_recorded(state, *known);
  if (!must_rewrite_) return take_tail(state, value);
  cut_tail("");
  former_ = known->digest;
}

/// What was appended after the last confirmation, by a process that was killed.
void Appending::take_tail(const plan::NodeState& state, ValueOf value) {
  std::string text;
  for (; next_ < order_.size() && is_done(state, next_); count(state, next_)) {
    text = text_of(state, next_, value);
    bool accepted = false;
    check(file_.accept(text, accepted), "write");
    if (!accepted) break;
    unconfirmed_ = unconfirmed_ || !text.empty();
    text.clear();
  }
  cut_tail(text);
}

/// Cuts off what is behind the bytes that are sure; a copy is kept unless it is the beginning of
/// `expected`.
void Appending::cut_tail(std::string_view expected) {
  bool copied = false;
  check(file_.cut_tail(expected, copied), "ftruncate");
  if (copied) {
    tools_.warnings.push_back(
        fmt::format("'{}' had bytes at its end that no item's text is: they are kept in {}/removed",
                    tools_.folder.full(artifact_.pattern), core::own_folder));
  }
}

void Appending::advance(const plan::NodeState& state, ValueOf value) {
  follow_order(state);
  if (must_rewrite_ || failed_) return;
  for (; next_ < order_.size() && is_done(state, next_); count(state, next_)) {
    if (!open_) check(file_.create(), "open");
    open_ = true;
    unconfirmed_ = true;
    check(file_.append(text_of(state, next_, value)), "write");
  }
}

void Appending::finish(const plan::NodeState& state, ValueOf value) {
  advance(state, value);
  if (failed_) return;
  if (must_rewrite_) {
    std::string all;
    sequence_ = {};
    for (std::size_t i = 0; i < order_.size(); ++i) {
      all += text_of(state, i, value);
      count(state, i);
    }
    const auto published = tools_.folder.publish(artifact_.pattern, all, former_);
    if (published.how == Published::How::conflict) refuse("was changed by hand");
    check(published.cause, published.operation);
    check(file_.open(all.size()), "open");
    unconfirmed_ = true;
    must_rewrite_ = false;
    Event event;
    event.kind = EventKind::exported;
    event.stage = tools_.graph.nodes[node_].name;
    event.file = tools_.folder.full(artifact_.pattern);
    tools_.events.emit(std::move(event));
  }
  confirm_if_needed();
}

void Appending::confirm() {
  if (must_rewrite_) return;
  if (open_) check(file_.sync(), "fsync");
  const nlohmann::ordered_json json{{"path", artifact_.pattern},
                                    {"items", next_},
                                    {"sequence", sequence_.finish().hex()},
                                    {"bytes", file_.length()},
                                    {"digest", file_.digest().hex()}};
  auto draft =
      record::Draft::small(core::Kind::exported, core::own_key("appended", artifact_.pattern),
                           CodecId::json, json.dump());
  draft.generation = tools_.facts.next_generation(draft.key.path);
  if (const plan::Row* row = tools_.facts.current(draft.key.path)) {
    draft.erase.emplace_back(draft.key.path, row->generation);
  }
  const record::Committed record = tools_.recorder.commit(std::move(draft));
  tools_.facts.note(record.path, record.generation, record.head);
  unconfirmed_ = false;
}

}  // namespace resumable::exports
