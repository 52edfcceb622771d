/// @file
/// Events that a run emits, for logs, progress bars and tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "resumable/cost.hpp"
#include "resumable/export.hpp"
#include "resumable/lease.hpp"
#include "resumable/plan.hpp"
#include "resumable/time.hpp"

namespace resumable {
inline namespace v0 {

/// What happened. New kinds may be added.
enum class EventKind : std::uint8_t {
  run_started,     ///< the first event; message: new or resumed
  planned,         ///< counts: of stages; message: Plan::summary()
  plan_revised,    ///< something new turned out: planned again; counts; message; if damaged, file
  items_listed,    ///< a fan-out's items are known, or have become known; counts: of its items
  stage_started,   ///< a stage, or the first item of a fan-out, is about to run; reasons
  item_started,    ///< an item's function is about to be called
  step_started,    ///< a step's or effect's function is about to be called
  committed,       ///< the value of a stage, item or step is committed
  progress_saved,  ///< a loop's state or a history's entries are committed
  enqueued,        ///< an item of a queue has enqueued another; counts: of its items
  uncertain,       ///< a side effect may or may not have happened before a kill
  cache_missed,    ///< the cache could not be used; message says why
  stage_finished,  ///< all of a stage is done; duration and cost over its items
  skipped,         ///< a stage is kept, or a step or an item that had been planned to run; reasons
  retried,         ///< an attempt failed, and another follows; duration: the wait
  failed,          ///< a stage or item failed for good; message, code
  overdue,         ///< an attempt is past its timeout and was asked to stop
  exported,        ///< an artifact was written; file
  edited,          ///< a user's change of an artifact was adopted or discarded; file, message
  restored,        ///< a missing artifact was exported again; file
  quarantined,     ///< a damaged record was set aside; file
  fell_back,       ///< the value of an older generation is used; file
  migrated,        ///< a value of an older schema was migrated
  waiting,         ///< a user has to approve; message
  interrupted,     ///< a stage or item was asked to stop, and stopped
  suspended,       ///< a budget ended the call; message
  cancelled,       ///< what remains was not started, because something failed
  warning,         ///< before anything runs: what the report will warn of; message
  run_finished,    ///< the last event; code: the outcome
};

/// How far a run or a fan-out had got when an event was emitted: what a progress bar needs.
/// Whatever is neither kept nor to run has not been decided yet. For one fan-out, `done` and
/// `failed` never decrease from event to event, unless the plan is revised.
struct Counts {
  std::size_t total = 0;   ///< stages, or items of a fan-out; grows while a queue runs
  std::size_t kept = 0;    ///< of them, those whose checkpoints are used, or that are not taken
  std::size_t to_run = 0;  ///< of them, those that are certain to run, or have run
  std::size_t done = 0;    ///< of them, those that need nothing more: kept, or committed since
  std::size_t failed = 0;  ///< of them, those that failed for good in this call
  friend bool operator==(const Counts&, const Counts&) = default;
};

/// What a plan says about one stage, for displays that show what is still to come.
struct PlannedStage {
  std::string stage{};
  Action action = Action::run;
  std::optional<Seconds> last{};  ///< how long its function took the last time; not of fan-outs
  friend bool operator==(const PlannedStage&, const PlannedStage&) = default;
};

[[nodiscard]] RESUMABLE_EXPORT std::string_view to_string(EventKind kind) noexcept;

/// One thing that happened. Empty and absent fields do not apply.
struct Event {
  EventKind kind = EventKind::run_started;
  std::uint64_t seq = 0;  ///< 1, 2, … in this call to resume()
  Timestamp at{};
  std::string run{};
  std::string pipeline{};
  std::string stage{};
  std::string item{};
  std::string step{};  ///< the name of the step or effect; progress_saved: of the loop or history
  unsigned attempt = 0;
  unsigned attempts_allowed = 0;
  std::vector<Reason> reasons{};
  std::optional<Seconds> duration{};       ///< of the function; of the wait, when retried
  std::optional<Seconds> save_duration{};  ///< of the commit
  std::optional<std::uint64_t> bytes{};    ///< of the payload
  std::optional<Durability> durability{};  ///< of a commit that a power loss may still lose
  std::optional<bool> changed{};  ///< committed: whether the value differs from the previous one
  Cost cost{};
  /// planned, plan_revised: of stages; items_listed, enqueued, stage_finished of a fan-out, and
  /// committed and failed of an item: of items.
  std::optional<Counts> counts{};
  std::vector<PlannedStage> stages{};  ///< planned: all stages, in the order of declaration
  std::string file{};     ///< exported, quarantined: which; committed: what it was adopted from
  std::string message{};  ///< what an error or a waiting stage says
  std::string code{};     ///< the name of an error's code; the outcome, when finished

  /// One JSON object on one line, as in docs/format.md.
  [[nodiscard]] RESUMABLE_EXPORT std::string json() const;
};

/// Receives every event of a run once, in the order of Event::seq, one at a time (from any thread).
/// `committed` comes after the commit is durable, unless Event::durability says otherwise. An
/// observer that throws is detached, and the report says so.
class RESUMABLE_EXPORT Observer {
 public:
  virtual ~Observer();
  virtual void on_event(const Event& event) = 0;
};

/// Appends events to a file, one JSON object per line. A line that a killed process left unfinished
/// is terminated first. The file is not synced; after a kill it has each event at most once. Safe
/// to use from several threads: lines are written whole.
class RESUMABLE_EXPORT EventFile final : public Observer {
 public:
  /// @throws Error{Errc::store_failed}  the file cannot be opened for appending
  explicit EventFile(const std::filesystem::path& file);
  ~EventFile() override;
  /// @throws std::system_error  the write failed; resume() then detaches this observer
  void on_event(const Event& event) override;

 private:
  struct Closer {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Closer> file_;
};

}  // namespace v0
}  // namespace resumable
