#include "run/run_facts.hpp"

#include <algorithm>
#include <set>

#include "resumable/error.hpp"

namespace resumable::inline v0::run {

using plan::Row;

RunFacts::RunFacts(const detail::Graph& graph, const CheckpointStore& store, std::string run,
                   sys::Clock& clock, sys::FileSystem& system,
                   std::optional<artifact::Folder> folder)
    : graph_(graph),
      store_(store),
      run_(std::move(run)),
      clock_(clock),
      system_(system),
      folder_(std::move(folder)),
      now_(clock.wall()) {}

void RunFacts::gather_records() {
  scan();
  find_origin();
  prove_tags();
  prove_payloads(false);
}

void RunFacts::gather(bool deep) {
  gather_records();
  if (deep) prove_payloads(true);
  read_confirmed();
  read_inputs();
}

void RunFacts::scan() {
  store_.scan(run_, {}, [&](const Found& found) {
    Row row{found.id.generation, {}, found.damage, found.quarantined};
    const std::string path{found.id.path};
    if (found.damage == Damage::none && !found.quarantined) {
      tags_[{path, row.generation}] = found.tag;
    }
    rows_[path].push_back(row);
    if (found.damage == Damage::unreadable) causes_[locate(path, row.generation)] = found.cause;
    return true;
  });
  for (auto& [path, list] : rows_) {
    std::sort(list.begin(), list.end(),
              [](const Row& a, const Row& b) { return a.generation < b.generation; });
  }
}

/// What a record says of its run, when the record is whole and in its place; else nothing.
RunFacts::Origin RunFacts::origin_of(const std::pair<std::string, std::uint64_t>& id) const {
  const Tag& tag = tags_.at(id);
  const auto record = stored(id.first, id.second);
  auto header = record ? core::decode_header(record->header, tag) : std::nullopt;
  if (!header) return {};
  const core::Place place{header->run_uid, id.first, id.second};
  if (core::decode_tag(tag, place).damage != Damage::none) return {};
  return {std::move(header->run_uid), std::move(header->pipeline)};
}

/// Whether a record at another path is of the run with this uid.
bool RunFacts::is_shared(std::string_view uid, std::string_view but) const {
  return std::any_of(tags_.begin(), tags_.end(), [&](const auto& one) {
    const auto& [id, tag] = one;
    return id.first != but &&
           core::decode_tag(tag, {uid, id.first, id.second}).damage == Damage::none;
  });
}

/// The run's own record says its uid and pipeline. Should that be lost, or come from another run,
/// any other does that does not stand alone.
void RunFacts::find_origin() {
  const std::string own = core::run_key().path;
  Origin alone;
  const auto try_one = [&](const std::pair<std::string, std::uint64_t>& id) {
    Origin origin = origin_of(id);
    if (origin.uid.empty()) return false;
    if (alone.uid.empty()) alone = origin;
    if (!is_shared(origin.uid, id.first)) return false;
    origin_ = std::move(origin);
    return true;
  };
  for (auto at = tags_.lower_bound({own, 0}); at != tags_.end() && at->first.first == own; ++at) {
    if (try_one(at->first)) return;
  }
  std::set<std::string> tried;  // a run's records agree, or nearly all of them are from elsewhere
  for (const auto& [id, tag] : tags_) {
    if (tried.size() >= 8) break;
    if (id.first != own && try_one(id)) return;
    tried.insert(id.first);
  }
  origin_ = std::move(alone);
}

void RunFacts::prove_tags() {
  for (auto& [path, list] : rows_) {
    for (Row& row : list) {
      const auto tag = tags_.find({path, row.generation});
      if (row.damage != Damage::none || row.quarantined || tag == tags_.end()) continue;
      const auto reading = core::decode_tag(tag->second, {origin_.uid, path, row.generation});
      row.damage = reading.damage;
      row.head = reading.head;
    }
  }
  tags_.clear();
}

/// Of all records, or of those that planning reads: the library's own small ones.
void RunFacts::prove_payloads(bool all) {
  const auto is_small = [](core::Kind kind) {
    return kind == core::Kind::items || kind == core::Kind::input ||
           kind == core::Kind::condition || kind == core::Kind::request ||
           kind == core::Kind::approval || kind == core::Kind::exported ||
           kind == core::Kind::run || kind == core::Kind::alive || kind == core::Kind::queue;
  };
  for (auto& [path, list] : rows_) {
    for (Row& row : list) {
      if (row.damage != Damage::none || row.quarantined) continue;
      if (!all && !is_small(row.head.kind)) continue;
      try {
        if (row.head.kind == core::Kind::queue && !all) {
          static_cast<void>(read_enqueued(path, row));
        } else {
          static_cast<void>(payload(path, row.generation));
        }
      } catch (const DamagedRecord&) {
        row.damage = Damage::torn;
      } catch (const Error& error) {
        row.damage = error.errc() == Errc::damaged ? Damage::torn : Damage::unreadable;
        causes_[locate(path, row.generation)] = error.info().cause;
      }
    }
  }
}

std::span<const Row> RunFacts::rows(std::string_view path) const {
  const auto found = rows_.find(path);
  return found == rows_.end() ? std::span<const Row>{} : std::span<const Row>{found->second};
}

const Row* RunFacts::current(std::string_view path) const {
  const auto list = rows(path);
  for (std::size_t i = list.size(); i-- > 0;) {
    if (!list[i].quarantined && list[i].damage == Damage::none) return &list[i];
  }
  return nullptr;
}

std::optional<Stored> RunFacts::stored(std::string_view path, std::uint64_t generation) const {
  try {
    auto record = store_.get(run_, {path, generation});
    if (!record && !owned_) throw VanishedRecord{};
    return record;
  } catch (const Error& error) {
    if (error.errc() == Errc::damaged) return std::nullopt;
    throw;
  }
}

std::optional<core::Header> RunFacts::header(std::string_view path,
                                             std::uint64_t generation) const {
  const auto record = stored(path, generation);
  if (!record) return std::nullopt;
  const core::Place place{origin_.uid, path, generation};
  if (core::decode_tag(record->tag, place).damage != Damage::none) return std::nullopt;
  return core::decode_header(record->header, record->tag);
}

std::shared_ptr<const Payload> RunFacts::payload(const std::string& path,
                                                 std::uint64_t generation) const {
  const auto record = stored(path, generation);
  const core::Place place{origin_.uid, path, generation};
  if (record && core::decode_tag(record->tag, place).damage == Damage::none) {
    const auto header = core::decode_header(record->header, record->tag);
    if (header && core::payload_matches(*header, *record->payload)) return record->payload;
  }
  throw DamagedRecord{path, generation};
}

std::string RunFacts::text_of(std::string_view path, const Row& row) const {
  try {
    return read_all(*payload(std::string{path}, row.generation), 1U << 30);
  } catch (const DamagedRecord&) {
    return {};
  }
}

std::string RunFacts::locate(std::string_view path, std::uint64_t generation) const {
  return store_.locate(run_, {path, generation});
}

/// The paths below this prefix, `depth` components at most.
void RunFacts::add_below(const std::string& prefix, std::ptrdiff_t depth,
                         std::vector<std::string>& paths) const {
  for (auto at = rows_.lower_bound(prefix); at != rows_.end(); ++at) {
    if (!at->first.starts_with(prefix)) break;
    const auto rest = at->first.begin() + static_cast<std::ptrdiff_t>(prefix.size());
    if (std::count(rest, at->first.end(), '/') < depth) paths.push_back(at->first);
  }
}

std::vector<std::string> RunFacts::whole(std::vector<std::string> paths) const {
  std::erase_if(paths, [&](const std::string& path) { return current(path) == nullptr; });
  return paths;
}

std::vector<std::string> RunFacts::item_paths(std::string_view stage) const {
  std::vector<std::string> paths;
  add_below(std::string{stage} + "/", 1, paths);
  return whole(std::move(paths));
}

std::vector<std::string> RunFacts::inside_paths(std::string_view stage,
                                                std::string_view item) const {
  return whole(inside_places(stage, item));
}

std::vector<std::string> RunFacts::inside_places(std::string_view stage,
                                                 std::string_view item) const {
  std::vector<std::string> paths;
  for (const core::Kind kind : {core::Kind::step, core::Kind::progress, core::Kind::history,
                                core::Kind::intent, core::Kind::effect, core::Kind::tries}) {
    const std::string prefix = core::about_key(core::to_string(kind), stage, item).path + "/";
    add_below(prefix, kind == core::Kind::history ? 2 : 1, paths);
  }
  return paths;
}

std::vector<std::string> RunFacts::stored_stages() const {
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

std::vector<RunFacts::DamagedRow> RunFacts::damaged() const {
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

std::uint64_t RunFacts::next_generation(std::string_view path) const {
  const auto list = rows(path);
  return list.empty() ? 1 : list.back().generation + 1;
}

std::vector<DamagedRecord> RunFacts::torn() const {
  std::vector<DamagedRecord> result;
  for (const auto& [path, list] : rows_) {
    for (const Row& row : list) {
      if (row.damage == Damage::torn && !row.quarantined) result.push_back({path, row.generation});
    }
  }
  return result;
}

void RunFacts::note(const std::string& path, std::uint64_t generation, const core::Head& head) {
  rows_[path].push_back({generation, head, Damage::none, false});
}

void RunFacts::note_items(const std::string& stage, std::shared_ptr<const plan::ItemList> list) {
  lists_[stage] = std::move(list);
}

void RunFacts::note_damage(const DamagedRecord& record, bool quarantined) {
  const auto found = rows_.find(record.path);
  if (found == rows_.end()) return;
  for (Row& row : found->second) {
    if (row.generation != record.generation) continue;
    row.damage = Damage::torn;
    row.quarantined = row.quarantined || quarantined;
  }
}

}  // namespace resumable::inline v0::run
