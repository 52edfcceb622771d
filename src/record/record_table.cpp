#include "record/record_table.hpp"

#include <algorithm>

#include "core/key.hpp"

namespace resumable::record {

using plan::Row;

std::span<const Row> RecordTable::rows(std::string_view path) const {
  const auto found = rows_.find(path);
  return found == rows_.end() ? std::span<const Row>{} : std::span<const Row>{found->second};
}

const Row* RecordTable::current(std::string_view path) const {
  const auto list = rows(path);
  for (std::size_t i = list.size(); i-- > 0;) {
    if (list[i].is_whole()) return &list[i];
  }
  return nullptr;
}

/// The paths below this prefix, `depth` components at most.
void RecordTable::add_below(const std::string& prefix, std::ptrdiff_t depth,
                            std::vector<std::string>& paths) const {
  for (auto at = rows_.lower_bound(prefix); at != rows_.end(); ++at) {
    if (!at->first.starts_with(prefix)) break;
    const auto rest = at->first.begin() + static_cast<std::ptrdiff_t>(prefix.size());
    if (std::count(rest, at->first.end(), '/') < depth) paths.push_back(at->first);
  }
}

std::vector<std::string> RecordTable::paths_below(std::string_view prefix) const {
  std::vector<std::string> paths;
  for (auto at = rows_.lower_bound(prefix); at != rows_.end(); ++at) {
    if (!at->first.starts_with(prefix)) break;
    paths.push_back(at->first);
  }
  return paths;
}

std::vector<std::string> RecordTable::whole(std::vector<std::string> paths) const {
  std::erase_if(paths, [&](const std::string& path) { return current(path) == nullptr; });
  return paths;
}

std::vector<std::string> RecordTable::item_paths(std::string_view stage) const {
  std::vector<std::string> paths;
  add_below(std::string{stage} + "/", 1, paths);
  return whole(std::move(paths));
}

std::vector<std::string> RecordTable::inside_paths(std::string_view stage,
                                                   std::string_view item) const {
  return whole(inside_places(stage, item));
}

std::vector<std::string> RecordTable::inside_places(std::string_view stage,
                                                    std::string_view item) const {
  std::vector<std::string> paths;
  for (const core::Kind kind : {core::Kind::step, core::Kind::progress, core::Kind::history,
                                core::Kind::intent, core::Kind::effect, core::Kind::tries}) {
    const std::string prefix = core::about_key(core::to_string(kind), stage, item).path + "/";
    add_below(prefix, kind == core::Kind::history ? 2 : 1, paths);
  }
  return paths;
}

std::vector<std::string> RecordTable::stored_stages() const {
  std::vector<std::string> names;
  for (const auto& [path, list] : rows_) {
    if (path.starts_with('@') || current(path) == nullptr) continue;
    std::string name = path.substr(0, path.find('/'));
    if (names.empty() || names.back() != name) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::vector<RecordTable::DamagedRow> RecordTable::damaged() const {
  std::vector<DamagedRow> result;
  for (const auto& [path, list] : rows_) {
    for (const Row& row : list) {
      if (row.damage != Damage::none && !row.quarantined) {
        result.push_back({path, row.generation, row.damage});
      }
    }
  }
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
  for (const auto& [path, list] : rows_) {
    for (const Row& row : list) {
      if (row.damage == Damage::torn && !row.quarantined) result.push_back({path, row.generation});
    }
  }
  return result;
}

void RecordTable::note(const std::string& path, std::uint64_t generation, const core::Head& head,
                       std::shared_ptr<const core::Header> header) {
  std::vector<Row>& list = rows_[path];
  if (!list.empty() && list.back().generation == generation) list.pop_back();  // was proposed
  list.push_back({generation, head, Damage::none, false, std::move(header)});
}

void RecordTable::note_damage(const DamagedRecord& record, bool quarantined) {
  const auto found = rows_.find(record.path);
  if (found == rows_.end()) return;
  for (Row& row : found->second) {
    if (row.generation != record.generation) continue;
    row.damage = Damage::torn;
    row.quarantined = row.quarantined || quarantined;
  }
}

}  // namespace resumable::record
