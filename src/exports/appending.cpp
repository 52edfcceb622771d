#include "exports/appending.hpp"

#include <fmt/format.h>

#include "core/key.hpp"
#include "core/remedy.hpp"
#include "exports/publisher.hpp"
#include "resumable/error.hpp"

namespace resumable::exports {

void Appending::refuse(std::string_view how) {
  failed_ = true;
  const std::string& stage = tools_.graph.nodes[node_].shown();
  throw Error(
      Errc::edited,
      {.what = fmt::format("'{}', to which stage '{}' appends, {}", artifact_.pattern, stage, how),
       .stage = stage,
       .file = tools_.folder.full(artifact_.pattern),
       .kept = "the file is untouched; the results of the items are saved",
       .next = "move the file away and resume: it is written again, nothing reruns"});
}

/// A user has changed the file since the plan was made: the next call adopts the edit.
void Appending::leave() {
  left_ = true;
  tell_edited(tools_.events, tools_.graph.nodes[node_].shown(), {},
              tools_.folder.full(artifact_.pattern));
}

/// After an error nothing that this call did to the file is trusted or recorded: the next call
/// compares the file with what belongs in it.
void Appending::check(std::error_code error, std::string_view operation) {
  if (!error) return;
  failed_ = true;
  throw Error(Errc::store_failed,
              {.what = fmt::format("'{}' could not be appended to", artifact_.pattern),
               .stage = tools_.graph.nodes[node_].shown(),
               .operation = std::string{operation},
               .file = tools_.folder.full(artifact_.pattern),
               .kept = "what the stage's items gave is saved",
               .next = core::remedy(error, "fix the cause") + " and resume: nothing reruns",
               .cause = error});
}

bool Appending::is_done(const plan::NodeState& state, std::size_t place) const {
  const std::size_t item = state.list->find(order_[place], place);
  return item < state.items.size() && state.items[item].action == Action::skip &&
         state.items[item].known;
}

/// The order of a queue is settled up to the first item that is not done, because its children come
/// next. An item that several others have enqueued belongs to the first of them in this order,
/// whichever finished first: so parents are expanded in this order, and a child that is already
/// there is skipped.
void Appending::follow_order(const plan::NodeState& state) {
  const auto place = [&](const std::string& key) {
    if (placed_.insert(key).second) order_.push_back(key);
  };
  const auto& keys = state.list->keys;
  const detail::Node& node = tools_.graph.nodes[node_];
  if (state.closed) {  // what follows is of the items that it has
    std::erase_if(order_, [&](const std::string& key) {
      return state.list->find(key, keys.size()) == keys.size();
    });
  }
  const std::size_t roots = node.grows ? keys.size() - state.list->grown.size() : keys.size();
  if (order_.empty()) {
    for (std::size_t i = 0; i < roots; ++i) place(std::string{keys[i]});
  }
  for (; node.grows && !state.closed && expanded_ < order_.size() && is_done(state, expanded_);
       ++expanded_) {
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
  const Digest& identity = state.items[item].identity;
  sequence_.add(order_[place]).add(identity);
  if (artifact_.parse) parts_.push_back({order_[place], identity});
  next_ = place + 1;
}

bool Appending::begins_as_recorded(const plan::NodeState& state, const AppendedSoFar& known) {
  for (std::size_t i = 0; i < known.items; ++i) {
    if (i >= order_.size() || !is_done(state, i)) return false;
    count(state, i);
  }
  return sequence_.finish() == known.sequence;
}

/// The content of the file; nullopt: there is nothing to do with it now.
std::optional<AppendedSoFar> Appending::find_known() {
  auto known = tools_.ledger.appended(artifact_.pattern);
  const bool foreign = !known && tools_.ledger.adopting();
  const auto look = GrowingFile::look(tools_.folder, artifact_.pattern,
                                      known     ? known->bytes
                                      : foreign ? UINT64_MAX
                                                : 0);
  const bool missing = look.error == std::errc::no_such_file_or_directory;
  if (look.error && !missing && !is_change(look.error)) check(look.error, "read");
  if (look.error && !missing) refuse("cannot be read (" + look.error.message() + ")");
  if (!known && missing) {
    confirm();  // from now on what is there is ours
    return std::nullopt;
  }
  if (missing) return std::nullopt;
  if (foreign) return AppendedSoFar{0, {}, look.size, look.digest, {}, true};
  if (!known) refuse("is a foreign file");
  if (look.size >= known->bytes && look.digest == known->digest) {
    known->former.reset();
    return known;
  }
  if (tools_.ledger.look_appended(artifact_.pattern).state == plan::AppendedLook::State::as_left) {
    const auto whole = GrowingFile::look(tools_.folder, artifact_.pattern, UINT64_MAX);
    check(whole.error, "read");
    const bool former = known->former && known->former->digest == whole.digest;
    // Otherwise the record of it is lost: a copy is kept, as of an edit.
    return AppendedSoFar{0, {}, whole.size, whole.digest, {}, known->edited || !former};
  }
  leave();
  return std::nullopt;
}

void Appending::begin(const plan::NodeState& state, ValueOf value) {
  follow_order(state);
  const auto known = find_known();
  if (!known) return;
  check(file_.open(known->bytes), "open");
  open_ = true;
  edited_ = known->edited;
  must_rewrite_ = !begins_as_recorded(state, *known);
  if (!must_rewrite_) {
    unconfirmed_ = parts_.size() != known->parts.size();
    return take_tail(state, value);
  }
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

/// Cuts off the bytes after those that are certain; keeps a copy unless they are the beginning of
/// `expected`.
void Appending::cut_tail(std::string_view expected) {
  bool copied = false;
  check(file_.cut_tail(expected, copied), "ftruncate");
  if (copied) {
    tools_.warnings.push_back(
        fmt::format("'{}' ended with bytes that belong to no item: they are kept in {}/removed",
                    tools_.folder.full(artifact_.pattern), core::own_folder));
  }
}

void Appending::advance(const plan::NodeState& state, ValueOf value) {
  follow_order(state);
  if (must_rewrite_ || failed_ || left_) return;
  for (; next_ < order_.size() && is_done(state, next_); count(state, next_)) {
    if (!open_) {
      const auto error = file_.create();
      if (error == std::errc::file_exists) return leave();
      check(error, "open");
    }
    open_ = true;
    unconfirmed_ = true;
    tools_.recorder.flush();
    const auto error = file_.append(text_of(state, next_, value));
    if (error == std::errc::file_exists) return leave();
    check(error, "write");
    mark();
  }
}

void Appending::finish(const plan::NodeState& state, ValueOf value) {
  advance(state, value);
  if (failed_) return;
  if (must_rewrite_ && !left_) rewrite(state, value);
  confirm_if_needed();
}

/// The new content is recorded first: if the process is killed in between, the next one recognises
/// the file.
void Appending::rewrite(const plan::NodeState& state, ValueOf value) {
  const AppendedSoFar::Former former{file_.length(), former_};
  std::string all;
  sequence_ = {};
  parts_.clear();
  for (std::size_t i = 0; i < order_.size(); ++i) {
    all += text_of(state, i, value);
    count(state, i);
  }
  const Digest content = digest(all);
  if (content != former_) {
    const auto look = GrowingFile::look(tools_.folder, artifact_.pattern, UINT64_MAX);
    if (look.error && !is_change(look.error)) check(look.error, "read");
    if (look.error || look.digest != former_) return leave();
    if (edited_) check(tools_.folder.keep_copy(artifact_.pattern), "copy");
    AppendedSoFar next = so_far(all.size(), content);
    next.former = former;
    commit(std::move(next));
    const auto published =
        tools_.folder.publish(artifact_.pattern, all, former_, mark_name(), generation());
    if (published.how == Published::How::conflict) return leave();
    check(published.cause, published.operation);
    edited_ = false;
    check(file_.open(all.size()), "open");
    Event event;
    event.kind = EventKind::exported;
    event.stage = tools_.graph.nodes[node_].shown();
    event.file = tools_.folder.full(artifact_.pattern);
    tools_.events.emit(std::move(event));
  }
  unconfirmed_ = true;
  must_rewrite_ = false;
}

AppendedSoFar Appending::so_far(std::uint64_t bytes, const Digest& content) const {
  return {next_, sequence_.finish(), bytes, content, parts_, edited_};
}

void Appending::confirm() {
  if (must_rewrite_) return;
  if (open_) check(file_.sync(), "fsync");
  commit(so_far(file_.length(), file_.digest()));
  mark();
  unconfirmed_ = false;
}

/// See marks.hpp. The order of a mark is the generation of the record.
void Appending::mark() {
  check(tools_.folder.marks().note(mark_name(), {file_.digest(), generation(), true}), "write");
}

std::string Appending::mark_name() const {
  return core::own_key("appended", artifact_.pattern).path;
}

std::uint64_t Appending::generation() const {
  const plan::Row* row = tools_.facts.current(mark_name());
  return row == nullptr ? 0 : row->generation;
}

void Appending::commit(AppendedSoFar known) {
  const record::Committed record =
      tools_.recorder.commit(appended_draft(tools_.facts, artifact_.pattern, known));
  tools_.facts.note(record.path, record.generation, record.head);
  tools_.ledger.note_appended(artifact_.pattern, std::move(known));
}

}  // namespace resumable::exports
