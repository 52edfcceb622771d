#include "stage/inside.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/key.hpp"
#include "core/savings.hpp"
#include "core/text.hpp"
#include "record/values.hpp"
#include "resumable/context.hpp"
#include "resumable/detail/packed_json.hpp"
#include "resumable/error.hpp"
#include "value/left_files.hpp"
#include "value/nested_schemas.hpp"
#include "value/redaction.hpp"

namespace resumable::stage {

using detail::AnyValue;
using detail::ValueType;

namespace {

bool is_of_loop(core::Kind kind) {
  return kind == core::Kind::progress || kind == core::Kind::history;
}

}  // namespace

std::string quoted(std::string_view what, std::string_view name) {
  return fmt::format("{} '{}'", what, core::printable(name));
}

Inside::Inside(Tools tools, Subject subject, InsideRecords on_record)
    : tools_(tools),
      subject_(std::move(subject)),
      records_(std::move(on_record)),
      ahead_(tools.facts) {
  for (const auto& [path, record] : records_) {
    const bool may_fit =
        record.row && !record.requested &&
        (record.row->head.fingerprint == subject_.fingerprint || core::has_inputs(path));
    if (may_fit) ahead_.expect(path, record.row->generation);
  }
}

Event Inside::event(EventKind kind, std::string_view step) const {
  Event event;
  event.kind = kind;
  event.stage = node().shown();
  event.item = subject_.item;
  event.step = std::string{step};
  return event;
}

Inside::Wanted Inside::wanted(core::Kind kind, std::string_view name) const {
  const std::string_view room = core::to_string(kind);
  if (name.empty() || name.size() > core::max_step_name_bytes || name.find('\0') != name.npos ||
      !core::is_utf8(name)) {
    throw Error(Errc::bad_name,
                {.what = fmt::format("the name of {} of stage '{}' is empty, too long or not text",
                                     quoted(room, name), node().shown()),
                 .stage = node().shown(),
                 .item = subject_.item,
                 .next = "give it a name of 1 to 1024 bytes of UTF-8"});
  }
  return {core::inside_key(room, node().name, subject_.item, name), kind, subject_.fingerprint,
          node().revision, quoted(room, name)};
}

Inside::Wanted Inside::wanted(core::Kind kind, std::string_view name,
                              const StepInputs& inputs) const {
  Wanted wanted = this->wanted(kind, name);
  const auto& declared = inputs.digest();
  if (!declared) return wanted;
  wanted.fingerprint = *declared;
  wanted.revision = 0;
  wanted.key.path = core::with_inputs(wanted.key.path, declared->hex());
  return wanted;
}

void Inside::claim(const Wanted& wanted) {
  {
    const std::scoped_lock lock{guard_};
    if (claimed_.insert(wanted.key.path).second) return;
  }
  const bool is_loop = is_of_loop(wanted.kind);
  throw Error(Errc::duplicate_name,
              {.what = fmt::format("{} of stage '{}' is used twice in one attempt", wanted.what,
                                   node().shown()),
               .stage = node().shown(),
               .item = subject_.item,
               .kept = "what was saved before",
               .next = is_loop ? "give each a name of its own by {.name = …}"
                               : "give each call a name of its own; in a loop, put the index or "
                                 "the key into the name"});
}

void Inside::release(const Wanted& wanted) {
  const std::scoped_lock lock{guard_};
  claimed_.erase(wanted.key.path);
}

void Inside::keep(const Wanted& wanted) {
  const std::scoped_lock lock{guard_};
  kept_.insert(wanted.key.path);
}

bool InsideRecord::fits(core::Kind kind, const Digest& fingerprint, std::uint32_t revision) const {
  return row && !requested && row->head.kind == kind && row->head.fingerprint == fingerprint &&
         row->head.revision == revision;
}

// What was withdrawn has no codec.
bool InsideRecord::is_begun() const {
  return row && !settled && row->head.kind == core::Kind::intent &&
         row->head.codec != CodecId::none;
}

std::optional<plan::Row> Inside::find(const Wanted& wanted) {
  const std::scoped_lock lock{guard_};
  used_.insert(wanted.key.path);
  const InsideRecord& found = records_[wanted.key.path];
  return found.fits(wanted.kind, wanted.fingerprint, wanted.revision) ? found.row : std::nullopt;
}

std::vector<std::string> Inside::following(const Wanted& wanted, const std::string& to) const {
  const std::scoped_lock lock{guard_};
  std::vector<std::string> paths;
  for (auto one = records_.upper_bound(wanted.key.path); one != records_.end() && one->first < to;
       ++one) {
    const bool fits = one->second.fits(wanted.kind, wanted.fingerprint, wanted.revision);
    if (fits) paths.push_back(one->first);
  }
  return paths;
}

std::vector<Inside::Begun> Inside::begun(const Wanted& intent, const Wanted& effect) const {
  const std::scoped_lock lock{guard_};
  std::vector<Begun> all;
  const auto add = [&](const std::string& path, const InsideRecord& record) {
    Begun one{.intent = intent, .row = record.lost ? std::nullopt : record.row};
    one.intent.key.path = path;
    one.own =
        path == intent.key.path &&
        (record.lost || (!record.requested && one.row->head.fingerprint == intent.fingerprint));
    all.insert(one.own ? all.begin() : all.end(), std::move(one));
  };
  // Only in this attempt's own call may one be found that the attempt itself has begun.
  const auto is_one = [&](const std::string& path, const InsideRecord& record) {
    return (record.is_begun() || record.lost) && (begun_.contains(path) || path == intent.key.path);
  };
  const std::string name{core::without_inputs(intent.key.path)};
  for (auto at = records_.lower_bound(name); at != records_.end() && at->first.starts_with(name);
       ++at) {
    const bool same_name = core::without_inputs(at->first) == name;
    if (same_name && is_one(at->first, at->second)) add(at->first, at->second);
  }
  // A damaged outcome shows that the effect has happened, but not what it gave.
  const auto outcome = records_.find(effect.key.path);
  if (outcome != records_.end() && outcome->second.lost && (all.empty() || !all.front().own)) {
    all.insert(all.begin(), Begun{.intent = intent, .row = std::nullopt, .own = true});
  }
  return all;
}

void Inside::settle(const Begun& one) {
  {
    const std::scoped_lock lock{guard_};
    begun_.erase(one.intent.key.path);
  }
  if (is_scarred(one.intent)) withdraw(one.intent);
}

/// A record that this program must not use as it is ends the stage, with advice on what to do.
void Inside::prove(const Wanted& wanted, const plan::Row& row, const ValueType& type) const {
  const core::Head& head = row.head;
  const auto refuse = [&](Errc code, std::string_view how) {
    throw Error(code, {.what = fmt::format("{} of stage '{}' {}", wanted.what, node().shown(), how),
                       .stage = node().shown(),
                       .item = subject_.item,
                       .file = tools_.facts.locate(wanted.key.path, row.generation),
                       .kept = "what was saved is kept as it is",
                       .next = "give the type a new schema version with a migration, or what saved "
                               "it a new revision"});
  };
  if (detail::unpacked(head.codec) != type.codec)
    refuse(Errc::codec_changed,
           fmt::format("was saved with another codec ({}, now {})",
                       static_cast<unsigned>(head.codec), static_cast<unsigned>(type.codec)));
  if (head.schema > type.version) {
    refuse(Errc::newer, fmt::format("was saved with schema {}; this program knows {} to {}",
                                    head.schema, type.oldest, type.version));
  }
  const detail::TypeShape shape = type.shape_now();
  const std::uint32_t hash = value::shape_hash(shape);
  if (head.schema != type.version || head.shape == 0 || hash == 0 || head.shape == hash) return;
  const auto header = tools_.facts.header(wanted.key.path, row.generation);
  if (!header) return;  // reading it says what is wrong
  const auto changes = value::schema_changes(header->schemas, shape, true);
  for (const value::SchemaChange& change : changes) {
    if (change.what == value::SchemaChange::What::newer) refuse(Errc::newer, text_of(change));
    if (change.what != value::SchemaChange::What::migrated) {
      refuse(Errc::no_migration, text_of(change));
    }
  }
  if (changes.empty() && header->shape != shape.fields) {
    refuse(Errc::shape_changed, "was saved with other fields");
  }
}

Inside::Loaded Inside::load(const Wanted& wanted, const plan::Row& row, const ValueType& type) {
  prove(wanted, row, type);
  if (type.codec == CodecId::none) return {};
  try {
    if (!tools_.facts.changed_file(wanted.key.path, row).empty()) {
      throw record::DamagedRecord{wanted.key.path, row.generation};
    }
    record::Saved saved = ahead_.take(wanted.key.path, row.generation);
    const std::uint64_t passes = saved.passes;
    if (is_of_loop(wanted.kind)) {
      const std::scoped_lock lock{guard_};
      const Savings spent{Seconds{saved.seconds}, saved.cost};
      continued_ = core::larger(continued_, spent);
      const bool earlier = row.head.fence < tools_.recorder.lease().fence();
      if (earlier) {
        continued_from_earlier_calls_ = core::larger(continued_from_earlier_calls_, spent);
      }
    }
    return {record::RunFacts::decoded(std::move(saved), row, type), passes};
  } catch (const record::DamagedRecord& damaged) {
    {
      const std::scoped_lock lock{guard_};
      damage_ = damaged;
    }
    throw Suspended{"a record inside the stage is damaged"};
  } catch (const Error& error) {
    if (error.errc() == Errc::cancelled) throw Suspended{error.what()};
    record::rethrow_with_place(error, node().shown(), subject_.item,
                               tools_.facts.locate(wanted.key.path, row.generation));
  }
}

record::Draft Inside::draft(const Wanted& wanted, const ValueType& type, const void* value) const {
  const value::LeftFiles left;
  auto payload = type.codec == CodecId::none ? nullptr : value::encode(tools_.graph, type, value);
  record::Draft draft = record::Draft::value(wanted.kind, wanted.key, type, std::move(payload));
  if (left.any()) draft.head.set(core::in_place);
  draft.head.revision = wanted.revision;
  draft.head.fingerprint = wanted.fingerprint;
  const std::scoped_lock lock{guard_};
  const auto found = records_.find(wanted.key.path);
  if (found == records_.end()) return draft;
  draft.generation = found->second.next;
  for (const std::uint64_t older : found->second.older) {
    draft.erase.emplace_back(wanted.key.path, older);
  }
  if (const auto& former = found->second.row; former && wanted.kind != core::Kind::progress) {
    draft.erase.emplace_back(wanted.key.path, former->generation);
  }
  return draft;
}

Savings Inside::spent(const Cost& so_far) const {
  const std::scoped_lock lock{guard_};
  Savings spent = continued_;
  spent.duration += tools_.clock.boot() - attempt_begun_;
  spent.cost += so_far;
  return spent;
}

Savings Inside::continued() const {
  const std::scoped_lock lock{guard_};
  return continued_;
}

Savings Inside::continued_from_earlier_calls() const {
  const std::scoped_lock lock{guard_};
  return continued_from_earlier_calls_;
}

void Inside::drop(const Wanted& wanted, record::Draft& with) {
  const std::scoped_lock lock{guard_};
  const auto found = records_.find(wanted.key.path);
  if (found == records_.end() || !found->second.row) return;
  with.erase.emplace_back(wanted.key.path, found->second.row->generation);
  found->second.row.reset();
}

void Inside::settle(const Wanted& intent, std::vector<record::Draft>& with) {
  if (is_scarred(intent)) with.push_back(tombstone(intent));
}

bool Inside::is_scarred(const Wanted& wanted) const {
  const std::scoped_lock lock{guard_};
  const auto found = records_.find(wanted.key.path);
  return found != records_.end() && found->second.scarred;
}

std::vector<record::Committed> Inside::commit(std::vector<record::Draft> drafts) {
  std::vector<record::Committed> done = tools_.recorder.commit(std::move(drafts));
  const std::scoped_lock lock{guard_};
  for (const record::Committed& record : done) {
    used_.insert(record.path);
    InsideRecord& place = records_[record.path];
    place.older.clear();
    if (record.head.kind == core::Kind::progress && place.row) {
      place.older.push_back(place.row->generation);
    }
    place.next = record.generation + 1;
    place.row = plan::Row{record.generation, record.head, Damage::none, false};
    place.requested = false;
    place.lost = false;
    place.settled = false;
    committed_.push_back(record);
    if (record.head.kind != core::Kind::effect) continue;
    const auto intent = records_.find(core::intent_path(record.path));
    if (intent != records_.end()) intent->second.settled = true;
  }
  return done;
}

/// Only erases may be late, and an erase would leave a damaged record as the newest: so this takes
/// the record's place.
record::Draft Inside::tombstone(const Wanted& wanted) const {
  static const ValueType nothing{};
  Wanted none = wanted;
  none.fingerprint = {};
  return draft(none, nothing, nullptr);
}

void Inside::withdraw(const Wanted& wanted) {
  std::vector<record::Draft> drafts;
  drafts.push_back(tombstone(wanted));
  commit(std::move(drafts));
}

void Inside::begin_attempt() {
  const std::scoped_lock lock{guard_};
  used_.clear();
  claimed_.clear();
  kept_.clear();
  begun_.clear();
  attempt_begun_ = tools_.clock.boot();
  continued_ = {};
  for (const auto& [path, record] : records_) {
    const bool lost = record.lost && path.starts_with("@intent/");
    if (lost || record.is_begun()) begun_.insert(path);
  }
}

std::vector<record::Committed> Inside::take_committed() {
  const std::scoped_lock lock{guard_};
  return std::exchange(committed_, {});
}

std::optional<record::DamagedRecord> Inside::damage() const {
  const std::scoped_lock lock{guard_};
  return damage_;
}

/// The state of a loop is useless once the stage has its value. An entry of a history is kept with
/// its history.
bool Inside::outlives_stage(const std::string& path, core::Kind kind) const {
  if (kind == core::Kind::tries) return false;
  if (path.starts_with("@progress/")) return kept_.contains(path);
  if (path.starts_with("@history/")) return kept_.contains(path.substr(0, path.rfind('/')));
  return true;
}

bool Inside::is_in_use(const std::string& path, const InsideRecord& record) const {
  const core::Kind kind = record.row->head.kind;
  if (used_.contains(path) && outlives_stage(path, kind)) return true;
  if (kind != core::Kind::intent) return false;
  return (record.is_begun() && begun_.contains(path)) || used_.contains(core::outcome_path(path));
}

std::vector<std::pair<std::string, std::uint64_t>> Inside::unused() const {
  const std::scoped_lock lock{guard_};
  std::vector<std::pair<std::string, std::uint64_t>> records;
  for (const auto& [path, record] : records_) {
    if (!record.row || is_in_use(path, record)) continue;
    records.emplace_back(path, record.row->generation);
    for (const std::uint64_t older : record.older) records.emplace_back(path, older);
  }
  // Erasing may be killed: an intent whose outcome is gone would be asked about.
  std::stable_partition(records.begin(), records.end(),
                        [](const auto& one) { return one.first.starts_with("@intent/"); });
  return records;
}

}  // namespace resumable::stage
