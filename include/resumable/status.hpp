/// @file
/// The status of a run: what its records, its manifest and its owner say, without taking a lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "resumable/cost.hpp"
#include "resumable/export.hpp"
#include "resumable/plan.hpp"
#include "resumable/store.hpp"
#include "resumable/time.hpp"
#include "resumable/work_queue.hpp"

namespace resumable {
inline namespace v0 {

class Pipeline;

/// What is recorded about one stage; for a fan-out, the sum over its items.
struct StageStatus {
  std::string stage;
  std::size_t records = 0;  ///< current checkpoints: 0 or 1, or the number of items
  Seconds duration{};       ///< how long it took to make them
  Cost cost{};              ///< paid for them, their steps, and failed attempts since then
  std::vector<std::string> artifacts{};  ///< relative to the run's folder
};

/// How the last call to resume() ended; `running` while one is in progress.
enum class RunState : std::uint8_t {
  created,      ///< a fork or copy that nothing has run yet
  running,      ///< a process owns it
  done,         ///< every stage has its value, or its condition is not met
  failed,       ///< a stage or the store failed
  refused,      ///< a user has to settle something on disk first
  waiting,      ///< a user has to approve
  interrupted,  ///< stopped by the program or a signal
  suspended,    ///< a budget was used up
  killed,       ///< its process ended without recording why: a crash, kill -9, power loss
  not_begun,    ///< its first call was killed before it had recorded the run's inputs: begin it
                ///< again, with the same id
};

/// The name that JSON and lists use, such as `created`.
[[nodiscard]] RESUMABLE_EXPORT std::string_view to_string(RunState state) noexcept;

/// The current state of a run.
struct RunStatus {
  std::string run{};
  RunState state = RunState::created;
  std::optional<Timestamp> at{};  ///< when that was written
  int signal = 0;                 ///< the signal that interrupted it, or 0
  std::string why{};  ///< why resume() refuses now, or else why the last call failed or was refused
  std::optional<Owner> owner{};       ///< who runs it now
  std::vector<WorkerInfo> workers{};  ///< of its store, if items are shared: see work.hpp
  std::vector<WorkItem> work{};       ///< items that workers compute, or may
  std::string folder{};               ///< of its artifacts, or empty
  Plan plan{};
  std::vector<StageStatus> stages{};
  Cost cost{};                  ///< paid by calls that ended, or for `stages` if that is more
  std::size_t checkpoints = 0;  ///< records of all kinds, older generations included
  std::uint64_t bytes = 0;      ///< of their payloads
  std::size_t set_aside = 0;    ///< files in `folder`/.resumable/quarantine and removed
  std::uint64_t set_aside_bytes = 0;
};

/// Writes nothing; works on read-only media and while another process owns the run.
/// @throws Error{Errc::unknown_run}, Error{Errc::bad_name}, Error{Errc::unreadable} and what
///         ResumePlanner::plan throws
[[nodiscard]] RESUMABLE_EXPORT RunStatus status(const Pipeline& pipeline,
                                                const CheckpointStore& store, std::string_view run);

/// The state of a run according to its manifest and lock; nullopt when there is no such run. Cheap
/// enough for lists of runs. Writes nothing.
/// @throws Error{Errc::bad_name}, Error{Errc::unreadable}
[[nodiscard]] RESUMABLE_EXPORT std::optional<RunState> run_state(const CheckpointStore& store,
                                                                 std::string_view run);

}  // namespace v0
}  // namespace resumable
