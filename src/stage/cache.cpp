#include "stage/cache.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/key.hpp"
#include "core/time.hpp"
#include "resumable/detail/packed_json.hpp"
#include "resumable/detail/saturating.hpp"
#include "resumable/error.hpp"
#include "value/left_files.hpp"
#include "value/nested_schemas.hpp"
#include "value/redaction.hpp"

namespace resumable::stage {

using detail::AnyValue;
using detail::CacheCall;

namespace {

constexpr std::string_view cache_run = "@cache";
constexpr std::string_view uid = "cache";
/// Another process holds the cache for one commit only.
constexpr std::chrono::seconds patience{10};

/// Writes an entry of a store's own cache, which needs no lease, as a lease writes a record.
class EntryWriter final : public Lease {
 public:
  EntryWriter(ContentCache& cache, Wait wait, bool over)
      : Lease(0), cache_(cache), wait_(std::move(wait)), over_(over) {}

 private:
  Ticket do_commit(const Batch& batch, const CommitOptions& /*there is no choice*/) override {
    for (const Put& put : batch.puts) {
      // Another run may have been faster: its entry is as good.
      if (over_) cache_.replace(put, wait_);
      if (!over_) static_cast<void>(cache_.put_if_absent(put, wait_));
    }
    return 1;
  }
  void do_manifest(std::string_view /*there is none*/, const Wait& /*wait*/) override {}
  std::string do_quarantine(RecordId id, const Wait& /*nothing to wait for*/) override {
    return std::string{id.path};
  }

  ContentCache& cache_;
  Wait wait_;
  bool over_;
};

}  // namespace

/// The newest record at a path.
struct Cache::Entry {
  std::string path;
  std::uint64_t generation = 0;  ///< 0: there is none
  bool damaged = false;
  std::optional<StoredRecord> record{};  ///< when it is whole
};

Cache::Cache(CheckpointStore& store, sys::Clock& clock, std::function<Wait()> wait)
    : store_(store),
      content_(store.capability<ContentCache>()),
      clock_(clock),
      wait_(std::move(wait)) {}

Cache::Entry Cache::find(const std::string& path) const {
  Entry entry{path};
  if (content_ != nullptr) {
    try {
      entry.record = content_->find(path, wait_());
      entry.generation = entry.record ? 1 : 0;
    } catch (const Error& error) {
      if (error.errc() != Errc::damaged && error.errc() != Errc::foreign) throw;
      entry.generation = 1;
      entry.damaged = true;
    }
    return entry;
  }
  store_.scan(cache_run, {.prefix = path}, [&](const RecordHead& found) {
    if (found.id.path != path) return true;
    entry.generation = found.id.generation;
    entry.damaged = found.damage != Damage::none || found.quarantined;
    return true;
  });
  if (entry.generation != 0 && !entry.damaged) {
    entry.record = store_.get(cache_run, {path, entry.generation});
  }
  return entry;
}

/// nullptr when it cannot be taken: too old, of another type, or without a file that it left.
AnyValue Cache::value(const Entry& entry, const CacheCall& call) const {
  const auto& stored = entry.record;
  if (!stored) return nullptr;
  const auto [damage, head] = core::decode_tag(stored->tag, {uid, entry.path, entry.generation});
  const auto header = core::decode_header(stored->header, stored->tag);
  if (damage != Damage::none || !header || !core::payload_matches(*header, *stored->payload)) {
    throw record::DamagedRecord{entry.path, entry.generation};
  }
  const auto& max_age = call.options.max_age;
  const auto at = core::parse_utc(header->at);
  if (max_age.count() > 0 && at && *at < detail::earlier(clock_.wall(), max_age)) return nullptr;
  const detail::TypeShape shape = call.type.shape_now();
  const auto changes =
      value::schema_changes(header->schemas, shape, head.schema == call.type.version);
  const bool readable =
      std::all_of(changes.begin(), changes.end(), [](const value::SchemaChange& change) {
        return change.what == value::SchemaChange::What::migrated;
      });
  const bool same_shape = shape.fields.empty() || header->shape == shape.fields || !changes.empty();
  if (detail::unpacked(head.codec) != call.type.codec || head.schema > call.type.version ||
      !readable || (head.schema == call.type.version && !same_shape)) {
    return nullptr;
  }
  auto payload = stored->payload;
  if (detail::is_packed_json(head.codec)) {
    payload = std::make_shared<StringPayload>(detail::unpack_json(head.codec, read_all(*payload)));
  }
  if (head.leaves_files() && !value::changed_file(read_all(*payload), false).empty()) {
    return nullptr;
  }
  return call.type.decode(std::move(payload), {head.schema, header->schemas});
}

AnyValue Cache::cached(const Inside& inside, detail::Attempt& attempt, const CacheCall& call) {
  const std::string name = inside.wanted(core::Kind::step, call.name).what;  // proves the name
  core::Key key = core::own_key("cache", call.name);
  const std::string content = call.inputs.digest().value_or(digest("")).hex();
  key.path += "/" + content;
  key.full += "/" + content;
  record::Events& events = inside.tools().events;
  const auto tell = [&](std::string_view what, std::string_view why) {
    Event event = inside.event(EventKind::cache_missed, call.name);
    event.message = fmt::format("{} is {}: {}", name, what, why);
    events.emit(std::move(event));
  };
  const auto miss = [&](std::string_view why) { tell("computed again", why); };
  Entry entry{key.path};
  try {
    entry = find(key.path);
    if (entry.generation != 0 && !entry.damaged) {
      if (AnyValue value = this->value(entry, call)) {
        events.emit(inside.event(EventKind::skipped, call.name));
        return value;
      }
      miss("the cached one is too old, or its type or a file that it left in place has changed");
    } else if (entry.damaged) {
      miss("the cached one is damaged");
    }
  } catch (const record::DamagedRecord&) {
    entry.damaged = true;
    miss("the cached one is damaged");
  } catch (const Error& error) {
    miss(error.what());
  }
  if (attempt.must_stop()) throw Suspended{"stopped before " + name};
  AnyValue value = call.body();
  const value::LeftFiles left;
  const auto payload = value::encode(inside.tools().graph, call.type, value.get());
  auto draft = record::Draft::value(core::Kind::step, key, call.type, payload);
  if (left.any()) draft.head.set(core::in_place);
  value = call.type.decode(payload, call.type.version);
  try {
    save(entry, std::move(draft), attempt.token());
  } catch (const Error& error) {
    tell("not kept in the cache", error.what());
  }
  return value;
}

void Cache::save(const Entry& entry, record::Draft draft, const std::stop_token& stop) {
  if (content_ != nullptr) {
    EntryWriter writer{*content_, wait_(), entry.generation != 0};
    record::Recorder{writer, clock_, std::string{uid}, std::string{}}.commit(std::move(draft));
    return;
  }
  const std::scoped_lock lock{guard_};
  const auto lease = store_.lease(cache_run, {.wait = patience, .stop = stop});
  record::Recorder recorder{*lease, clock_, std::string{uid}, std::string{}};
  const Entry now = find(entry.path);
  if (entry.damaged && now.generation == entry.generation && entry.generation != 0) {
    static_cast<void>(lease->quarantine({entry.path, entry.generation}));
  }
  draft.generation = now.generation + 1;
  if (now.generation != 0 && !now.damaged && !entry.damaged) {
    draft.erase.emplace_back(entry.path, now.generation);
  }
  recorder.commit(std::move(draft));
}

}  // namespace resumable::stage
