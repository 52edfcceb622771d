#include "record/record_index.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/fault.hpp"
#include "core/json.hpp"
#include "resumable/detail/packed_json.hpp"
#include "resumable/error.hpp"
#include "value/left_files.hpp"

namespace resumable::record {

using plan::Row;

void RecordIndex::gather_records(std::optional<Keeps> keeps) {
  scan(keeps);
  if (!confirmed_) {
    origin_ = find_origin(tags_, [&](RecordId id) { return stored(id.path, id.generation); });
  }
  prove_tags();
  fetch_small();
  prove_payloads(false);
  forget_small("@queue/");
}

void RecordIndex::forget_small(std::string_view prefix, std::size_t few) {
  std::erase_if(small_, [&](const auto& one) {
    return one.first.first.starts_with(prefix) && one.second.payload->size() >= few;
  });
}

void RecordIndex::scan(std::optional<Keeps> keeps) {
  store_.scan(run_, {.headers = keeps.has_value()}, [&](const RecordHead& found) {
    count(found);
    Row row{found.id.generation, {}, found.damage, found.quarantined};
    if (found.header) keep_header(row, found, (*keeps)(found.id.path));
    const bool is_open = row.is_whole() && !prove_at_once(row, found);
    const std::string_view path = all_rows().add(found.id.path, row);
    if (is_open) tags_.push_back({{path, found.id.generation}, found.tag});
    if (found.damage == Damage::unreadable) {
      causes_[locate(path, found.id.generation)] = found.cause;
    }
    return true;
  });
  all_rows().sort();
  put_in_order(tags_);
}

void RecordIndex::keep_header(Row& row, const RecordHead& found, Keep wanted) {
  if (wanted == Keep::nothing) return;
  auto header = core::decode_header(*found.header, found.tag);
  if (!header) return;
  const bool whole = wanted == Keep::all || !header->exports.empty();
  row.kept = keep(*std::move(header), whole);
}

/// What comes behind `@run` is proved while it is scanned, if it is of the run that `@run` speaks
/// of: a million tags need not be kept until all are there. False where that has to wait.
bool RecordIndex::prove_at_once(Row& row, const RecordHead& found) {
  if (found.id.path == core::run_key().path) {
    if (origin_.uid.empty()) {
      origin_ = origin_of(found.id, found.tag, stored(found.id.path, found.id.generation));
    }
    return false;
  }
  if (origin_.uid.empty()) return false;
  const auto reading =
      core::decode_tag(found.tag, {origin_.uid, found.id.path, found.id.generation});
  if (reading.damage != Damage::none) return false;
  row.head = reading.head;
  confirmed_ = true;
  return true;
}

/// What the scan has left open: in the order of the rows.
void RecordIndex::prove_tags() {
  auto tag = tags_.begin();
  all_rows().each_scanned([&](std::string_view path, std::span<Row> list) {
    for (Row& row : list) {
      const bool is_next = tag != tags_.end() && row.is_whole() &&
                           tag->id.generation == row.generation && tag->id.path == path;
      if (!is_next) continue;
      core::refuse_sealed(tag->tag, path);
      const auto reading = core::decode_tag(tag->tag, {origin_.uid, path, row.generation});
      row.damage = reading.damage;
      row.head = reading.head;
      ++tag;
    }
  });
  tags_ = {};
}

/// Reads the small records in one go, and keeps those that are whole. Any other is read again when
/// it is needed, and then reports what is wrong.
void RecordIndex::fetch_small() {
  static const Digest nothing = digest("");
  std::vector<RecordId> ids;
  all_rows().each("", [&](std::string_view path, std::span<const Row> list) {
    for (const Row& row : list) {
      const bool empty = row.head.kind == core::Kind::queue && row.head.identity == nothing;
      if (row.is_whole() && core::traits(row.head.kind).planned_with && !empty) {
        ids.push_back({path, row.generation});
      }
    }
  });
  read_many(ids, [&](std::size_t index, std::optional<Saved> saved) {
    const RecordId id = ids[index];
    if (saved) small_[{std::string{id.path}, id.generation}] = *std::move(saved);
    return true;
  });
}

/// Of all records, or of those that planning reads.
void RecordIndex::prove_payloads(bool all) {
  deep_ = deep_ || all;
  std::vector<RecordId> ids;
  std::vector<Row*> open;
  all_rows().each_scanned([&](std::string_view path, std::span<Row> list) {
    for (Row& row : list) {
      if (!row.is_whole()) continue;
      if (all) {
        ids.push_back({path, row.generation});
        open.push_back(&row);
      } else if (core::traits(row.head.kind).planned_with) {
        prove(std::string{path}, row, true);
      }
    }
  });
  if (!all) return;
  read_many(ids, [&](std::size_t index, const std::optional<Saved>& saved) {
    if (saved) open[index] = nullptr;
    return true;
  });
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (open[i] != nullptr) prove(std::string{ids[i].path}, *open[i], false);
  }
}

