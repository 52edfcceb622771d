#include "manage/run_records.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/key.hpp"
#include "core/text.hpp"
#include "manage/run_reader.hpp"
#include "record/record_index.hpp"
#include "resumable/error.hpp"

namespace resumable::manage {
namespace {

Errc code_of(Damage damage) {
  switch (damage) {
    case Damage::newer: return Errc::newer;
    case Damage::foreign: return Errc::foreign;
    case Damage::unreadable: return Errc::unreadable;
    case Damage::none:
    case Damage::torn: break;
  }
  return Errc::damaged;
}

}  // namespace

std::uint64_t RunRecords::highest_fence() const {
  std::uint64_t highest = 0;
  for (const Whole& one : whole) highest = std::max(highest, one.head.fence);
  return highest;
}

const Whole* RunRecords::find(std::string_view path, std::uint64_t generation) const {
  const auto at =
      std::ranges::lower_bound(whole, std::pair{path, generation}, {}, [](const Whole& one) {
        return std::pair{std::string_view{one.path}, one.generation};
      });
  return at != whole.end() && at->path == path && at->generation == generation ? &*at : nullptr;
}

std::span<const Whole> RunRecords::all(std::string_view path) const {
  const auto name = [](const Whole& one) { return std::string_view{one.path}; };
  return {std::ranges::lower_bound(whole, path, {}, name),
          std::ranges::upper_bound(whole, path, {}, name)};
}

const Whole* RunRecords::current(std::string_view path) const {
  const auto found = all(path);
  return found.empty() ? nullptr : &found.back();
}

bool exists(const CheckpointStore& store, std::string_view run) {
  bool found = false;
  store.runs(run, [&](std::string_view id) {
    found = id == run;
    return !found && id.starts_with(run);
  });
  return found;
}

RunRecords read_run(const CheckpointStore& store, std::string_view run, Payloads payloads,
                    const Wait& wait) {
  RunRecords records = record::look_until_found(
      [&](bool last) { return read_records(store, run, payloads, wait, last); });
  const bool empty = records.count == 0 && records.problems.empty() && records.set_aside == 0;
  if (!empty || exists(store, run)) return records;
  throw Error(Errc::unknown_run,
              {.what = fmt::format("there is no run '{}' in {}", core::printable(run), store.url()),
               .run = std::string{run},
               .kept = "nothing was changed",
               .next = "list_runs() and `resumable list` show the existing runs"});
}

std::optional<record::RunRecord> run_record(const CheckpointStore& store, std::string_view run,
                                            const RunRecords& records) {
  const Whole* const row = records.current(core::run_key().path);
  const auto stored = row != nullptr ? store.get(run, {row->path, row->generation}) : std::nullopt;
  if (!stored) return std::nullopt;
  return record::decode_run(read_all(*stored->payload));
}

void refuse_problems(std::string_view run, const RunRecords& records) {
  if (records.problems.empty()) return;
  const RecordProblem& first = records.problems.front();
  throw Error(code_of(first.damage),
              {.what = fmt::format(
                   "{} of {} records of run '{}' cannot be used; the first is '{}', "
                   "generation {}: {}",
                   records.problems.size(), records.problems.size() + records.whole.size(),
                   core::printable(run), core::printable(first.key), first.generation, first.what),
               .run = std::string{run},
               .file = first.file,
               .kept = "nothing was changed",
               .next = first.next});
}

}  // namespace resumable::manage
