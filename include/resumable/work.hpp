/// @file
/// work(): computes items of runs that another process owns.
///
/// Start the run with ResumeOptions::share, and any number of processes of the same program with
/// work(), before or after. The owner of the run plans, publishes the items of fan-outs and
/// collects the results; workers compute items and commit their values. Each value is committed
/// once. A function may be called more than once, if its worker is lost: see Context::effect().
///
/// Some things always run at the owner: stages that are no fan-out, items that export a file of
/// their own (files that a fan-out appends to are no obstacle), items that take the whole list of
/// another fan-out or of an input folder, inputs of a pipeline that redacts, and what is adopted.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "resumable/export.hpp"
#include "resumable/observer.hpp"
#include "resumable/pipeline.hpp"
#include "resumable/stop.hpp"
#include "resumable/store.hpp"

namespace resumable {
inline namespace v0 {

struct WorkOptions {
  std::string run{};   ///< only items of this run; empty: of all runs of the pipeline
  unsigned slots = 1;  ///< items at a time; 0: one per core
  /// When it is requested, running items may reach a safe point; they are given back, and other
  /// workers continue them at once.
  Stop stop{};
  /// Returns when there was nothing to do for this long; 0: only when it is stopped.
  std::chrono::milliseconds idle{0};
  /// How long this process may be silent until what it has claimed is given to other workers; more
  /// than 100 years count as that.
  std::chrono::milliseconds ttl{15'000};
  /// They receive the events of items that this process computes. Event::seq counts by run.
  std::vector<Observer*> observers{};
};

struct WorkReport {
  std::size_t committed = 0;   ///< items whose value this process has committed
  std::size_t failed = 0;      ///< items that failed, wait for approval, or were stopped
  std::size_t lost = 0;        ///< items that were given to another worker: nothing of them counts
  std::size_t given_back = 0;  ///< items that others continue, because this process was stopped
  /// One sentence each: for instance, that there were items for another build of the program.
  std::vector<std::string> warnings{};
};

/// Computes items until it is stopped. The pipeline must be declared as the owner of the run has
/// declared it, by the same build of the program: else this process claims nothing, and a warning
/// says so. Inputs are read from the run, whatever this program gives; secrets are the program's.
/// @throws Error{Errc::bad_option}    the store is no WorkQueue, or the ttl is below 100 ms
/// @throws Error{Errc::store_failed}  the store could not be used for longer than the ttl
[[nodiscard]] RESUMABLE_EXPORT WorkReport work(const Pipeline& pipeline, CheckpointStore& store,
                                               const WorkOptions& options = {});

}  // namespace v0
}  // namespace resumable
