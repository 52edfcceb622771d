#include "run/run_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "resumable/error.hpp"

namespace resumable::inline v0::run {

using detail::Node;
using detail::NodeKind;
using plan::Row;

RunFacts::RunFacts(const detail::Graph& graph, CheckpointStore& store, std::string run,
                   sys::Clock& clock, sys::FileSystem& system,
                   std::optional<artifact::Folder> folder)
    : graph_(graph), store_(store), run_(std::move(run)), clock_(clock), system_(system),
      folder_(std::move(folder)) {}

void RunFacts::gather_records() {
  scan();
  find_uid();
  prove_tags();
}

void RunFacts::gather(bool deep) {
  gather_records();
  if (deep) prove_payloads();
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
    return true;
  });
  for (auto& [path, list] : rows_) {
    std::sort(list.begin(), list.end(),
              [](const Row& a, const Row& b) { return a.generation < b.generation; });
  }
}

/// The run's own record says its uid; should that be lost, any whole header does.
void RunFacts::find_uid() {
  const auto try_one = [&](const std::pair<std::string, std::uint64_t>& id, const Tag& tag) {
    const auto record = stored(id.first, id.second);
    const auto header = record ? core::decode_header(record->header, tag) : std::nullopt;
    if (!header) return false;
    const core::Place place{header->run_uid, id.first, id.second};
    if (core::decode_tag(tag, place).damage != Damage::none) return false;
    uid_ = header->run_uid;
    return true;
  };
  const std::string own = core::run_key().path;
  for (auto at = tags_.lower_bound({own, 0}); at != tags_.end() && at->first.first == own; ++at) {
    if (try_one(at->first, at->second)) return;
  }
  for (const auto& [id, tag] : tags_) {
    if (try_one(id, tag)) return;
  }
}

void RunFacts::prove_tags() {
  for (auto& [path, list] : rows_) {
    for (Row& row : list) {
      const auto tag = tags_.find({path, row.generation});
      if (row.damage != Damage::none || row.quarantined || tag == tags_.end()) continue;
      const auto reading = core::decode_tag(tag->second, {uid_, path, row.generation});
      row.damage = reading.damage;
      row.head = reading.head;
    }
  }
  tags_.clear();
}

