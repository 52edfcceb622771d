#include "record/record_table.hpp"

#include <algorithm>

#include "core/key.hpp"

namespace resumable::record {

using plan::Row;

std::span<const Row> RecordTable::rows(std::string_view path) const { return rows_.at(path); }

const Row* RecordTable::current(std::string_view path) const {
  return plan::newest_whole(rows(path));
}

bool RecordTable::has_records(const detail::Node& node, std::string_view name) const {
  if (is_input(node)) return rows_.has_scanned(core::own_key("input", name).path);
  const bool own = is_stage(node) ? rows_.has_scanned(core::stage_key(name).path) ||
                                        rows_.has_scanned(core::own_key("items", name).path)
                                  : rows_.has_scanned(core::own_key("condition", name).path);
  return own || std::ranges::any_of(core::kind_traits, [&](const core::KindTraits& kind) {
           return (kind.inside || kind.leaves) &&
                  rows_.has_scanned(core::about_path(kind.name, name, ""));
         });
}

std::vector<std::string> RecordTable::paths_below(std::string_view prefix) const {
  std::vector<std::string> paths;
  rows_.each(prefix, [&](std::string_view path, const auto&) { paths.emplace_back(path); });
  return paths;
}

std::vector<std::string> RecordTable::item_paths(std::string_view stage) const {
  std::vector<std::string> paths;
  each_item(stage, [&](std::string_view path, const auto&) { paths.emplace_back(path); });
  return paths;
}

std::size_t RecordTable::item_count(std::string_view stage) const {
  std::size_t count = 0;
  each_item(stage, [&](const auto&...) { ++count; });
  return count;
}

std::vector<std::string> RecordTable::inside_paths(std::string_view stage,
                                                   std::string_view item) const {
  return inside(stage, item, true);
}

std::vector<std::string> RecordTable::inside_places(std::string_view stage,
                                                    std::string_view item) const {
  return inside(stage, item, false);
}

std::vector<std::string> RecordTable::inside(std::string_view stage, std::string_view item,
                                             bool only_whole) const {
  std::vector<std::string> paths;
  for (const core::KindTraits& kind : core::kind_traits) {
    if (!kind.inside || !rows_.has_space(kind.name)) continue;
    const std::string prefix = core::about_path(kind.name, stage, item) + "/";
    each_below(prefix, kind.kind == core::Kind::history ? 2 : 1, only_whole,
               [&](std::string_view path, const auto&) { paths.emplace_back(path); });
  }
  return paths;
}

std::vector<std::string> RecordTable::stored_stages() const {
  std::vector<std::string> names;
  rows_.each("", [&](std::string_view path, std::span<const Row> list) {
    const std::string_view name = path.substr(0, path.find('/'));
    if (name.starts_with('@') || (!names.empty() && names.back() == name)) return;
    if (plan::newest_whole(list) != nullptr) names.emplace_back(name);
  });
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::vector<std::string> RecordTable::begun_effects() const {
  std::vector<std::string> paths;
  if (!rows_.has_space("intent")) return paths;
  rows_.each("@intent/", [&](std::string_view path, std::span<const Row> list) {
    if (plan::is_begun(list, rows(core::outcome_path(path)))) paths.emplace_back(path);
  });
  return paths;
}

std::vector<RecordTable::DamagedRow> RecordTable::damaged() const {
  std::vector<DamagedRow> result;
  rows_.each("", [&](std::string_view path, std::span<const Row> list) {
    for (const Row& row : list) {
      if (row.damage != Damage::none && !row.quarantined) {
        result.push_back({std::string{path}, row.generation, row.damage});
      }
    }
  });
  return result;
}

std::uint64_t RecordTable::next_generation(std::string_view path) const {
  const auto list = rows(path);
  return list.empty() ? 1 : list.back().generation + 1;
}

Succession RecordTable::succession(const std::string& path, std::uint32_t schema) const {
  Succession next;
  next.generation = next_generation(path);
  if (const Row* row = current(path)) next.previous = *row;
  for (const Row& row : rows(path)) {
    if (row.is_whole() && !row.head.has(core::edited)) next.made = row;
  }
  for (const Row& row : rows(path)) {
    const bool pinned = row.head.schema > schema;
    if (row.is_whole() && !pinned && row.generation != next.previous->generation &&
        (!next.made || row.generation != next.made->generation)) {
      next.erase.emplace_back(path, row.generation);
    }
  }
  return next;
}

std::vector<DamagedRecord> RecordTable::torn() const {
  std::vector<DamagedRecord> result;
  for (DamagedRow& row : damaged()) {
    if (row.damage == Damage::torn) result.push_back({std::move(row.path), row.generation});
  }
  return result;
}

void RecordTable::note(const std::string& path, std::uint64_t generation, const core::Head& head) {
  rows_.note(path, {generation, head});
}

void RecordTable::note(const std::string& path, std::uint64_t generation, const core::Head& head,
                       core::Header header) {
  rows_.note(path, {.generation = generation, .head = head, .kept = keep(std::move(header))});
}

void RecordTable::note_damage(const DamagedRecord& record, bool quarantined) {
  for (Row& row : rows_.at(record.path)) {
    if (row.generation != record.generation) continue;
    row.damage = Damage::torn;
    row.quarantined = row.quarantined || quarantined;
  }
}

}  // namespace resumable::record
