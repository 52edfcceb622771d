#include "resumable/records.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/graph.hpp"
#include "core/key.hpp"
#include "core/run_id.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "record/environment.hpp"
#include "record/former_names.hpp"
#include "record/run_facts.hpp"
#include "resumable/detail/json_text.hpp"
#include "resumable/detail/packed_json.hpp"
#include "resumable/error.hpp"

namespace resumable {
inline namespace v0 {

namespace detail {

struct RecordsData {
  /// Does `work` with the facts.
  template <class Work>
  auto with_facts(Work work) {
    return record::look_until_found([&](bool last) {
      try {
        if (!facts) {
          facts.emplace(no_stages, store, run, world.clock(), world.files());
          facts->owned(last);
          facts->gather_records();
        }
        return work(*facts);
      } catch (const record::VanishedRecord&) {
        facts.reset();
        throw;
      }
    });
  }

  const CheckpointStore& store;
  std::string run;
  record::World world{};
  Graph no_stages = Graph();
  std::optional<record::RunFacts> facts{};
};

}  // namespace detail

namespace {

using record::RunFacts;

Timestamp time_of(std::string_view text) {
  using std::chrono::floor;
  const auto time = core::parse_utc(text);
  return time ? floor<std::chrono::milliseconds>(*time) : Timestamp{};
}

/// The newest whole record, if it is of this kind.
const plan::Row* newest(const RunFacts& facts, const std::string& path, core::Kind kind) {
  const plan::Row* row = facts.current(path);
  return row != nullptr && row->head.kind == kind ? row : nullptr;
}

/// The path of the last whole entry below that of its history, or that itself.
std::string path_of_last(const RunFacts& facts, const std::string& history, std::string_view stage,
                         std::string_view item) {
  std::string last = history;
  for (const std::string& path : facts.inside_paths(stage, item)) {
    const bool is_entry = path.starts_with(history + "/") && path != history + "/gap";
    if (is_entry && newest(facts, path, core::Kind::history) != nullptr) {
      last = std::max(last, path);
    }
  }
  return last;
}

/// A damaged record of this path that nothing whole stands in for.
const plan::Row* damaged(const RunFacts& facts, const std::string& path) {
  for (const plan::Row& row : facts.rows(path)) {
    if (row.damage != Damage::none && !row.quarantined) return &row;
  }
  return nullptr;
}

void must_be_readable(const plan::Row& row, const detail::ValueType& type, bool whole,
                      const std::string& key, const std::string& file) {
  if (whole && row.head.schema > type.version) {
    throw Error(Errc::newer,
                {.what = fmt::format("'{}' is saved with schema {}; this program knows {} to {}",
                                     key, row.head.schema, type.oldest, type.version),
                 .file = file,
                 .next = "use a newer program"});
  }
  if (detail::unpacked(row.head.codec) != type.codec) {
    throw Error(Errc::not_decodable,
                {.what = fmt::format(
                     "'{}' is saved by another codec ({}, and this program asks for "
                     "{})",
                     key, static_cast<unsigned>(row.head.codec), static_cast<unsigned>(type.codec)),
                 .file = file});
  }
}

/// Of a whole value, or of the part that `pointer` names; null if it has none.
detail::AnyValue decoded(const plan::Row& row, const record::Saved& saved,
                         const detail::ValueType& type, std::string_view pointer) {
  const Payload& payload = *saved.payload;
  if (pointer.empty()) return type.decode(saved.payload, {row.head.schema, saved.schemas});
  std::string copy;
  std::optional<std::string_view> bytes = payload.view();
  if (!bytes) bytes = copy = read_all(payload);
  const auto part = detail::find_json(*bytes, pointer);
  if (!part) return nullptr;
  return type.decode(std::make_shared<const StringPayload>(std::string{*part}), {0, saved.schemas});
}

}  // namespace

Records::Records(const CheckpointStore& store, std::string run)
    : data_(new detail::RecordsData{store, std::move(run)}) {
  static_cast<void>(core::encode_run(data_->run));
  data_->with_facts([](const RunFacts&) {});
}
Records::~Records() = default;
Records::Records(Records&&) noexcept = default;
Records& Records::operator=(Records&&) noexcept = default;

std::string Records::pipeline() const {
  return data_->with_facts([](const RunFacts& facts) { return facts.pipeline(); });
}

std::vector<std::string> Records::items(std::string_view called) const {
  return data_->with_facts([&](const RunFacts& facts) {
    const std::string stage = record::recorded_name(facts, called);
    std::vector<std::string> keys;
    for (const std::string& path : facts.item_paths(stage)) {
      const plan::Row* row = newest(facts, path, core::Kind::value);
      const auto header = row != nullptr ? facts.header(path, row->generation) : std::nullopt;
      if (header) keys.push_back(header->key.substr(stage.size() + 1));
    }
    return keys;
  });
}

std::optional<Records::Found> Records::read(const Wanted& called,
                                            const detail::ValueType& type) const {
  Wanted wanted = called;
  const std::string name = data_->with_facts(
      [&](const RunFacts& facts) { return record::recorded_name(facts, called.name); });
  wanted.name = name;
  const std::pair<core::Kind, core::Key> place = [&]() -> std::pair<core::Kind, core::Key> {
    switch (wanted.kind) {
      case Kind::input: return {core::Kind::input, core::own_key("input", wanted.name)};
      case Kind::entry:
        return {core::Kind::history,
                core::inside_key("history", wanted.name, wanted.item, wanted.inside)};
      case Kind::value: break;
    }
    return {core::Kind::value, wanted.item.empty() ? core::stage_key(wanted.name)
                                                   : core::item_key(wanted.name, wanted.item)};
  }();
  const auto& kind = place.first;
  const auto& key = place.second;
  return data_->with_facts([&](RunFacts& facts) -> std::optional<Found> {
    while (true) {
      const std::string path = kind == core::Kind::history
                                   ? path_of_last(facts, key.path, wanted.name, wanted.item)
                                   : key.path;
      const plan::Row* row = newest(facts, path, kind);
      if (row == nullptr) {
        const plan::Row* lost = damaged(facts, path);
        if (lost == nullptr) return std::nullopt;
        const bool input = wanted.kind == Kind::input;
        std::vector<Advice> advice;
        if (!input) advice.push_back({.option = Option::verify_payloads});
        throw Error(Errc::damaged,
                    {.what = fmt::format("the record '{}' of run '{}' is damaged", key.full,
                                         core::printable(data_->run)),
                     .run = data_->run,
                     .file = facts.locate(path, lost->generation),
                     .kept = "the file as it is",
                     .next = input ? "resume with a value for this input: it is recorded again"
                                   : "resume: it is set aside and made again",
                     .advice = std::move(advice)});
      }
      if (row->head.has(core::dropped)) return std::nullopt;
      const std::string file = facts.locate(path, row->generation);
      must_be_readable(*row, type, wanted.pointer.empty(), key.full, file);
      try {
        const auto header = facts.header(path, row->generation);
        const record::Saved saved = facts.saved(path, row->generation);
        if (header) {
          auto value = decoded(*row, saved, type, wanted.pointer);
          if (value == nullptr) return std::nullopt;
          return Found{std::move(value), time_of(header->at)};
        }
      } catch (const record::DamagedRecord& record) {
        facts.suspect(record.path, record.generation);
        facts.note_damage(record, false);
      } catch (const Error& error) {
        ErrorInfo info = error.info();
        info.what = fmt::format("'{}': {}", key.full, info.what);
        if (info.file.empty()) info.file = file;
        throw Error(error.errc(), std::move(info));
      }
    }
  });
}

}  // namespace v0
}  // namespace resumable
