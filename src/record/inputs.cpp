#include "record/inputs.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/json.hpp"
#include "core/text.hpp"
#include "record/sources.hpp"
#include "resumable/detail/packed_json.hpp"
#include "resumable/digest.hpp"
#include "resumable/error.hpp"
#include "value/nested_schemas.hpp"
#include "value/redaction.hpp"

namespace resumable::record {
namespace {

using detail::Node;
using detail::NodeKind;
using plan::Row;

/// A short form of a value, for messages.
std::string brief(std::string_view text) {
  const std::string shown = core::printable(text);
  return shown.size() <= 60 ? shown : shown.substr(0, 57) + "…";
}

/// The same of a value's bytes, which may be many and not in memory.
std::string brief(const Payload& bytes) {
  std::string first(static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), 256)), '\0');
  first.resize(bytes.read(0, first));
  return brief(first);
}

struct RecordedFiles {
  std::string folder;
  std::vector<std::pair<std::string, std::string>> files;  ///< name, digest
};

RecordedFiles parse_files(std::string_view text) {
  RecordedFiles recorded;
  const auto json = core::Json::parse(text, nullptr, false);
  if (!json.is_object()) return recorded;
  recorded.folder = json.value("folder", std::string{});
  for (const auto& file : json.value("files", core::Json::array())) {
    recorded.files.emplace_back(file.value("name", ""), file.value("digest", ""));
  }
  return recorded;
}

