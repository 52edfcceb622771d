/// @file
/// resume(): runs what a plan says. What happened is in a Report: see report.hpp.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "resumable/export.hpp"
#include "resumable/lease.hpp"
#include "resumable/observer.hpp"
#include "resumable/plan.hpp"
#include "resumable/report.hpp"
#include "resumable/stop.hpp"
#include "resumable/store.hpp"

namespace resumable {
inline namespace v0 {

class Pipeline;

/// What resume() does about a damaged record, and about one that is missing although another value
/// was made from it.
enum class OnDamage : std::uint8_t {
  work_around,  ///< set it aside; use an older generation, or make the value again
  refuse,       ///< change nothing and run nothing: Errc::damaged, exit code 3
};

/// Runs `work` once, now or soon, in any thread, for instance with `boost::asio::post`, as in
/// examples/executor.cpp. It is called from the thread that called resume(), possibly while earlier
/// work is still running.
using TaskExecutor = std::function<void(std::function<void()> work)>;

/// Fill in by designated initialisers: `{.run = "fernstone-v0.0.3", .concurrency = 4}`.
struct ResumeOptions {
  /// The run's id: 1 to 128 bytes of UTF-8, no NUL, no leading '.' or '@', no component `..`. The
  /// name of its folder keeps letters, digits and ._-; any other byte becomes %XX.
  std::string run{};
  std::vector<std::string> redo{};  ///< `stage`, `stage/item`: run again; dependents as needed
  std::vector<std::string> from{};  ///< stages: run again, with all that depend on them
  bool fresh = false;               ///< run everything again
  /// `stage`, `stage/item`: discards the change of its artifact that no call has adopted yet, or,
  /// if there is none, all earlier changes, so that the stage's own value is used again. A copy of
  /// the file is kept in .resumable/removed.
  std::vector<std::string> reject{};
  /// `stage`, `stage/item`: its value counts as up to date for its present inputs, code and age; a
  /// later change makes it run again. If a user's edit and a new value collide, the edit is kept.
  /// Errc::no_value if there is no value, Errc::bad_option if one of its inputs has to run first.
  /// The record still says what the value was made from.
  std::vector<std::string> accept{};
  /// `stage`, `stage/item`: its value stays, whatever changes, until it is unpinned; new items of a
  /// pinned stage run. This is recorded, so later calls need not repeat it. Errc::no_value if there
  /// is no value. A redo of a pinned stage or item is Errc::bad_option; from and fresh leave it
  /// out.
  std::vector<std::string> pin{};
  std::vector<std::string> unpin{};  ///< `stage`, `stage/item`: undoes pin
  /// `stage:trigger`: changes of this input, or of the stage's `code` or `age`, do not make it run,
  /// until they are no longer ignored. Also recorded. If the stage runs for another reason, it
  /// reads the present value of the input.
  std::vector<std::string> ignore{};
  std::vector<std::string> unignore{};  ///< `stage:trigger`: undoes ignore
  unsigned concurrency = 1;  ///< stages and items at a time, at most 10 000; 0: one per core
  /// Where stages and items run, at most `concurrency` at a time. Empty: in threads of the library,
  /// or with a concurrency of 1 in the thread that calls resume(). That thread waits, so it must
  /// not be the executor's only thread. If the executor throws, or destroys work without calling
  /// it, the stage to which the work belongs fails.
  TaskExecutor executor{};
  /// Share the items of fan-outs with workers: processes that call work() with the same build of
  /// the program, at any time. This process also computes items, `concurrency` at a time; without a
  /// worker it does everything, as without this option. The store must be a WorkQueue. Not with
  /// Durability::queued nor an `executor`: Errc::bad_option. What always runs in this process is
  /// listed in work.hpp; a call that adopts a folder shares nothing.
  bool share = false;
  bool keep_going = false;  ///< after a failure, continue with what does not depend on it
  OnDamage on_damage = OnDamage::work_around;
  /// The durability of results: the values of stages and items, steps with their failed attempts,
  /// loops and queues. Everything else (requests, approvals, effects, failed attempts of stages and
  /// items) is always committed with `full`, and makes earlier commits durable. So does the export
  /// of an artifact, and so does the end of this call.
  ///
  /// - `full`: an acknowledged commit is on the disk.
  /// - `data`: commits do not wait for the disk. They survive the end of this process, however it
  ///   ends; a power loss or a crash of the system may lose the latest ones, and then they are made
  ///   again.
  /// - `queued`: a commit returns once it is queued; a thread writes queued commits in batches,
  ///   with `full`. If the process ends, queued commits may be lost: at most 256, of at most 16
  ///   MiB; when the queue is full, commits wait. The end of a stage waits until all of them are
  ///   written, and events of commits are held back until these are durable.
  Durability durability = Durability::full;
  bool verify_payloads = false;       ///< read and check all payloads when planning
  Create create = Create::if_absent;  ///< never: Errc::unknown_run if the run does not exist
  /// Turns a folder of files that never had checkpoints into this run: each stage or item without a
  /// checkpoint takes its value from its file, if there is one and it shows that the stage was
  /// done; see Pipeline::adopt_as() and adopt_if(). If a file cannot be read, the plan names it,
  /// its stage runs, and a copy is kept in .resumable/removed. Without this option, a file that
  /// belongs to no checkpoint is never replaced: the run is refused.
  bool adopt = false;
  /// Names and values by which the run can be found among others, such as {"batch_id", "7"}; see
  /// RunInfo::labels. Recorded with the run. A name that is given again gets the new value; an
  /// empty value removes the label. Names and values are UTF-8; a name has 1 to 128 bytes, a value
  /// at most 1024; a run has at most 64 labels.
  std::map<std::string, std::string> labels{};
  /// How long the run is kept after its last change; after that, collect_garbage() removes it.
  /// Recorded with the run. 0 leaves it as an earlier call set it; if no call set it, the run is
  /// kept forever.
  std::chrono::seconds time_to_live{0};
  /// Removes the records of items and stages that left the pipeline longer ago than this, once the
  /// call ends `done`. They are no longer there if the items return. What is never removed:
  /// GarbageOptions::left_older_than. Not set: they are kept.
  std::optional<std::chrono::seconds> left_older_than{};
  Stop stop{};
  /// How long this call may take, in elapsed time from its beginning; 0: no limit. When only
  /// `reserve` is left of it, everything is asked to stop, as with `stop`, and the outcome is
  /// suspended. A stage that is known to take longer than the time left is not started.
  std::chrono::milliseconds budget{0};
  /// How long the run may take over all calls that set this. Counts the time in which a process
  /// worked on the run and was not stopped, to within a second; downtime does not count.
  std::chrono::milliseconds run_budget{0};
  std::chrono::milliseconds reserve{0};
  std::chrono::milliseconds lock_wait{0};  ///< how long to wait for another owner
  /// How long one call may wait for a store that does not answer; 0: no limit. Then the call of
  /// resume() ends with an error that names the store; what was committed is kept. A stop, or the
  /// end of the budget, ends calls that read at once, but not the commit of a value that is ready.
  std::chrono::milliseconds store_timeout{30'000};
  std::filesystem::path artifact_folder{};  ///< where to export; empty: a file store's run folder
  std::vector<Observer*> observers{};
};

/// Plans, runs what the plan says, and commits each value before it is used. Blocks until the run
/// is done or stopped. The pipeline, the store, the observers and whatever the options refer to
/// must outlive the call, and the store must also outlive the report. While it runs, it has one
/// timer thread; with concurrency > 1 also a thread pool, and with Durability::queued one thread
/// that writes.
///
/// All outcomes are in the report, including refusals, a run that is busy and a failed store.
/// @throws Error{Errc::bad_name}, Error{Errc::unknown_stage}, Error{Errc::bad_option},
///         Error{Errc::foreign_handle}  programming errors; nothing was changed
[[nodiscard]] RESUMABLE_EXPORT Report resume(const Pipeline& pipeline, CheckpointStore& store,
                                             const ResumeOptions& options);

/// Runs exactly this plan, with the options that it was made with; refused with Errc::plan_outdated
/// if the run has changed since. The objects that those options refer to (observers, for instance)
/// must still exist.
/// @throws Error{Errc::bad_option}  the plan was not made by ResumePlanner, and as above
[[nodiscard]] RESUMABLE_EXPORT Report resume(const Pipeline& pipeline, CheckpointStore& store,
                                             const Plan& plan);

/// Approves a waiting stage for the inputs that it had when it asked: the next resume() continues.
/// Records `who`. Returns the message that the stage left.
/// @throws Error{Errc::unknown_stage}  no such stage waits; Error{Errc::unknown_run};
///         Error{Errc::busy}; Error{Errc::store_failed}
RESUMABLE_EXPORT std::string approve(const Pipeline& pipeline, CheckpointStore& store,
                                     std::string_view run, std::string_view stage,
                                     std::string_view who);

}  // namespace v0
}  // namespace resumable
