/// @file
/// What a run's manifest says about it, read without its program: cheap enough for many runs.
///
///     for (const rs::RunInfo& run : rs::list_runs(store)) {
///       if (run.state == rs::RunState::failed) std::cout << run.run << ": " << run.last_stage;
///     }
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "resumable/cost.hpp"
#include "resumable/error.hpp"
#include "resumable/export.hpp"
#include "resumable/report.hpp"
#include "resumable/status.hpp"
#include "resumable/store.hpp"
#include "resumable/time.hpp"

namespace resumable {
inline namespace v0 {

class Pipeline;

/// One call of resume() that did work on a run.
struct RunCall {
  std::uint64_t fence = 0;           ///< of its lease, as in its records
  Timestamp at{};                    ///< when it began
  bool resumed = false;              ///< it continued what an earlier call had begun
  std::optional<Outcome> outcome{};  ///< nullopt while it runs, and after a kill
  Savings continued{};  ///< earlier work in the loops that it went on with; 0 until it ends
};

/// A run in a list.
struct RunInfo {
  std::string run{};
  std::string pipeline{};  ///< "" if unknown
  RunState state = RunState::created;
  std::optional<Timestamp> started{};  ///< when it was created
  std::optional<Timestamp> at{};       ///< when its state was written
  /// How many stages had their value, or were skipped by their condition, at that time; while a
  /// process works on the run, and after a kill: when the call began.
  std::size_t stages_done = 0;
  std::size_t stages = 0;
  std::string last_stage{};      ///< the last of the stages that have their value
  Cost cost{};                   ///< paid by calls that ended, failed attempts included
  Overhead overhead{};           ///< of calls that ended
  std::vector<RunCall> calls{};  ///< the oldest first, 64 at most
  std::map<std::string, std::string> labels{};         ///< ResumeOptions::labels
  std::optional<std::chrono::seconds> time_to_live{};  ///< ResumeOptions::time_to_live
  std::optional<Owner> owner{};                        ///< who works on it now
  std::optional<Error> error{};  ///< why the run cannot be read; the other fields are then empty
};

/// All runs whose ids begin with `prefix`, in byte order. Costs two small reads per run, whatever
/// its size: its manifest and its owner. A run that cannot be read has `error` set and does not
/// affect the others. Takes no lock and writes nothing. Safe to use from several threads.
/// @throws Error{Errc::unreadable}  the store as a whole cannot be read
[[nodiscard]] RESUMABLE_EXPORT std::vector<RunInfo> list_runs(const CheckpointStore& store,
                                                              std::string_view prefix = {});

/// The same for one run; nullopt if there is no such run.
/// @throws Error{Errc::bad_name}, Error{Errc::unreadable}  the store as a whole cannot be read
[[nodiscard]] RESUMABLE_EXPORT std::optional<RunInfo> run_info(const CheckpointStore& store,
                                                               std::string_view run);

/// What the calls of a run did not have to repeat, added up. Each call that continued the run saved
/// what it took to make the values that it kept, and the earlier work in the loops that it went on
/// with; of the last 64 calls. Costs a scan with the headers of all records.
/// @throws Error{Errc::unreadable}
[[nodiscard]] RESUMABLE_EXPORT Savings saved_by_resuming(const CheckpointStore& store,
                                                         const RunInfo& run);

/// What a person may type for a run: the run with this id; or else, if there is a `*` (any text) or
/// `?` (one byte) in `word`, all runs whose ids match; or else, for `latest`, the run that was
/// worked on last. The one that was worked on last comes first; empty if there is none.
/// @throws as list_runs()
[[nodiscard]] RESUMABLE_EXPORT std::vector<RunInfo> find_runs(const CheckpointStore& store,
                                                              std::string_view word);
/// The same among these runs, for instance those that have a label.
[[nodiscard]] RESUMABLE_EXPORT std::vector<RunInfo> find_runs(std::vector<RunInfo> runs,
                                                              std::string_view word);

/// The pipeline of a run, as declared by the last program that wrote to it. You can pass it to
/// ResumePlanner and status(); its inputs are those that were recorded. With resume() it throws
/// Errc::bad_option, because it has no functions. nullopt if it is not recorded, as in runs made
/// before this was recorded. Costs a scan of the paths below `@run`, and one read.
/// @throws Error{Errc::bad_name}, Error{Errc::unreadable}, Error{Errc::newer}
[[nodiscard]] RESUMABLE_EXPORT std::optional<Pipeline> recorded_pipeline(
    const CheckpointStore& store, std::string_view run);

}  // namespace v0
}  // namespace resumable
