/// @file
/// Where a run is: what its records, its manifest and its owner say, without taking a lock.
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

namespace resumable {
inline namespace v0 {

class Pipeline;

/// What is recorded of one stage; for a fan-out, the sum over its items.
struct StageStatus {
  std::string stage;
  std::size_t records = 0;  ///< current checkpoints: 0 or 1, or the number of items
  double seconds = 0;       ///< that making them took
  Cost cost{};
  std::vector<std::string> artifacts{};  ///< relative to the run's folder
};

/// A run as it stands.
struct RunStatus {
  std::string run;
  std::string state;             ///< running, done, failed, waiting, interrupted, killed, new
  std::string at{};              ///< UTC, when that was written
  int signal = 0;                ///< of the interruption, if it was one
  std::optional<Owner> owner{};  ///< who runs it now
  std::string folder{};          ///< of its artifacts, or empty
  Plan plan{};
  std::vector<StageStatus> stages{};
  std::size_t checkpoints = 0;  ///< records of all kinds, older generations included
  std::uint64_t bytes = 0;      ///< of their payloads
};

/// Writes nothing; works on read-only media and beside a running owner.
/// @throws Error{Errc::unknown_run}, Error{Errc::bad_name}, Error{Errc::unreadable} and what
///         ResumePlanner::plan throws
[[nodiscard]] RESUMABLE_EXPORT RunStatus status(const Pipeline& pipeline, CheckpointStore& store,
                                                std::string_view run);

/// The state that a run's manifest and lock tell, as in RunStatus::state; "" when there is no such
/// run. Cheap: for lists of runs.
[[nodiscard]] RESUMABLE_EXPORT std::string run_state(const CheckpointStore& store,
                                                     std::string_view run);

}  // namespace v0
}  // namespace resumable
