#include "manage/interrupted.hpp"

#include <algorithm>

#include "core/key.hpp"
#include "core/run_id.hpp"

namespace resumable::manage {

std::vector<std::string> interrupted_removals(CheckpointStore& store, sys::FileSystem& system) {
  const auto* place = store.capability<ArtifactFolder>();
  if (place == nullptr) return {};
  const std::string any = place->artifact_folder("any");  // the folders of all runs are beside it
  sys::File root;
  std::vector<sys::Entry> entries;
  if (system.open_root(any.substr(0, any.rfind('/')), root) || system.list(root, entries))
    return {};
  // As a store renames the folder of a run that it removes.
  const std::string removing = std::string{core::own_folder} + ".removing";
  std::vector<std::string> runs;
  for (const sys::Entry& entry : entries) {
    sys::File folder;
    sys::Stat stat;
    if (system.open(root, entry.name, sys::Open::folder, folder)) continue;
    if (system.stat(folder, removing, stat)) continue;
    if (auto run = core::decode_run(entry.name)) runs.push_back(*std::move(run));
  }
  std::ranges::sort(runs);
  return runs;
}

}  // namespace resumable::manage
