#include "manage/set_aside.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "core/text.hpp"
#include "manage/run_records.hpp"

namespace resumable::manage {
namespace {

/// Why one of them may be the only good copy of something; "" when none is.
std::string why_needed(const CheckpointStore& store, std::string_view run, std::size_t files) {
  const RunRecords records = read_run(store, run, Payloads::prove);
  if (!records.problems.empty()) {
    return fmt::format("the record '{}' is damaged: a set-aside record may be the only good copy",
                       core::printable(records.problems.front().path));
  }
  std::string without;
  std::size_t named = 0;
  store.scan(run, {}, [&](const RecordHead& head) {
    if (!head.quarantined) return true;
    ++named;
    const Whole* current = records.current(head.id.path);
    if (current != nullptr && current->generation > head.id.generation) return true;
    without = head.id.path;
    return false;
  });
  if (!without.empty()) {
    return fmt::format("'{}' was set aside and has no newer value", core::printable(without));
  }
  return named < files ? "files that were set aside are of no record that is known" : "";
}

}  // namespace

std::vector<exports::SetAside> all_set_aside(const CheckpointStore& store, std::string_view run,
                                             sys::FileSystem& system) {
  const auto* place = store.capability<ArtifactFolder>();
  if (place == nullptr) return {};
  return exports::list_set_aside(system, place->artifact_folder(run));
}

OldSetAside old_set_aside(CheckpointStore& store, std::string_view run, sys::FileSystem& system,
                          std::chrono::system_clock::time_point oldest) {
  OldSetAside result;
  const auto* place = store.capability<ArtifactFolder>();
  if (place == nullptr) return result;
  result.folder = place->artifact_folder(run);
  const auto all = exports::list_set_aside(system, result.folder);
  for (const exports::SetAside& one : all) {
    if (one.since < oldest.time_since_epoch()) result.files.push_back(one);
  }
  if (result.files.empty()) return result;
  const auto records = std::ranges::count(all, true, &exports::SetAside::record);
  result.kept_because = why_needed(store, run, static_cast<std::size_t>(records));
  if (!result.kept_because.empty()) result.files.clear();
  return result;
}

}  // namespace resumable::manage