void RunFacts::prove_payloads() {
  for (auto& [path, list] : rows_) {
    for (Row& row : list) {
      if (row.damage != Damage::none || row.quarantined) continue;
      try {
        static_cast<void>(payload(path, row.generation));
      } catch (const DamagedRecord&) {
        row.damage = Damage::torn;
      } catch (const Error& error) {
        row.damage = error.errc() == Errc::damaged ? Damage::torn : Damage::unreadable;
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
    return store_.get(run_, {path, generation});
  } catch (const Error& error) {
    if (error.errc() == Errc::damaged) return std::nullopt;
    throw;
  }
}

std::optional<core::Header> RunFacts::header(std::string_view path,
                                             std::uint64_t generation) const {
  const auto record = stored(path, generation);
  if (!record) return std::nullopt;
  const core::Place place{uid_, path, generation};
  if (core::decode_tag(record->tag, place).damage != Damage::none) return std::nullopt;
  return core::decode_header(record->header, record->tag);
}

std::shared_ptr<const Payload> RunFacts::payload(const std::string& path,
                                                 std::uint64_t generation) const {
  const auto record = stored(path, generation);
  const core::Place place{uid_, path, generation};
  if (record && core::decode_tag(record->tag, place).damage == Damage::none) {
    const auto header = core::decode_header(record->header, record->tag);
    if (header && core::payload_matches(*header, *record->payload)) return record->payload;
  }
  throw DamagedRecord{path, generation};
}

std::string RunFacts::text_of(std::string_view path, const Row& row) const {
  try {
    return read_all(*payload(std::string{path}, row.generation), 1 << 26);
  } catch (const DamagedRecord&) {
    return {};
  }
}

// ---- small records -----------------------------------------------------------------------------

std::string encode_items(const plan::ItemList& list) {
  std::string bytes = list.list.hex() + "\n";
  for (std::size_t i = 0; i < list.keys.size(); ++i) {
    bytes += list.digests[i].hex() + " ";
    for (const char c : list.keys[i]) {
      if (c == '\n') {
        bytes += "\\n";
      } else if (c == '\\') {
        bytes += "\\\\";
      } else {
        bytes += c;
      }
    }
    bytes += "\n";
  }
  return bytes;
}

std::shared_ptr<const plan::ItemList> decode_items(std::string_view bytes) {
  auto list = std::make_shared<plan::ItemList>();
  bool first = true;
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    if (end == bytes.npos || end < 32) return nullptr;
    const auto parsed = Digest::parse(bytes.substr(0, 32));
    if (!parsed) return nullptr;
    if (first) {
      list->list = *parsed;
    } else {
      std::string key;
      for (std::size_t i = 33; i < end; ++i) {
        const bool escape = bytes[i] == '\\' && i + 1 < end;
        key += !escape ? bytes[i] : bytes[++i] == 'n' ? '\n' : '\\';
      }
      list->keys.push_back(std::move(key));
      list->digests.push_back(*parsed);
    }
    first = false;
    bytes.remove_prefix(end + 1);
  }
  return first || list->find_repeats() ? nullptr : list;
}

std::shared_ptr<const plan::ItemList> RunFacts::items(std::string_view stage,
                                                      std::uint32_t revision) const {
  const std::string path = core::own_key("items", stage).path;
  const Row* row = current(path);
  if (row == nullptr || row->head.revision != revision) return nullptr;
  const auto cached = lists_.find(stage);
  if (cached != lists_.end() && cached->second->list == row->head.fingerprint) return cached->second;
  auto list = decode_items(text_of(path, *row));
  if (list) lists_[std::string{stage}] = list;
  return list;
}

std::optional<bool> RunFacts::condition(std::string_view name) const {
  const std::string path = core::own_key("condition", name).path;
  const Row* row = current(path);
  if (row == nullptr) return std::nullopt;
  const std::string text = text_of(path, *row);
  if (text != "true" && text != "false") return std::nullopt;
  return text == "true";
}

std::pair<plan::Approval, std::string> RunFacts::approval(std::string_view stage,
                                                          std::string_view item,
                                                          const Digest& fingerprint) const {
  const std::string path = core::about_key("approval", stage, item).path;
  const Row* row = current(path);
  if (row == nullptr || row->head.fingerprint != fingerprint) return {plan::Approval::none, {}};
  const auto json = nlohmann::json::parse(text_of(path, *row), nullptr, false);
  if (!json.is_object()) return {plan::Approval::none, {}};
  const bool approved = json.value("state", std::string{}) == "approved";
  return {approved ? plan::Approval::approved : plan::Approval::asked,
          json.value("message", std::string{})};
}

std::vector<plan::Request> RunFacts::requests() const {
  std::vector<plan::Request> result;
  for (auto at = rows_.lower_bound("@request/"); at != rows_.end(); ++at) {
    if (!at->first.starts_with("@request/")) break;
    const Row* row = current(at->first);
    if (row == nullptr) continue;
    const auto json = nlohmann::json::parse(text_of(at->first, *row), nullptr, false);
    if (!json.is_object()) continue;
    const std::string what = json.value("what", std::string{});
    plan::Request request{plan::Request::What::fresh, 0, json.value("item", std::string{}),
                          row->head.fence};
    if (what != "fresh") {
      const std::size_t node = graph_.find(json.value("stage", std::string{}));
      if (node >= graph_.nodes.size()) continue;
      request.what = what == "from" ? plan::Request::What::from : plan::Request::What::redo;
      request.node = static_cast<std::uint32_t>(node);
    }
    result.push_back(std::move(request));
  }
  return result;
}

std::string RunFacts::locate(std::string_view path, std::uint64_t generation) const {
  return store_.locate(run_, {path, generation});
}

std::vector<std::string> RunFacts::item_paths(std::string_view stage) const {
  std::vector<std::string> paths;
  const std::string prefix = std::string{stage} + "/";
  for (auto at = rows_.lower_bound(prefix); at != rows_.end(); ++at) {
    if (!at->first.starts_with(prefix)) break;
    if (current(at->first) != nullptr) paths.push_back(at->first);
  }
  return paths;
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
