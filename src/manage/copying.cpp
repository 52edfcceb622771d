// Copying runs as they are to another store, one or all.
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/json.hpp"
#include "core/text.hpp"
#include "manage/run_records.hpp"
#include "manage/writing.hpp"
#include "record/record_index.hpp"
#include "record/small_records.hpp"
#include "resumable/error.hpp"

namespace resumable {
inline namespace v0 {
namespace {

using manage::Output;
using manage::Payloads;
using manage::RunRecords;
using manage::Whole;

/// One object, or two on one folder.
bool is_same_store(const CheckpointStore& from, const CheckpointStore& to, std::string_view run) {
  if (&from == &to) return true;
  const auto* one = from.capability<ArtifactFolder>();
  const auto* two = to.capability<ArtifactFolder>();
  return one != nullptr && two != nullptr && one->artifact_folder(run) == two->artifact_folder(run);
}

[[noreturn]] void refuse_same(const CheckpointStore& store, std::string_view run) {
  throw Error(Errc::bad_option,
              {.what = fmt::format("run '{}' is in the store {} already: two runs of one store "
                                   "must not be the same run",
                                   core::printable(run), store.url()),
               .run = std::string{run},
               .kept = "nothing was changed",
               .next = "fork it to get a run of its own, or copy it to another store"});
}

[[noreturn]] void refuse_existing(const CheckpointStore& store, std::string_view id) {
  throw Error(Errc::duplicate_name, {.what = fmt::format("run '{}' exists in {}, and is not a copy "
                                                         "of this run",
                                                         core::printable(id), store.url()),
                                     .run = std::string{id},
                                     .kept = "nothing was changed",
                                     .next = "choose another id"});
}

/// Whether each of these records is there.
bool has_all(const RunRecords& there, const RunRecords& wanted) {
  for (const Whole& one : wanted.whole) {
    const Whole* found = there.find(one.path, one.generation);
    if (found == nullptr || found->tag != one.tag) return false;
  }
  return true;
}

/// Whether the other store has this run already, by an earlier call.
/// @throws Error{Errc::duplicate_name}  it has another one of that id
bool is_copied(const CheckpointStore& to, std::string_view id, const RunRecords& records) {
  if (!manage::exists(to, id)) return false;
  const auto there = manage::read_run(to, id, Payloads::leave);
  if (there.whole.empty() && there.problems.empty()) return false;
  if (there.uid != records.uid || !has_all(there, records)) refuse_existing(to, id);
  return !there.whole.empty();
}

/// In lists of runs, the copy looks like the original.
void copy_manifest(const CheckpointStore& from, std::string_view run, Lease& lease,
                   std::string_view new_id) {
  const auto text = from.manifest(run);
  if (!text) return;
  auto json = core::OrderedJson::parse(*text, nullptr, false);
  if (!json.is_object()) return;
  json["run"] = new_id;
  if (json.value("status", "") == "running") json["status"] = "interrupted";
  lease.manifest(json.dump(1, ' ', false, core::OrderedJson::error_handler_t::replace) + "\n");
}

void write_copies(const CheckpointStore& from, std::string_view run, const RunRecords& records,
                  Lease& lease) {
  std::vector<Output> all;
  all.reserve(records.whole.size());
  for (const Whole& one : records.whole) {
    all.push_back({one.path, one.generation, one.tag, one.text,
                   std::make_shared<manage::RemotePayload>(from, std::string{run}, one)});
  }
  if (!all.empty()) manage::commit(lease, all);
}

}  // namespace

CopyResult copy_run(const CheckpointStore& from, std::string_view run, CheckpointStore& to,
                    std::string_view new_id, const CopyOptions& options) {
  if (is_same_store(from, to, run)) refuse_same(from, run);
  return record::look_until_found([&](bool) {
    const auto records = manage::read_run(from, run, Payloads::prove, {.stop = options.stop});
    if (!options.skip_damaged) manage::refuse_problems(run, records);
    CopyResult result{.records = records.whole.size(), .bytes = records.bytes};
    for (const RecordProblem& one : records.problems) result.left_out.push_back(one.file);
    if (options.dry_run) {
      manage::refuse_owned(to, new_id);
      result.existed = is_copied(to, new_id, records);
      return result;
    }
    const auto lease = manage::lease_above(
        to, new_id,
        {.wait = options.wait, .stop = options.stop, .fence_above = records.highest_fence()});
    result.existed = is_copied(to, new_id, records);
    if (!result.existed) write_copies(from, run, records, *lease);
    // A copy that was made earlier may have been continued since.
    if (!result.existed || !to.manifest(new_id)) copy_manifest(from, run, *lease, new_id);
    manage::refuse_problems(new_id, manage::read_run(to, new_id, Payloads::prove));
    return result;
  });
}

BackUpResult back_up_store(const CheckpointStore& from, CheckpointStore& to,
                           const CopyOptions& options) {
  std::vector<std::string> runs;
  from.runs("", [&](std::string_view run) {
    runs.emplace_back(run);
    return true;
  });
  BackUpResult result;
  for (const std::string& run : runs) {
    const CopyResult copied = copy_run(from, run, to, run, options);
    ++result.runs;
    result.records += copied.records;
    result.bytes += copied.bytes;
    result.existed += copied.existed ? 1 : 0;
    result.left_out.insert(result.left_out.end(), copied.left_out.begin(), copied.left_out.end());
  }
  return result;
}

}  // namespace v0
}  // namespace resumable
