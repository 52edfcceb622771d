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
      .decode = [](std::shared_ptr<const Payload> bytes, std::uint32_t) -> AnyValue {
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
/// know that key.
std::string Effects::begun_with(const Inside::Wanted& intent, const plan::Row& row,
                                const std::string& key) const {
  const auto value = inside_.load(intent, row, intent_type());
  const auto& recorded = *static_cast<const std::string*>(value.get());
  return recorded.size() == key.size() ? recorded : key;
}

AnyValue Effects::effect(Attempt& attempt, const EffectCall& call) {
  const Inside::Wanted effect = inside_.wanted(core::Kind::effect, call.name, call.inputs);
  const Inside::Wanted intent = inside_.wanted(core::Kind::intent, call.name, call.inputs);
  const Claim claim{inside_, effect};
  if (const auto row = inside_.find(effect)) {
    AnyValue value = inside_.load(effect, *row, call.type);
    inside_.tools().events.emit(inside_.event(EventKind::skipped, call.name));
    return value;
  }
  std::string key = this->key(effect, call.name);
  if (const auto intended = inside_.find(intent)) {
    key = begun_with(intent, *intended, key);
    const VerifiedValue found = call.verify(key);
    if (found.state == VerifiedValue::State::happened) {
      return outcome(call, effect, intent, found.value);
    }
    const bool approved = approved_at_ > intended->head.fence;
    if (found.state == VerifiedValue::State::unknown && !approved) ask(attempt, call, key);
  }
  if (attempt.must_stop()) throw Suspended{"stopped before " + effect.what};
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

// Records what it returned; the same commit erases the intent.
AnyValue Effects::outcome(const EffectCall& call, const Inside::Wanted& effect,
                          const Inside::Wanted& intent, const AnyValue& value) {
  std::vector<record::Draft> drafts;
  drafts.push_back(inside_.draft(effect, call.type, value.get()));
  const auto payload = drafts.front().payload;
  inside_.drop(intent, drafts.front());
  const record::Committed record = inside_.commit(std::move(drafts)).front();
  Event done = inside_.event(EventKind::committed, call.name);
  inside_.tools().events.emit(std::move(done), record);
  return call.type.decode(payload, call.type.version);
}

void Effects::ask(Attempt& attempt, const EffectCall& call, const std::string& key) {
  const std::string name = core::printable(call.name);
  const std::string message = fmt::format(
      "it is unknown whether '{}' has happened: the attempt ended in between. Look on "
      "the other side for idempotency key {}, then approve this stage: '{}' is called "
      "once more, with that same key",
      name, key, name);
  Event event = inside_.event(EventKind::uncertain, call.name);
  event.message = message;
  inside_.tools().events.emit(std::move(event));
  attempt.suspend(message);
  throw Suspended{message};
}

}  // namespace resumable::stage