/// The first few, and how many more there are.
std::string first_of(const std::vector<std::string>& all) {
  const std::size_t shown = std::min<std::size_t>(all.size(), 5);
  std::string text = fmt::format(
      "{}", fmt::join(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (shown < all.size()) text += fmt::format(" and {} more", all.size() - shown);
  return text;
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
  return first_of(changes);
}

std::string files_json(const std::string& folder, const std::vector<SourceFile>& files) {
  core::OrderedJson json{{"folder", folder}, {"files", core::OrderedJson::array()}};
  for (const SourceFile& file : files) {
    json["files"].push_back({{"name", file.name}, {"digest", file.digest.hex()}});
  }
  return json.dump();
}

}  // namespace

void HostInputs::read(const detail::Graph& graph) {
  graph_ = &graph;
  for (std::uint32_t i = 0; i < graph_->nodes.size(); ++i) {
    if (is_input(graph_->nodes[i])) inputs_[i] = read_input(i);
  }
}

Input HostInputs::read_input(std::uint32_t node) const {
  const Node& declared = graph_->nodes[node];
  if (declared.kind == NodeKind::files) return read_files(node);
  if (declared.kind == NodeKind::secret) return {{true, {}, {}}, declared.given, nullptr};
  std::optional<Input> given;
  const Row* row = newest(core::own_key("input", declared.name).path);
  if (declared.given && row != nullptr && row->head.schema == declared.type->version &&
      detail::unpacked(row->head.codec) == declared.type->codec) {
    given = given_input(declared);
    if (given->fact.identity == row->head.identity && is_current(declared, *row)) {
      given->to_record = nullptr;
      return *std::move(given);
    }
  }
  Input recorded = recorded_input(declared);
  if (!declared.given || recorded.fact.reason == Reason::newer) return recorded;
  Input input = given ? *std::move(given) : given_input(declared);
  // The recorded value, migrated, is this one: nothing has changed.
  if (recorded.value) {
    const Payload& bytes = *input.to_record;
    const auto again = value::encode(*graph_, *declared.type, recorded.value.get());
    const bool same =
        again->size() == bytes.size() && core::digest_of(*again) == input.fact.identity;
    if (same) {
      if (graph_->redaction) recorded.value = declared.given;  // it has the redacted fields
      return recorded;
    }
    if (input.fact.identity == recorded.fact.identity) {
      // The same bytes, which meant something else in an earlier version.
      input.fact.identity = Digester{}
                                .add(input.fact.identity)
                                .add(value::schemas_inside(declared.type->shape_now()))
                                .finish();
    }
  }
  return input;
}

/// Equal bytes are another value if a type inside them had another version.
bool HostInputs::is_current(const Node& input, const Row& row) const {
  const detail::TypeShape shape = input.type->shape_now();
  if (shape.schemas.empty() && shape.found.empty()) return true;
  try {
    const std::string path = core::own_key("input", input.name).path;
    return value::are_current(records_.saved(path, row.generation).schemas, shape);
  } catch (const DamagedRecord&) {
    return false;
  }
}

Input HostInputs::given_input(const Node& declared) const {
  Input input;
  input.value = declared.given;
  try {
    input.to_record = value::encode(*graph_, *declared.type, declared.given.get());
  } catch (const Error& error) {
    ErrorInfo info = error.info();
    info.what = fmt::format("input '{}': {}", declared.shown(), info.what);
    throw Error(error.errc(), std::move(info));
  }
  const Payload& bytes = *input.to_record;
  input.fact = {true, core::digest_of(bytes), brief(bytes)};
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

/// The newest record of an input. If that is damaged, the one before it counts where it is the
/// first of its value: then the damaged one repeated it. Any other would only say what the value
/// once was.
const Row* HostInputs::newest(const std::string& path) const {
  const auto list = records_.rows(path);
  if (!plan::is_lost(list)) return list.empty() ? nullptr : &list.back();
  const Row* before = plan::newest_whole(list);
  const bool is_repeated = before != nullptr && before->head.revision != core::repeated_input &&
                           before->generation + 1 == list.back().generation;
  return is_repeated ? before : nullptr;
}

Input HostInputs::lost_input(const std::string& path) const {
  const auto list = records_.rows(path);
  if (list.empty()) return {};
  return unknown_input(Reason::missing_input, "the record of its value is damaged: give it again",
                       records_.locate(path, list.back().generation));
}

Input HostInputs::recorded_input(const Node& node) const {
  const std::string path = core::own_key("input", node.name).path;
  const Row* row = newest(path);
  if (row == nullptr) return lost_input(path);
  if (row->head.schema > node.type->version) {
    return unknown_input(Reason::newer,
                         fmt::format("saved with schema {}; this program knows {} to {}",
                                     row->head.schema, node.type->oldest, node.type->version),
                         records_.locate(path, row->generation));
  }
  if (detail::unpacked(row->head.codec) != node.type->codec) {
    return unknown_input(Reason::codec_changed, "its value was recorded by another codec",
                         records_.locate(path, row->generation));
  }
  try {
    const Saved saved = records_.saved(path, row->generation);
    Input input;
    if (!node.given && value::lacks_fields(*graph_, *node.type, *saved.payload)) {
      return unknown_input(Reason::missing_input,
                           "it was recorded without the fields that are redacted: give it again",
                           records_.locate(path, row->generation));
    }
    input.value = node.type->decode(saved.payload, {row->head.schema, saved.schemas});
    input.fact = {true, row->head.identity, brief(*saved.payload)};
    return input;
  } catch (const DamagedRecord&) {
    return {};
  } catch (const Error& error) {
    if (error.errc() == Errc::unreadable) throw;  // it is unknown what is there
    if (node.given) return {};
    ErrorInfo info = error.info();
    info.what = fmt::format("input '{}': {}", node.shown(), info.what);
    if (info.file.empty()) info.file = records_.locate(path, row->generation);
    throw Error(error.errc(), std::move(info));
  }
}

Input HostInputs::read_files(std::uint32_t node) const {
  const Node& declared = graph_->nodes[node];
  const std::string path = core::own_key("input", declared.name).path;
  const Row* row = newest(path);
  const RecordedFiles recorded = row ? parse_files(records_.text_of(path, *row)) : RecordedFiles{};
  std::string folder =
      declared.folder.empty() ? recorded.folder : sys::absolute_path(declared.folder);
  if (folder.empty()) return lost_input(path);
  auto [files, left_out] = read_sources(system_, declared.shown(), folder);
  Input input;
  input.fact = {true, identity_of(files), fmt::format("{} files", files.size())};
  input.fact.left_out = first_of(left_out);
  if (row != nullptr && row->head.identity != input.fact.identity) {
    input.fact.text += fmt::format(" ({})", differences(recorded, files));
  }
  if (row == nullptr || row->head.identity != input.fact.identity || recorded.folder != folder) {
    input.to_record = std::make_shared<StringPayload>(files_json(folder, files));
  }
  input.value = std::make_shared<const std::vector<SourceFile>>(std::move(files));
  return input;
}

bool HostInputs::is_recorded_twice(std::uint32_t node) const {
  const auto list = records_.rows(core::own_key("input", graph_->nodes[node].name).path);
  return !plan::is_lost(list) && std::ranges::count_if(list, [&](const Row& row) {
                                   return row.is_whole() &&
                                          row.head.identity == list.back().head.identity;
                                 }) > 1;
}

const Input* HostInputs::find(std::uint32_t node) const {
  const auto found = inputs_.find(node);
  return found == inputs_.end() ? nullptr : &found->second;
}

std::string HostInputs::text(std::string_view name, const Digest& identity) const {
  if (graph_ == nullptr) return {};
  const std::size_t node = graph_->find(name);
  if (node >= graph_->nodes.size() || !is_input(graph_->nodes[node])) return {};
  const Input& now = inputs_.at(static_cast<std::uint32_t>(node));
  if (now.fact.known && now.fact.identity == identity) return now.fact.text;
  const std::string path = core::own_key("input", name).path;
  for (const plan::Row& row : records_.rows(path)) {
    if (!row.is_whole() || row.head.identity != identity) continue;
    const std::string text = records_.text_of(path, row);
    if (graph_->nodes[node].kind == NodeKind::files) {
      return fmt::format("{} files", parse_files(text).files.size());
    }
    return brief(text);
  }
  return {};
}

}  // namespace resumable::record