void RecordIndex::note_found(const RecordHead& found) {
  if (found.id.generation < next_generation(found.id.path)) return;
  Row row{found.id.generation, {}, found.damage, found.quarantined};
  if (row.is_whole()) {
    core::refuse_sealed(found.tag, found.id.path);
    const auto reading =
        core::decode_tag(found.tag, {origin_.uid, found.id.path, found.id.generation});
    row.damage = reading.damage;
    row.head = reading.head;
  }
  all_rows().note(std::string{found.id.path}, row);
}

void RecordIndex::look_at(const std::vector<std::string>& places) {
  const std::vector<std::string_view> views{places.begin(), places.end()};
  store_.scan(run_, {.places = views}, [&](const RecordHead& found) {
    note_found(found);
    return true;
  });
}

std::vector<std::string> RecordIndex::places_of(std::string_view stage, std::string_view item) {
  std::vector<std::string> places{core::item_key(stage, item).path,
                                  core::about_path("attempt", stage, item),
                                  core::about_path("queue", stage, item)};
  for (const core::KindTraits& kind : core::kind_traits) {
    if (kind.inside) places.push_back(core::about_path(kind.name, stage, item) + "/");
  }
  return places;
}

void RecordIndex::prove(const std::string& path, Row& row, bool small) {
  try {
    if (small) {
      prove_small(path, row);
    } else {
      static_cast<void>(payload(path, row.generation));
    }
  } catch (const DamagedRecord&) {
    row.damage = Damage::torn;
    suspect(path, row.generation);
  } catch (const Error& error) {
    if (core::fault_of(error.errc()) == core::Fault::store) throw;  // it says nothing of the record
    row.damage = error.errc() == Errc::damaged ? Damage::torn : Damage::unreadable;
    causes_[locate(path, row.generation)] = error.info().cause;
  }
}

/// What a reader has found damaged before: of this process, or marked on the disk by
/// mark_damaged().
void RecordIndex::prove_suspects() {
  for (const Suspect& one : marks()) static_cast<void>(is_damaged(one));
  for (const Suspect& one : suspects(store_.url(), run_)) {
    if (!is_damaged(one)) clear_suspect(store_.url(), run_, one);
  }
}

/// Reads the record; false also when it is gone or set aside.
bool RecordIndex::is_damaged(const Suspect& one) {
  for (Row& row : all_rows().at(one.first)) {
    if (row.generation != one.second || row.quarantined) continue;
    if (row.is_whole()) prove(one.first, row, false);
    return !row.is_whole();
  }
  return false;
}

void RecordIndex::suspect(const std::string& path, std::uint64_t generation) const {
  record::suspect(store_.url(), run_, {path, generation});
}

std::vector<Suspect> RecordIndex::marks() const {
  std::vector<Suspect> all;
  const std::string prefix = core::own_key("request", "prove").path + ".";
  for (const std::string& path : paths_below(prefix)) {
    const Row* row = current(path);
    if (row == nullptr) continue;
    const auto json = core::Json::parse(text_of(path, *row), nullptr, false);
    if (!json.is_object() || json.value("what", std::string{}) != "prove") continue;
    all.emplace_back(json.value("record", std::string{}),
                     json.value("generation", std::uint64_t{0}));
  }
  return all;
}

void RecordIndex::mark_damaged(Recorder& recorder, const DamagedRecord& record) {
  const core::OrderedJson json{
      {"what", "prove"}, {"record", record.path}, {"generation", record.generation}};
  commit(recorder,
         Draft::small(core::Kind::request, core::own_key("request", "prove." + record.path),
                      CodecId::json, json.dump()));
}

void RecordIndex::prove_small(const std::string& path, const Row& row) const {
  static_cast<void>(payload(path, row.generation));
}

std::optional<StoredRecord> RecordIndex::stored(std::string_view path,
                                                std::uint64_t generation) const {
  try {
    auto record = store_.get(run_, {path, generation});
    if (!record && !owned_) throw VanishedRecord{};
    return record;
  } catch (const Error& error) {
    if (error.errc() == Errc::damaged) return std::nullopt;
    throw;
  }
}

