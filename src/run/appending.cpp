#include "run/appending.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/key.hpp"
#include "resumable/error.hpp"

namespace resumable::inline v0::run {

void Appending::refuse(std::string_view how) const {
  const std::string& stage = tools_.graph.nodes[node_].name;
  throw Error(
      Errc::edited,
      {.what = fmt::format("'{}', to which stage '{}' appends, {}", artifact_.pattern, stage, how),
       .stage = stage,
       .file = tools_.folder.full(artifact_.pattern),
       .kept = "the file is untouched; what the stage's items gave is saved",
       .next = "move the file away and resume: it is written anew, nothing reruns"});
}

void Appending::check(std::error_code error, std::string_view operation) const {
  if (!error) return;
  if (error == std::errc::file_exists) refuse("was changed while this program ran");
  throw Error(Errc::store_failed,
              {.what = fmt::format("'{}' could not be appended to", artifact_.pattern),
               .stage = tools_.graph.nodes[node_].name,
               .operation = std::string{operation},
               .file = tools_.folder.full(artifact_.pattern),
               .kept = "what the stage's items gave is saved",
               .next = "mend the cause and resume: nothing reruns",
               .cause = error});
}

bool Appending::is_done(const plan::NodeState& state, std::size_t place) const {
  const std::size_t item = state.list->find(order_[place], place);
  return item < state.items.size() && state.items[item].action == Action::skip &&
         state.items[item].known;
}

/// The order of a queue is settled as far as those are done whose children come next.
void Appending::follow_order(const plan::NodeState& state) {
  const auto& keys = state.list->keys;
  const bool grows = tools_.graph.nodes[node_].grows;
  const std::size_t roots = grows ? keys.size() - state.list->grown.size() : keys.size();
  if (order_.empty()) {
    for (std::size_t i = 0; i < roots; ++i) {
      if (!state.list->repeats.contains(i)) order_.push_back(keys[i]);
    }
  }
  for (; grows && expanded_ < order_.size() && is_done(state, expanded_); ++expanded_) {
    for (const std::string& key : tools_.facts.first_enqueued_by(tools_.graph.nodes[node_].name,
                                                                 order_[expanded_], *state.list)) {
      order_.push_back(key);
    }
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
  const auto known = tools_.facts.appended(artifact_.pattern);
  const auto look =
      artifact::GrowingFile::look(tools_.folder, artifact_.pattern, known ? known->bytes : 0);
  const bool missing = look.error == std::errc::no_such_file_or_directory;
  if (look.error && !missing) refuse("cannot be read (" + look.error.message() + ")");
  if (!known) {
    if (!missing) refuse("is a file that is not ours");
    return confirm();  // from now on it is
  }
  if (missing) return;
  if (look.size < known->bytes || look.digest != known->digest) refuse("was changed by hand");
  check(file_.open(known->bytes), "open");
  open_ = true;
  anew_ = !begins_as_recorded(state, *known);
  if (!anew_) take_tail(state, value);
}

/// What was appended after the last confirmation, by a process that was killed.
void Appending::take_tail(const plan::NodeState& state, ValueOf value) {
  std::string text;
  for (; next_ < order_.size() && is_done(state, next_); count(state, next_)) {
    text = text_of(state, next_, value);
    if (!file_.accept(text)) break;
    unconfirmed_ = unconfirmed_ || !text.empty();
    text.clear();
  }
  bool copied = false;
  check(file_.cut_tail(text, copied), "ftruncate");
  if (copied) {
    tools_.warnings.push_back(
        fmt::format("'{}' had bytes at its end that no item's text is: they are kept in "
                    ".resumable/removed",
                    tools_.folder.full(artifact_.pattern)));
  }
}

void Appending::advance(const plan::NodeState& state, ValueOf value) {
  follow_order(state);
  if (anew_) return;
  for (; next_ < order_.size() && is_done(state, next_); count(state, next_)) {
    if (!open_) check(file_.create(), "open");
    open_ = true;
    unconfirmed_ = true;
    check(file_.append(text_of(state, next_, value)), "write");
  }
}

void Appending::finish(const plan::NodeState& state, ValueOf value) {
  advance(state, value);
  if (anew_) {
    std::string all;
    sequence_ = {};
    for (std::size_t i = 0; i < order_.size(); ++i) {
      all += text_of(state, i, value);
      count(state, i);
    }
    const artifact::Found found = tools_.folder.look(artifact_.pattern);
    const auto published = tools_.folder.publish(artifact_.pattern, all, found.digest);
    if (published.how == artifact::Published::How::conflict) refuse("was changed by hand");
    check(published.cause, published.operation);
    check(file_.open(all.size()), "open");
    unconfirmed_ = true;
    anew_ = false;
    Event event;
    event.kind = EventKind::exported;
    event.stage = tools_.graph.nodes[node_].name;
    event.file = tools_.folder.full(artifact_.pattern);
    tools_.events.emit(std::move(event));
  }
  confirm_if_needed();
}

void Appending::confirm() {
  if (anew_) return;
  if (open_) check(file_.sync(), "fsync");
  Draft draft;
  draft.key = core::own_key("appended", artifact_.pattern);
  draft.generation = tools_.facts.next_generation(draft.key.path);
  if (const plan::Row* row = tools_.facts.current(draft.key.path)) {
    draft.erase.emplace_back(draft.key.path, row->generation);
  }
  draft.head.kind = core::Kind::exported;
  draft.head.codec = CodecId::json;
  draft.payload = std::make_shared<StringPayload>(nlohmann::ordered_json{
      {"path", artifact_.pattern},
      {"items", next_},
      {"sequence", sequence_.finish().hex()},
      {"bytes", file_.length()},
      {"digest", file_.digest().hex()}}.dump());
  draft.header.payload_digest = core::digest_of(*draft.payload);
  draft.head.identity = draft.header.payload_digest;
  const Committed record = tools_.recorder.commit(std::move(draft));
  tools_.facts.note(record.path, record.generation, record.head);
  unconfirmed_ = false;
}

}  // namespace resumable::inline v0::run
