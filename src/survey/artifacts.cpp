#include "survey/artifacts.hpp"

#include <map>

#include "core/record_format.hpp"
#include "exports/folder.hpp"
#include "exports/place.hpp"
#include "exports/set_aside.hpp"
#include "sys/file_system.hpp"
#include "sys/random.hpp"

namespace resumable::survey {
namespace {

/// By path, the export that owns it: the last one.
std::map<std::string, core::Export> last_exports(const CheckpointStore& store,
                                                 std::string_view run) {
  std::map<std::string, core::Export> last;
  const ScanOptions what{.quarantined = false, .headers = true};
  store.scan(run, what, [&](const RecordHead& head) {
    const auto header = head.header ? core::decode_header(*head.header, head.tag) : std::nullopt;
    if (!header) return true;
    for (const core::Export& made : header->exports) {
      core::Export& known = last[made.path];
      if (known.path.empty() || known.order < made.order) known = made;
    }
    return true;
  });
  return last;
}

}  // namespace

FilesSetAside files_set_aside(const CheckpointStore& store, std::string_view run) {
  const std::string folder = exports::artifact_folder(store, run);
  if (folder.empty()) return {};
  const auto system = sys::posix_file_system();
  const auto total = exports::total_set_aside(*system, folder);
  return {total.files, total.bytes};
}

Artifacts artifacts(const CheckpointStore& store, std::string_view run) {
  std::vector<KnownArtifact> exported;
  if (exports::artifact_folder(store, run).empty()) return {};
  for (const auto& [path, made] : last_exports(store, run)) {
    if (!made.is_nothing()) exported.push_back({path, made.digest});
  }
  return artifacts(store, run, exported);
}

Artifacts artifacts(const CheckpointStore& store, std::string_view run,
                    std::span<const KnownArtifact> exported) {
  Artifacts result;
  const std::string place = exports::artifact_folder(store, run);
  if (place.empty()) return result;
  const auto system = sys::posix_file_system();
  sys::SystemRandom random;
  const exports::Folder folder{*system, random, place};
  for (const auto& [path, digest] : exported) {
    const exports::Found found = folder.look(path);
    switch (found.state) {
      case exports::Found::State::missing: result.missing.push_back(path); break;
      case exports::Found::State::file:
        ++result.read;
        if (found.digest != digest) result.edited.push_back(path);
        break;
      default: result.unreadable.push_back(path);
    }
  }
  return result;
}

}  // namespace resumable::survey
