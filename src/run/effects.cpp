#include "run/effects.hpp"

#include <fmt/format.h>

#include "core/text.hpp"

namespace resumable::inline v0 {

DidNotHappen::~DidNotHappen() = default;
DidNotHappen::DidNotHappen(const DidNotHappen&) noexcept = default;

namespace run {

using detail::AnyValue;
using detail::Attempt;
using detail::EffectCall;
using detail::VerifiedValue;

namespace {

/// An intent is its record's being there; its payload names the key, for people.
const detail::ValueType& intent_type() {
  static const detail::ValueType type{
      .codec = CodecId::text,
      .schema = {},
      .encode = [](const void* key) -> std::shared_ptr<const Payload> {
        return std::make_shared<StringPayload>(*static_cast<const std::string*>(key));
      }};
  return type;
}

}  // namespace

/// The same for every attempt and process; another one for other content, and when a person asked
/// for it again.
std::string Effects::key(const Inside::Wanted& wanted, std::string_view name) const {
  Digester digester;
  digester.add(inside_.tools().recorder.uid()).add(inside_.node().name);
  digester.add(inside_.subject().item).add(name).add(wanted.fingerprint);
  digester.add(std::to_string(epoch_));
  return digester.finish().hex();
}

AnyValue Effects::effect(Attempt& attempt, const EffectCall& call) {
  Inside::Wanted effect = inside_.wanted(core::Kind::effect, call.name);
  Inside::Wanted intent = inside_.wanted(core::Kind::intent, call.name);
  if (const auto& declared = call.inputs.digest()) {
    effect.fingerprint = intent.fingerprint = *declared;
    effect.revision = intent.revision = 0;
  }
  if (const auto row = inside_.find(effect)) {
    AnyValue value = inside_.load(effect, *row, call.type);
    inside_.tools().events.emit(inside_.event(EventKind::skipped, call.name));
    return value;
  }
  const std::string key = this->key(effect, call.name);
  if (const auto intended = inside_.find(intent)) {
    const VerifiedValue found = call.verify(key);
    if (found.state == VerifiedValue::State::happened) {
      return outcome(call, effect, intent, found.value);
    }
    const bool approved = approved_at_ > intended->head.fence;
    if (found.state == VerifiedValue::State::unknown && !approved) ask(attempt, call, key);
  }
  if (attempt.must_stop()) throw Suspended{"stopped before " + effect.what};
  std::vector<Draft> drafts;
  drafts.push_back(inside_.draft(intent, intent_type(), &key));
  inside_.commit(std::move(drafts));
  try {
    return outcome(call, effect, intent, call.body(key));
  } catch (const DidNotHappen&) {
    inside_.withdraw(intent);
    throw;
  }
}

/// What it gave, on record; the intent goes with the same commit.
AnyValue Effects::outcome(const EffectCall& call, const Inside::Wanted& effect,
                          const Inside::Wanted& intent, const AnyValue& value) {
  std::vector<Draft> drafts;
  drafts.push_back(inside_.draft(effect, call.type, value.get()));
  const auto payload = drafts.front().payload;
  inside_.drop(intent, drafts.front());
  const Committed record = inside_.commit(std::move(drafts)).front();
  Event done = inside_.event(EventKind::committed, call.name);
  done.save_seconds = record.seconds;
  done.bytes = record.bytes;
  inside_.tools().events.emit(std::move(done));
  return call.type.decode(payload, call.type.version);
}

void Effects::ask(Attempt& attempt, const EffectCall& call, const std::string& key) {
  const std::string name = core::printable(call.name);
  const std::string message = fmt::format(
      "it is not known whether '{}' has happened: the attempt ended in between. Look on "
      "the other side for idempotency key {}, then approve this stage: '{}' is called "
      "once more, with that same key",
      name, key, name);
  Event event = inside_.event(EventKind::uncertain, call.name);
  event.message = message;
  inside_.tools().events.emit(std::move(event));
  attempt.suspend(message);
  throw Suspended{message};
}

}  // namespace run
}  // namespace resumable::inline v0
