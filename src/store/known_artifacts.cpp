#include "store/known_artifacts.hpp"

#include <string>

#include <nlohmann/json.hpp>

#include "core/json.hpp"
#include "core/record_format.hpp"

namespace resumable::store {
namespace {

constexpr std::string_view exported_path = "@exported";
constexpr std::string_view appended_prefix = "@appended/";
constexpr std::uint64_t most_bytes = std::uint64_t{256} << 20U;

using Known = std::vector<KnownArtifact>;

void add(Known& known, const core::Json& entry, const std::string& path) {
  const auto digest = entry.find("digest");
  if (path.empty() || digest == entry.end() || !digest->is_string()) return;
  if (const auto parsed = Digest::parse(digest->get<std::string>())) {
    known.push_back({path, *parsed});
  }
}

/// The payload of a record that lists files, or `null`.
core::Json payload_of(const CheckpointStore& store, std::string_view run, RecordId id) {
  try {
    const auto record = store.get(run, id);
    if (!record) return nullptr;
    return core::Json::parse(read_all(*record->payload, most_bytes), nullptr, false);
  } catch (const Error&) {
    return nullptr;  // it cannot be understood, so no file is removed because of it
  }
}

void add_listed(Known& known, const core::Json& document) {
  const auto paths = document.is_object() ? document.find("paths") : document.end();
  if (!document.is_object() || paths == document.end() || !paths->is_array()) return;
  for (const auto& entry : *paths) {
    const auto path = entry.is_object() ? entry.find("path") : entry.end();
    if (entry.is_object() && path != entry.end() && path->is_string()) {
      add(known, entry, path->get<std::string>());
    }
  }
}

}  // namespace

Known known_artifacts(const CheckpointStore& store, std::string_view run) {
  Known known;
  std::vector<std::pair<std::string, std::uint64_t>> lists;
  store.scan(run, {.quarantined = false, .headers = true}, [&](const RecordHead& head) {
    if (!head.header) return true;
    const auto header = core::decode_header(*head.header, head.tag);
    if (!header) return true;
    for (const core::Export& one : header->exports) {
      // A user's bytes must not be removed, although a record has them.
      if (!one.is_nothing() && !one.edited) known.push_back({one.path, one.digest});
    }
    if (head.id.path == exported_path || head.id.path.starts_with(appended_prefix)) {
      lists.emplace_back(std::string{head.id.path}, head.id.generation);
    }
    return true;
  });
  for (const auto& [path, generation] : lists) {
    const auto document = payload_of(store, run, {path, generation});
    if (path == exported_path) {
      add_listed(known, document);
    } else if (document.is_object()) {
      const auto key = document.find("path");
      if (key != document.end() && key->is_string()) add(known, document, key->get<std::string>());
    }
  }
  return known;
}

}  // namespace resumable::store
