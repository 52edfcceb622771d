#include "survey/records.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/graph_record.hpp"
#include "core/key.hpp"
#include "core/record_format.hpp"
#include "core/text.hpp"
#include "resumable/pipeline.hpp"
#include "resumable/run_list.hpp"

namespace resumable::survey {
namespace {

std::string codec_name(CodecId codec) {
  static constexpr std::string_view names[] = {"none", "json",     "text", "bytes",
                                               "file", "in_place", "cbor", "msgpack"};
  const auto number = static_cast<std::size_t>(codec);
  return number < std::size(names) ? std::string{names[number]} : fmt::format("codec {}", number);
}

void add_tag(const Tag& tag, RecordView& record) {
  const core::Head head = core::head_of(tag);
  record.kind = core::to_string(head.kind);
  record.codec = codec_name(head.codec);
  record.schema = head.schema;
  record.revision = head.revision;
  record.fence = head.fence;
  record.identity = head.identity.hex();
  record.fingerprint = head.fingerprint.hex();
  record.edited = head.has(core::Flag::edited);
  record.disputed = head.has(core::Flag::disputed);
  record.dropped = head.has(core::Flag::dropped);
}

void add_header(const core::Header& header, RecordView& record) {
  record.key = header.key;
  record.at = header.at;
  record.seconds = header.seconds;
  record.attempts = header.attempts;
  record.cost = header.cost;
  for (const core::InputIdentity& input : header.inputs) {
    record.inputs.emplace_back(input.name, input.identity.hex());
  }
  for (const core::Export& one : header.exports) {
    if (one.is_nothing()) continue;
    record.exports.push_back(one.path);
    record.export_order = std::max(record.export_order, one.order);
  }
  record.from_generation = header.from_generation;
  record.dropped_at = header.dropped_at;
  record.edited_by = header.edited_by;
  for (const core::Collision& one : header.collisions) record.collisions.push_back(one.path);
}

RecordView view_of(const RecordHead& head) {
  RecordView record{.path = std::string{head.id.path},
                    .generation = head.id.generation,
                    .damage = head.damage,
                    .quarantined = head.quarantined,
                    .header_bytes = head.header_bytes,
                    .payload_bytes = head.payload_bytes,
                    .key = std::string{head.id.path}};
  if (head.damage != Damage::none) return record;
  core::refuse_sealed(head.tag, head.id.path);
  add_tag(head.tag, record);
  if (!head.header) return record;
  const auto header = core::decode_header(*head.header, head.tag);
  if (header) {
    add_header(*header, record);
  } else {
    record.damage = Damage::torn;
  }
  return record;
}

}  // namespace

std::vector<RecordView> records(const CheckpointStore& store, std::string_view run, Depth depth,
                                std::string_view prefix) {
  std::vector<RecordView> list;
  const ScanOptions what{.prefix = prefix, .headers = depth == Depth::headers};
  store.scan(run, what, [&](const RecordHead& head) {
    list.push_back(view_of(head));
    return true;
  });
  std::string path;  // by path and then by generation: the last whole one of a path is current
  for (std::size_t i = list.size(); i-- > 0;) {
    if (!list[i].is_whole() || list[i].path == path) continue;
    list[i].current = true;
    path = list[i].path;
  }
  return list;
}

std::optional<RecordView> current(const CheckpointStore& store, std::string_view run,
                                  std::string_view path) {
  std::vector<RecordView> list;
  store.scan(run, {.prefix = path, .quarantined = false}, [&](const RecordHead& head) {
    if (head.id.path == path && head.damage == Damage::none) list.push_back(view_of(head));
    return true;
  });
  for (std::size_t i = list.size(); i-- > 0;) {
    const auto stored = store.get(run, {path, list[i].generation});
    const auto header = stored ? core::decode_header(stored->header, stored->tag) : std::nullopt;
    if (!header) continue;
    add_header(*header, list[i]);
    list[i].current = true;
    return std::move(list[i]);
  }
  return std::nullopt;
}

std::string path_of(std::string_view selector) {
  if (selector.starts_with('@')) {
    const std::size_t slash = selector.find('/');
    if (slash == selector.npos || selector.find('/', slash + 1) != selector.npos) {
      return std::string{selector};
    }
    return core::own_key(selector.substr(1, slash - 1), selector.substr(slash + 1)).path;
  }
  const std::size_t slash = selector.find('/');
  return slash == selector.npos
             ? core::stage_key(selector).path
             : core::item_key(selector.substr(0, slash), selector.substr(slash + 1)).path;
}

std::string path_of(const CheckpointStore& store, std::string_view run, std::string_view selector) {
  const auto pipeline = recorded_pipeline(store, run);
  return path_of(pipeline ? core::with_recorded_name(detail::graph_of(*pipeline), selector)
                          : std::string{selector});
}

std::optional<Content> content(const CheckpointStore& store, std::string_view run,
                               const RecordView& record) {
  auto stored = store.get(run, {record.path, record.generation});
  if (!stored) return std::nullopt;
  Content result{.record = record, .header = stored->header, .payload = stored->payload};
  add_tag(stored->tag, result.record);
  const auto header = core::decode_header(stored->header, stored->tag);
  if (!header) return result;
  add_header(*header, result.record);
  const core::Place place{header->run_uid, record.path, record.generation};
  const bool placed = core::decode_tag(stored->tag, place).damage == Damage::none;
  result.proved = placed && core::payload_matches(*header, *stored->payload);
  return result;
}

std::vector<std::string> set_aside(CheckpointStore& store, std::string_view run,
                                   const std::vector<RecordProblem>& damaged,
                                   std::chrono::milliseconds wait) {
  const auto lease = store.lease(run, {.create = Create::never, .wait = wait});
  std::vector<std::string> places;
  places.reserve(damaged.size());
  for (const RecordProblem& record : damaged) {
    places.push_back(lease->quarantine({record.path, record.generation}));
  }
  return places;
}

}  // namespace resumable::survey
