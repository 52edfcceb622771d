// The host's inputs, and what is on disk for people: the parts of RunFacts that look outside.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "resumable/error.hpp"
#include "run/run_facts.hpp"
#include "run/sources.hpp"

namespace resumable::inline v0::run {
namespace {

using detail::Node;
using detail::NodeKind;

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
  std::string text = fmt::format("{}", fmt::join(changes.begin(), changes.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
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
  if (!declared.given) return recorded;
  Input input;
  input.value = declared.given;
  input.to_record = declared.type->encode(declared.given.get());
  const std::string bytes = read_all(*input.to_record);
  input.fact = {true, digest(bytes), brief(bytes)};
  // The recorded value, migrated, is this one: nothing has changed.
  if (recorded.value) {
    const auto again = declared.type->encode(recorded.value.get());
    if (read_all(*again) == bytes) return recorded;
  }
  return input;
}

Input RunFacts::recorded_input(const Node& node) const {
  const std::string path = core::own_key("input", node.name).path;
  const plan::Row* row = current(path);
  if (row == nullptr || row->head.schema > node.type->version ||
      row->head.codec != node.type->codec) {
    return {};
  }
  try {
    const auto bytes = payload(path, row->generation);
    Input input;
    input.value = node.type->decode(bytes, row->head.schema);
    input.fact = {true, row->head.identity, brief(read_all(*bytes))};
    return input;
  } catch (const DamagedRecord&) {
    return {};
  } catch (const Error&) {
    if (!node.given) throw;  // it has to be read, and cannot be
    return {};
  }
}

Input RunFacts::read_files(std::uint32_t node) const {
  const Node& declared = graph_.nodes[node];
  const std::string path = core::own_key("input", declared.name).path;
  const plan::Row* row = current(path);
  const RecordedFiles recorded = row ? parse_files(text_of(path, *row)) : RecordedFiles{};
  std::string folder = declared.folder.empty() ? recorded.folder
                                               : sys::absolute_path(declared.folder);
  if (folder.empty()) return {};
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
  core::Export& known = confirmed_[exported.path];
  if (exported.order >= known.order) known = exported;
}

bool RunFacts::is_export(const Digest& content) const {
  bool found = false;
  for_each_exporter([&](const core::Header& header) {
    for (const core::Export& one : header.exports) {
      found = found || one.digest == content || (one.before && *one.before == content);
    }
  });
  return found;
}

void RunFacts::for_each_exporter(FunctionRef<void(const core::Header&)> visit) const {
  const auto read = [&](const std::string& record) {
    const plan::Row* row = current(record);
    const auto found = row ? header(record, row->generation) : std::nullopt;
    if (found) visit(*found);
  };
  for (const Node& node : graph_.nodes) {
    if (node.artifacts.empty()) continue;
    read(core::stage_key(node.name).path);
    for (const std::string& item : item_paths(node.name)) read(item);
  }
}

/// What was known to be in place at the last stop, and what later records say.
void RunFacts::read_confirmed() {
  const std::string path = core::exported_key().path;
  if (const plan::Row* row = current(path)) {
    const auto json = nlohmann::json::parse(text_of(path, *row), nullptr, false);
    for (const auto& entry : json.is_array() ? json : nlohmann::json::array()) {
      const auto content = Digest::parse(entry.value("digest", ""));
      if (content) {
        note_confirmed({entry.value("path", ""), *content, {}, entry.value("order", 0ULL)});
      }
    }
  }
  for_each_exporter([&](const core::Header& header) {
    for (const core::Export& one : header.confirmed) note_confirmed(one);
  });
}

}  // namespace resumable::inline v0::run