std::optional<core::Header> RecordIndex::header(std::string_view path,
                                                std::uint64_t generation) const {
  for (const Row& row : rows(path)) {
    const bool is_it = row.generation == generation && row.is_whole();
    if (const core::Header* header = is_it ? kept_header(row) : nullptr) return *header;
  }
  const auto record = stored(path, generation);
  if (!record) return std::nullopt;
  const core::Place place{origin_.uid, path, generation};
  if (core::decode_tag(record->tag, place).damage != Damage::none) return std::nullopt;
  return core::decode_header(record->header, record->tag);
}

Saved RecordIndex::saved(const std::string& path, std::uint64_t generation) const {
  if (const auto known = small_.find({path, generation}); known != small_.end()) {
    return known->second;
  }
  const auto record = stored(path, generation);
  if (auto whole = record ? proved(*record, {path, generation}) : std::nullopt) {
    return *std::move(whole);
  }
  throw DamagedRecord{path, generation};
}

void RecordIndex::read_many(
    std::span<const RecordId> ids,
    FunctionRef<bool(std::size_t index, std::optional<Saved>)> visit) const {
  if (ids.empty()) return;
  store_.get_many(run_, ids, [&](const Fetched& one) {
    if (!one.record && !one.error && !owned_) throw VanishedRecord{};
    return visit(one.index, one.record ? in_memory(*one.record, ids[one.index]) : std::nullopt);
  });
}

detail::AnyValue RecordIndex::value(const std::string& path, const Row& row,
                                    const detail::ValueType& type) const {
  return decoded(saved(path, row.generation), row, type);
}

detail::AnyValue RecordIndex::decoded(Saved saved, const Row& row, const detail::ValueType& type) {
  if (row.head.has(core::dropped)) {
    throw Error(Errc::no_value, {.what = "its value was dropped after use"});
  }
  return type.decode(std::move(saved.payload), {row.head.schema, std::move(saved.schemas)});
}

namespace {

/// Some stores find only while they read a payload that it is damaged.
bool is_whole(const core::Header& header, const Payload& payload) {
  try {
    return core::payload_matches(header, payload);
  } catch (const Error& error) {
    if (error.errc() != Errc::damaged) throw;
    return false;
  }
}

}  // namespace

/// The record's payload, unpacked; nothing when anything of it is not as it was written.
std::optional<Saved> RecordIndex::proved(const StoredRecord& record, RecordId id) const {
  const core::Place place{origin_.uid, id.path, id.generation};
  if (core::decode_tag(record.tag, place).damage != Damage::none) return std::nullopt;
  auto header = core::decode_header(record.header, record.tag);
  if (!header || !is_whole(*header, *record.payload)) return std::nullopt;
  const CodecId codec = core::head_of(record.tag).codec;
  Saved saved{record.payload, std::move(header->schemas), header->passes, header->seconds,
              header->cost};
  if (detail::is_packed_json(codec)) {
    saved.payload =
        std::make_shared<StringPayload>(detail::unpack_json(codec, read_all(*record.payload)));
  }
  return saved;
}

/// As proved(), with all bytes in memory, of a record that is there already or is small.
std::optional<Saved> RecordIndex::in_memory(const StoredRecord& record, RecordId id) const {
  constexpr std::uint64_t small = std::uint64_t{1} << 20U;
  const bool is_there = record.payload->view().has_value();
  if (!is_there && record.payload->size() > small) return std::nullopt;
  try {
    auto saved = proved(record, id);
    if (saved && !saved->payload->view()) {
      saved->payload = std::make_shared<StringPayload>(read_all(*saved->payload));
    }
    return saved;
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::string RecordIndex::text_of(std::string_view path, const Row& row) const {
  try {
    return read_all(*payload(std::string{path}, row.generation), 1U << 30);
  } catch (const DamagedRecord&) {
    return {};
  }
}

std::string RecordIndex::changed_file(std::string_view path, const Row& row) const {
  return row.head.leaves_files() ? value::changed_file(text_of(path, row), deep_) : std::string{};
}

std::string RecordIndex::locate(std::string_view path, std::uint64_t generation) const {
  return store_.locate(run_, {path, generation});
}

void RecordIndex::place(Draft& draft) const {
  draft.generation = next_generation(draft.key.path);
  for (const Row& row : rows(draft.key.path)) {
    if (row.is_whole() && row.generation + 1 < draft.generation) {
      draft.erase.emplace_back(draft.key.path, row.generation);
    }
  }
}

void RecordIndex::commit(Recorder& recorder, Draft draft) {
  place(draft);
  const Committed record = recorder.commit(std::move(draft));
  note(record.path, record.generation, record.head);
}

}  // namespace resumable::record
