#include "stage/effects.hpp"

#include <fmt/format.h>

#include "core/text.hpp"

namespace resumable {
inline namespace v0 {

DidNotHappen::~DidNotHappen() = default;
DidNotHappen::DidNotHappen(const DidNotHappen&) noexcept = default;

}  // namespace v0
}  // namespace resumable

namespace resumable::stage {

using detail::AnyValue;
using detail::Attempt;
using detail::EffectCall;
using detail::VerifiedValue;

namespace {

/// The existence of the record is the intent; its payload has the key, for people.
const detail::ValueType& intent_type() {
  static const detail::ValueType type{
      .codec = CodecId::text,
      .schema = {},
      .encode = [](const void* key) -> std::shared_ptr<const Payload> {
        return std::make_shared<StringPayload>(*static_cast<const std::string*>(key));
      },
      // NOLINTNEXTLINE(performance-unnecessary-value-param): the table's signature
      .decode = [](std::shared_ptr<const Payload> bytes, const detail::SavedAs&) -> AnyValue {
        return std::make_shared<const std::string>(read_all(*bytes, 1024));
      }};
  return type;
}

}  // namespace

/// The same for every attempt and process; different for other content, and when a person requested
/// it again.
std::string Effects::key(const Inside::Wanted& wanted, std::string_view name) const {
  Digester digester;
  digester.add(inside_.tools().recorder.uid()).add(inside_.node().name);
  digester.add(inside_.subject().item).add(name).add(wanted.fingerprint);
  digester.add(std::to_string(epoch_));
  return digester.finish().hex();
}

/// An effect keeps the key with which it was begun, also in a fork of that run: the other side may
/// know that key. "" where that is not known any more.
std::string Effects::begun_with(const Inside::Begun& one, const std::string& key) const {
  std::string otherwise = one.own ? key : "";
  if (!one.row) return otherwise;
  const auto value = inside_.load(one.intent, *one.row, intent_type()).value;
  const auto& recorded = *static_cast<const std::string*>(value.get());
  return recorded.size() == key.size() ? recorded : otherwise;
}

bool Effects::approved(const Inside::Begun& one) const {
  return one.row && approved_at_ > one.row->head.fence;
}

// An effect of this name may have been begun for other inputs, by other code, or before a redo: it
// is not known whether that one has happened, so it is settled before this one goes out.
AnyValue Effects::effect(Attempt& attempt, const EffectCall& call) {
  const Inside::Wanted effect = inside_.wanted(core::Kind::effect, call.name, call.inputs);
  const Inside::Wanted intent = inside_.wanted(core::Kind::intent, call.name, call.inputs);
  const Claim claim{inside_, effect};
  if (const auto row = inside_.find(effect)) {
    AnyValue value = inside_.load(effect, *row, call.type).value;
    inside_.tools().events.emit(inside_.event(EventKind::skipped, call.name));
    return value;
  }
  std::string key = this->key(effect, call.name);
  std::vector<Unknown> unknown;
  std::vector<Inside::Begun> settled;
  for (const Inside::Begun& one : inside_.begun(intent, effect)) {
    const std::string begun = begun_with(one, key);
    if (one.own) key = begun;
    const VerifiedValue found = begun.empty() ? VerifiedValue{} : call.verify(begun);
    const bool happened = found.state == VerifiedValue::State::happened;
    if (happened && one.own) return outcome(call, effect, intent, found.value);
    if (found.state == VerifiedValue::State::unknown && !approved(one)) {
      if (!one.row) restore(one, begun);
      unknown.push_back({begun, one.own});
    } else if (!one.own) {
      settled.push_back(one);
      if (happened) tell(call, fmt::format("it has happened for other inputs, with key {}", begun));
    }
  }
  if (!unknown.empty()) ask(attempt, call, unknown, key);
  if (attempt.must_stop()) throw Suspended{"stopped before " + effect.what};
  for (const Inside::Begun& one : settled) inside_.settle(one);
  std::vector<record::Draft> drafts;
  drafts.push_back(inside_.draft(intent, intent_type(), &key));
  inside_.commit(std::move(drafts));
  try {
    return outcome(call, effect, intent, call.body(key));
  } catch (const DidNotHappen&) {
    inside_.withdraw(intent);
    throw;
  }
}

/// A damaged intent is written again: only an approval that is later than it counts.
void Effects::restore(const Inside::Begun& one, std::string key) {
  Inside::Wanted intent = one.intent;
  if (!one.own) intent.fingerprint = {};
  std::vector<record::Draft> drafts;
  drafts.push_back(inside_.draft(intent, intent_type(), &key));
  inside_.commit(std::move(drafts));
}

// Records what it returned.
AnyValue Effects::outcome(const EffectCall& call, const Inside::Wanted& effect,
                          const Inside::Wanted& intent, const AnyValue& value) {
  std::vector<record::Draft> drafts;
  drafts.push_back(inside_.draft(effect, call.type, value.get()));
  const auto payload = drafts.front().payload;
  inside_.settle(intent, drafts);
  const record::Committed record = inside_.commit(std::move(drafts)).front();
  Event done = inside_.event(EventKind::committed, call.name);
  inside_.tools().events.emit(std::move(done), record);
  return call.type.decode(payload, call.type.version);
}

void Effects::tell(const EffectCall& call, std::string message) {
  Event event = inside_.event(EventKind::uncertain, call.name);
  event.message = std::move(message);
  inside_.tools().events.emit(std::move(event));
}

void Effects::ask(Attempt& attempt, const EffectCall& call, const std::vector<Unknown>& unknown,
                  const std::string& key) {
  const std::string name = core::printable(call.name);
  std::string keys;
  for (const Unknown& one : unknown) {
    if (!keys.empty()) keys += " and for ";
    keys += one.key.empty() ? "a call whose idempotency key is in a damaged record"
                            : "idempotency key " + one.key;
    if (!one.own) keys += unknown.size() > 1 ? ", which is of other inputs," : " of other inputs";
  }
  if (keys.ends_with(',')) keys.pop_back();
  const std::string same = unknown.front().own ? "once more, with that same key"
                                               : "for the present inputs, with key " + key;
  const std::string message = fmt::format(
      "it is unknown whether '{}' has happened: the attempt ended in between. Look on the other "
      "side for {}, then approve this stage: '{}' is called {}",
      name, keys, name, same);
  tell(call, message);
  attempt.suspend(message);
  throw Suspended{message};
}

}  // namespace resumable::stage
