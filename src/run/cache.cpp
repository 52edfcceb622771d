#include "run/cache.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/key.hpp"
#include "core/shape.hpp"
#include "core/time.hpp"
#include "resumable/error.hpp"

namespace resumable::inline v0::run {

using detail::AnyValue;
using detail::CacheCall;

namespace {

constexpr std::string_view cache_run = "@cache";
constexpr std::string_view uid = "cache";
/// Another process holds the cache for one commit only.
constexpr std::chrono::seconds patience{10};

}  // namespace

/// The newest record at a path, and what is to be erased with the next.
struct Cache::Entry {
  std::string path;
  std::uint64_t generation = 0;  ///< 0: there is none
  bool damaged = false;
};

Cache::Entry Cache::find(const std::string& path) const {
  Entry entry{path};
  store_.scan(cache_run, {.prefix = path}, [&](const Found& found) {
    if (found.id.path != path) return true;
    entry.generation = found.id.generation;
    entry.damaged = found.damage != Damage::none || found.quarantined;
    return true;
  });
  return entry;
}

/// nullptr when it cannot be taken: too old, of another type, or damaged.
AnyValue Cache::value(const Entry& entry, const CacheCall& call) const {
  const auto stored = store_.get(cache_run, {entry.path, entry.generation});
  if (!stored) return nullptr;
  const auto [damage, head] = core::decode_tag(stored->tag, {uid, entry.path, entry.generation});
  const auto header = core::decode_header(stored->header, stored->tag);
  if (damage != Damage::none || !header || !core::payload_matches(*header, *stored->payload)) {
    throw DamagedRecord{entry.path, entry.generation};
  }
  const auto& max_age = call.options.max_age;
  const auto at = core::parse_utc(header->at);
  if (max_age.count() > 0 && at && clock_.wall() - *at > max_age) return nullptr;
  const std::string shape = call.type.shape != nullptr ? call.type.shape() : std::string{};
  const bool same_shape = shape.empty() || head.shape == core::shape_hash(shape);
  if (head.codec != call.type.codec || head.schema > call.type.version ||
      (head.schema == call.type.version && !same_shape)) {
    return nullptr;
  }
  return call.type.decode(stored->payload, head.schema);
}

AnyValue Cache::cached(const Inside& inside, detail::Attempt& attempt, const CacheCall& call) {
  const std::string name = inside.wanted(core::Kind::step, call.name).what;  // proves the name
  core::Key key = core::own_key("cache", call.name);
  const std::string content = call.inputs.digest().value_or(digest("")).hex();
  key.path += "/" + content;
  key.full += "/" + content;
  Events& events = inside.tools().events;
  const auto tell = [&](std::string_view what, std::string_view why) {
    Event event = inside.event(EventKind::cache_missed, call.name);
    event.message = fmt::format("{} is {}: {}", name, what, why);
    events.emit(std::move(event));
  };
  const auto miss = [&](std::string_view why) { tell("computed anew", why); };
  Entry entry{key.path};
  try {
    entry = find(key.path);
    if (entry.generation != 0 && !entry.damaged) {
      if (AnyValue value = this->value(entry, call)) {
        events.emit(inside.event(EventKind::skipped, call.name));
        return value;
      }
      miss("the cached one is too old, or its type has changed");
    } else if (entry.damaged) {
      miss("the cached one is damaged");
    }
  } catch (const DamagedRecord&) {
    entry.damaged = true;
    miss("the cached one is damaged");
  } catch (const Error& error) {
    miss(error.what());
  }
  if (attempt.must_stop()) throw Suspended{"stopped before " + name};
  AnyValue value = call.body();
  const auto payload = call.type.encode(value.get());
  value = call.type.decode(payload, call.type.version);
  try {
    save(key, std::move(entry), call, value.get(), attempt.token());
  } catch (const Error& error) {
    tell("not kept in the cache", error.what());
  }
  return value;
}

void Cache::save(const core::Key& key, Entry entry, const CacheCall& call, const void* value,
                 const std::stop_token& stop) {
  const std::scoped_lock lock{guard_};
  const auto lease = store_.lease(cache_run, {.wait = patience, .stop = stop});
  Recorder recorder{*lease, clock_, std::string{uid}, std::string{}};
  const Entry now = find(key.path);
  if (entry.damaged && now.generation == entry.generation && entry.generation != 0) {
    static_cast<void>(lease->quarantine({entry.path, entry.generation}));
  }
  const std::string shape = call.type.shape != nullptr ? call.type.shape() : std::string{};
  Draft draft;
  draft.key = key;
  draft.generation = now.generation + 1;
  draft.head.kind = core::Kind::step;
  draft.head.codec = call.type.codec;
  draft.head.schema = call.type.version;
  draft.head.shape = shape.empty() ? 0 : core::shape_hash(shape);
  draft.header.schema_name = std::string{call.type.schema};
  draft.header.shape = shape;
  draft.payload = call.type.encode(value);
  draft.header.payload_digest = core::digest_of(*draft.payload);
  draft.head.identity = draft.header.payload_digest;
  if (now.generation != 0 && !now.damaged && !entry.damaged) {
    draft.erase.emplace_back(key.path, now.generation);
  }
  recorder.commit(std::move(draft));
}

}  // namespace resumable::inline v0::run
