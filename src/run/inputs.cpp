// The host's inputs, and what is on disk for people: the parts of RunFacts that look outside.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "resumable/error.hpp"
#include "run/run_facts.hpp"
#include "run/sources.hpp"

namespace resumable::inline v0::run {
namespace {

using detail::Node;
using detail::NodeKind;
using plan::Row;

/// A short form of a value, for messages.
std::string brief(std::string_view text) {
  const std::string shown = core::printable(text);
  return shown.size() <= 60 ? shown : shown.substr(0, 57) + "…";
}

struct RecordedFiles {
  std::string folder;
  std::vector<std::pair<std::string, std::string>> files;  ///< name, digest
};

RecordedFiles parse_files(std::string_view text) {
  RecordedFiles recorded;
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return recorded;
  recorded.folder = json.value("folder", std::string{});
  for (const auto& file : json.value("files", nlohmann::json::array())) {
    recorded.files.emplace_back(file.value("name", ""), file.value("digest", ""));
  }
  return recorded;
}

/// Which files differ: `+new.md, -gone.md, ~changed.md`, a few of them.
std::string differences(const RecordedFiles& before, const std::vector<SourceFile>& now) {
  std::map<std::string, std::string> old(before.files.begin(), before.files.end());
  std::vector<std::string> changes;
  for (const SourceFile& file : now) {
    const auto found = old.find(file.name);
    if (found == old.end()) {
      changes.push_back("+" + file.name);
    } else {
      if (found->second != file.digest.hex()) changes.push_back("~" + file.name);
      old.erase(found);
    }
  }
  for (const auto& [name, digest] : old) changes.push_back("-" + name);
  const std::size_t shown = std::min<std::size_t>(changes.size(), 5);
  std::string text = fmt::format(
      "{}", fmt::join(changes.begin(), changes.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (shown < changes.size()) text += fmt::format(" and {} more", changes.size() - shown);
  return text;
}

std::string files_json(const std::string& folder, const std::vector<SourceFile>& files) {
  nlohmann::ordered_json json{{"folder", folder}, {"files", nlohmann::ordered_json::array()}};
  for (const SourceFile& file : files) {
    json["files"].push_back({{"name", file.name}, {"digest", file.digest.hex()}});
  }
  return json.dump();
}

}  // namespace

void RunFacts::read_inputs() {
  for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i) {
    if (is_input(graph_.nodes[i])) inputs_[i] = read_input(i);
  }
}

Input RunFacts::read_input(std::uint32_t node) const {
  const Node& declared = graph_.nodes[node];
  if (declared.kind == NodeKind::files) return read_files(node);
  if (declared.kind == NodeKind::secret) return {{true, {}, {}}, declared.given, nullptr};
  Input recorded = recorded_input(declared);
  if (!declared.given || recorded.fact.reason == Reason::newer) return recorded;
  Input input;
  input.value = declared.given;
  try {
    input.to_record = declared.type->encode(declared.given.get());
  } catch (const Error& error) {
    ErrorInfo info = error.info();
    info.what = fmt::format("input '{}': {}", declared.name, info.what);
    throw Error(error.errc(), std::move(info));
  }
  const std::string bytes = read_all(*input.to_record);
  input.fact = {true, digest(bytes), brief(bytes)};
  // The recorded value, migrated, is this one: nothing has changed.
  if (recorded.value) {
    const auto again = declared.type->encode(recorded.value.get());
    if (read_all(*again) == bytes) return recorded;
  }
  return input;
}

namespace {

Input unknown_input(Reason reason, std::string problem, std::string file) {
  Input input;
  input.fact.reason = reason;
  input.fact.problem = std::move(problem);
  input.fact.file = std::move(file);
  return input;
}

}  // namespace

/// The newest record of an input, which must be whole: an earlier one says what the value once was.
const Row* RunFacts::newest_input(const std::string& path) const {
  const auto list = rows(path);
  const bool whole =
      !list.empty() && !list.back().quarantined && list.back().damage == Damage::none;
  return whole ? &list.back() : nullptr;
}

Input RunFacts::lost_input(const std::string& path) const {
  const auto list = rows(path);
  if (list.empty()) return {};
  return unknown_input(Reason::missing_input, "the record of its value is damaged: give it again",
                       locate(path, list.back().generation));
}

Input RunFacts::recorded_input(const Node& node) const {
  const std::string path = core::own_key("input", node.name).path;
  const Row* row = newest_input(path);
  if (row == nullptr) return lost_input(path);
  if (row->head.schema > node.type->version) {
    return unknown_input(Reason::newer,
                         fmt::format("saved with schema {}; this program knows {} to {}",
                                     row->head.schema, node.type->oldest, node.type->version),
                         locate(path, row->generation));
  }
  if (row->head.codec != node.type->codec) {
    return unknown_input(Reason::codec_changed, "its value was recorded by another codec",
                         locate(path, row->generation));
  }
  try {
    const auto bytes = payload(path, row->generation);
    Input input;
    input.value = node.type->decode(bytes, row->head.schema);
    input.fact = {true, row->head.identity, brief(read_all(*bytes))};
    return input;
  } catch (const DamagedRecord&) {
    return {};
  } catch (const Error& error) {
    // It has to be read, and cannot be; or nobody knows what is there.
    if (!node.given || error.errc() == Errc::unreadable) throw;
    return {};
  }
}

Input RunFacts::read_files(std::uint32_t node) const {
  const Node& declared = graph_.nodes[node];
  const std::string path = core::own_key("input", declared.name).path;
  const Row* row = newest_input(path);
  const RecordedFiles recorded = row ? parse_files(text_of(path, *row)) : RecordedFiles{};
  std::string folder =
      declared.folder.empty() ? recorded.folder : sys::absolute_path(declared.folder);
  if (folder.empty()) return lost_input(path);
  auto files = read_sources(system_, declared.name, folder);
  Input input;
  input.fact = {true, identity_of(files), fmt::format("{} files", files.size())};
  if (row != nullptr && row->head.identity != input.fact.identity) {
    input.fact.text += fmt::format(" ({})", differences(recorded, files));
  }
  if (row == nullptr || row->head.identity != input.fact.identity || recorded.folder != folder) {
    input.to_record = std::make_shared<StringPayload>(files_json(folder, files));
  }
  input.value = std::make_shared<const std::vector<SourceFile>>(std::move(files));
  return input;
}

plan::InputFact RunFacts::input(std::uint32_t node) const { return inputs_.at(node).fact; }

std::string RunFacts::input_text(std::string_view name, const Digest& identity) const {
  const std::size_t node = graph_.find(name);
  if (node >= graph_.nodes.size() || !is_input(graph_.nodes[node])) return {};
  const Input& now = inputs_.at(static_cast<std::uint32_t>(node));
  if (now.fact.known && now.fact.identity == identity) return now.fact.text;
  const std::string path = core::own_key("input", name).path;
  for (const plan::Row& row : rows(path)) {
    if (row.damage != Damage::none || row.quarantined || row.head.identity != identity) continue;
    const std::string text = text_of(path, row);
    if (graph_.nodes[node].kind == NodeKind::files) {
      return fmt::format("{} files", parse_files(text).files.size());
    }
    return brief(text);
  }
  return {};
}

// ---- artifacts ---------------------------------------------------------------------------------

plan::Look RunFacts::look(std::string_view artifact) const {
  const auto cached = looks_.find(artifact);
  if (cached != looks_.end()) return cached->second;
  const artifact::Found found = folder_->look(artifact);
  plan::Look look;
  look.state = static_cast<plan::Look::State>(found.state);
  look.digest = found.digest;
  look.problem = found.problem;
  if (found.cause) causes_[folder_->full(artifact)] = found.cause;
  looks_[std::string{artifact}] = look;
  return look;
}

std::string RunFacts::artifact_file(std::string_view artifact) const {
  return folder_ ? folder_->full(artifact) : std::string{artifact};
}

const core::Export* RunFacts::confirmed(std::string_view artifact) const {
  const auto found = confirmed_.find(artifact);
  return found == confirmed_.end() ? nullptr : &found->second;
}

void RunFacts::note_confirmed(const core::Export& exported) {
  const auto known = confirmed_.find(exported.path);
  if (known != confirmed_.end() && known->second.order >= exported.order) return;
  confirmed_[exported.path] = exported;
  unrecorded_ = true;
}

void RunFacts::note_published(const core::Export& exported) {
  note_confirmed(exported);
  looks_[exported.path] = {plan::Look::State::file, exported.digest, {}};
}

void RunFacts::forget_published(const std::string& artifact) {
  if (confirmed_.erase(artifact) > 0) unrecorded_ = true;
  looks_.erase(artifact);
}

void RunFacts::note_exports(std::uint32_t node, const std::string& item,
                            const std::vector<core::Export>& exports) {
  std::vector<std::string>& paths = exported_by_[{node, item}];
  for (const std::string& path : paths) {
    std::vector<PathWriter>& list = writers_[path];
    std::erase_if(list,
                  [&](const PathWriter& one) { return one.node == node && one.item == item; });
    if (list.empty()) writers_.erase(path);
  }
  paths.clear();
  for (const core::Export& one : exports) {
    if (one.is_nothing()) {
      without_file_.insert(one.path);
      continue;
    }
    without_file_.erase(one.path);
    writers_[one.path].push_back({node, item, one});
    paths.push_back(one.path);
  }
}

std::span<const PathWriter> RunFacts::writers(std::string_view artifact) const {
  const auto found = writers_.find(artifact);
  return found == writers_.end() ? std::span<const PathWriter>{} : std::span{found->second};
}

bool RunFacts::is_known(std::string_view artifact, const Digest& content) const {
  const core::Export* sure = confirmed(artifact);
  if (sure != nullptr && sure->digest == content) return true;
  const auto list = writers(artifact);
  return std::any_of(list.begin(), list.end(), [&](const PathWriter& one) {
    if (sure != nullptr && sure->order >= one.exported.order) return false;
    return one.exported.digest == content ||
           (one.exported.before && *one.exported.before == content);
  });
}

bool RunFacts::is_export(const Digest& content) const {
  for (const auto& [path, list] : writers_) {
    for (const PathWriter& one : list) {
      if (one.exported.digest == content) return true;
      if (one.exported.before && *one.exported.before == content) return true;
    }
  }
  return false;
}

std::vector<std::string> RunFacts::foreign_exports() const {
  std::vector<std::string> paths;
  for (const auto& [path, list] : rows_) {
    if (path.starts_with('@') ||
        graph_.find(path.substr(0, path.find('/'))) < graph_.nodes.size()) {
      continue;
    }
    const Row* row = current(path);
    const auto found = row != nullptr ? header(path, row->generation) : std::nullopt;
    if (!found) continue;
    for (const core::Export& one : found->exports) paths.push_back(one.path);
  }
  return paths;
}

void RunFacts::read_exporter(std::uint32_t node, const std::string& record) {
  const Row* row = current(record);
  const auto found = row != nullptr ? header(record, row->generation) : std::nullopt;
  if (!found) return;
  const std::size_t slash = found->key.find('/');
  note_exports(node, slash == found->key.npos ? std::string{} : found->key.substr(slash + 1),
               found->exports);
  for (const core::Export& one : found->confirmed) {
    if (one.order > told_up_to_) note_confirmed(one);
  }
}

/// What was known to be in place at the last stop, and what later records say.
void RunFacts::read_confirmed() {
  if (!folder_) return;
  const std::string path = core::exported_key().path;
  if (const Row* row = current(path)) {
    const auto json = nlohmann::json::parse(text_of(path, *row), nullptr, false);
    for (const auto& entry : json.is_object() ? json.value("paths", nlohmann::json::array())
                                              : nlohmann::json::array()) {
      const auto content = Digest::parse(entry.value("digest", ""));
      if (content) {
        note_confirmed({entry.value("path", ""), *content, {}, entry.value("order", 0ULL)});
      }
    }
    told_up_to_ = json.is_object() ? json.value("order", 0ULL) : 0;
  }
  unrecorded_ = false;
  for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i) {
    if (graph_.nodes[i].artifacts.empty()) continue;
    read_exporter(i, core::stage_key(graph_.nodes[i].name).path);
    for (const std::string& item : item_paths(graph_.nodes[i].name)) read_exporter(i, item);
  }
}

}  // namespace resumable::inline v0::run
