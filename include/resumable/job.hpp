/// @file
/// The batch job in which a program runs: how much of its time is left.
#pragma once

#include <chrono>
#include <optional>

#include "resumable/export.hpp"

namespace resumable {
inline namespace v0 {

/// How long the batch job of this process may still last, for ResumeOptions::budget; 0 when its
/// time is over. nullopt outside of a job, and where nothing says when it ends.
///
/// Reads an environment variable with the end as UNIX time, in seconds: `RESUMABLE_JOB_END`, which
/// a job's script sets, or else `SLURM_JOB_END_TIME`, which Slurm sets. No other scheduler sets
/// such a variable; docs/batch.md has the line for its script. A variable that has no such number
/// gives nullopt. The end is compared with the wall clock of this host, so ask once, at the
/// beginning: a budget does not depend on the wall clock. Costs under a microsecond. Like
/// getenv(3), not to be called while another thread changes the environment.
[[nodiscard]] RESUMABLE_EXPORT std::optional<std::chrono::milliseconds> job_time_left() noexcept;

}  // namespace v0
}  // namespace resumable
