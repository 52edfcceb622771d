/// @file
/// Report: what a call to resume() has done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "resumable/cost.hpp"
#include "resumable/error.hpp"
#include "resumable/export.hpp"
#include "resumable/handle.hpp"
#include "resumable/plan.hpp"
#include "resumable/time.hpp"

namespace resumable {
inline namespace v0 {

namespace detail {
struct ReportData;
}  // namespace detail

/// How a call to resume() ended.
enum class Outcome : std::uint8_t {
  done,         ///< every stage has its value, or its condition is not met
  failed,       ///< a stage or the store failed; progress is saved
  refused,      ///< nothing ran: see error() and plan()
  busy,         ///< another process owns the run
  waiting,      ///< a user has to act: see StageReport::message
  interrupted,  ///< stopped by the program or a signal; progress is saved
  suspended,    ///< the call's budget is used up; progress is saved, the next call continues
};

[[nodiscard]] RESUMABLE_EXPORT std::string_view to_string(Outcome outcome) noexcept;

/// What happened to a stage, or to an item of a fan-out, in this call.
enum class StageOutcome : std::uint8_t {
  skipped,      ///< its checkpoint was used, or its value adopted from a file
  ran,          ///< its function returned, and the value is committed
  not_taken,    ///< its condition is false
  failed,       ///< its function threw, or its value could not be saved
  waiting,      ///< a user has to approve first
  interrupted,  ///< it was asked to stop, and stopped before it had a value
  not_started,  ///< the call ended first, or something that it depends on has no value
};

[[nodiscard]] RESUMABLE_EXPORT std::string_view to_string(StageOutcome outcome) noexcept;

/// One stage. For a fan-out: the sums over its items, and the worst of their outcomes.
struct StageReport {
  std::string stage{};
  StageOutcome outcome = StageOutcome::not_started;
  std::vector<Cause> causes{};  ///< why it ran or not
  std::size_t items = 0;        ///< of a fan-out, as far as known
  std::size_t items_run = 0;
  std::size_t items_skipped = 0;
  std::size_t items_failed = 0;
  unsigned attempts = 0;         ///< that this call made
  Seconds duration{};            ///< spent in its function by this call
  Cost cost{};                   ///< paid by this call, failed attempts included
  std::string message{};         ///< what a waiting or failed stage said; why a fan-out was closed
  std::vector<Advice> advice{};  ///< the options that settle what it waits for
  std::exception_ptr error{};    ///< what a failed stage threw; of a fan-out, the first
};

/// One item of a fan-out.
struct ItemReport {
  std::string key{};
  StageOutcome outcome = StageOutcome::not_started;
  unsigned attempts = 0;               ///< that this call made
  Seconds duration{};                  ///< spent in its function by this call
  Cost cost{};                         ///< paid by this call, failed attempts included
  std::string message{};               ///< what a waiting or failed item said
  std::exception_ptr error{};          ///< what a failed item threw
  std::vector<std::string> parents{};  ///< in a queue: the items that enqueued it
};

/// What a caller may want to show when a budget has ended a call.
struct Suspension {
  bool can_resume = true;  ///< the next call continues; false when the run's own budget is used up
  Seconds elapsed{};       ///< the time that this call took
  Seconds limit{};         ///< the budget that ended it
  std::optional<Timestamp> saved_at{};  ///< of the last commit of this call, if there was one
};

/// What earlier calls did and this one did not have to repeat: the values that it kept, and, in
/// those that it worked on, the steps that it used and the loops that it continued.
struct Savings {
  Seconds duration{};
  Cost cost{};
  friend bool operator==(const Savings&, const Savings&) = default;
};

/// What it took to make a run resumable. Times are those of the store's calls, added up over the
/// threads of this process: stages may have run meanwhile.
struct Overhead {
  Seconds loading{};          ///< of calls that read
  Seconds saving{};           ///< of calls that commit
  std::uint64_t commits = 0;  ///< each of one record or more
  std::uint64_t bytes = 0;    ///< of the payloads committed, before the store packs them

  Overhead& operator+=(const Overhead& other) noexcept {
    loading += other.loading;
    saving += other.saving;
    commits += other.commits;
    bytes += other.bytes;
    return *this;
  }
};

/// The result of resume(). It loads the values of stages from the store on demand, so the store
/// must outlive it. Safe to read from several threads.
class RESUMABLE_EXPORT Report {
 public:
  explicit Report(std::shared_ptr<detail::ReportData> data);
  ~Report();
  Report(Report&&) noexcept;
  Report& operator=(Report&&) noexcept;

  [[nodiscard]] Outcome outcome() const noexcept;
  /// Whether the run is done.
  [[nodiscard]] explicit operator bool() const noexcept { return outcome() == Outcome::done; }
  /// 0 done, 1 failed, 4 busy, 75 waiting, suspended or stopped by the program, 128 + N interrupted
  /// by signal N (129 for SIGHUP, 130 for SIGINT, 143 for SIGTERM). Refused: Error::exit_code(), 3
  /// or, for a usage error such as a missing input, 2.
  [[nodiscard]] int exit_code() const noexcept;
  /// Set when the outcome is suspended.
  [[nodiscard]] const std::optional<Suspension>& suspension() const noexcept;
  /// Why the run was refused, busy or failed; nullptr otherwise.
  [[nodiscard]] const Error* error() const noexcept;

  [[nodiscard]] const std::string& run_id() const noexcept;
  /// Whether an earlier call began this run.
  [[nodiscard]] bool resumed() const noexcept;
  [[nodiscard]] const Plan& plan() const noexcept;
  [[nodiscard]] const std::vector<StageReport>& stages() const noexcept;
  /// @throws Error{Errc::unknown_stage}
  [[nodiscard]] const StageReport& stage(std::string_view name) const;
  /// How many stages were kept or not taken, and how many there are (inputs and conditions do not
  /// count).
  [[nodiscard]] std::size_t stages_skipped() const noexcept;
  [[nodiscard]] std::size_t stages_total() const noexcept;
  /// The items of a fan-out in order, as far as they are known; empty for other stages.
  /// @throws Error{Errc::unknown_stage}, Error{Errc::foreign_handle}
  template <class R>
  [[nodiscard]] std::vector<ItemReport> items(const FanOut<R>& stage) const {
    return items_of(stage.handle());
  }
  [[nodiscard]] std::vector<ItemReport> items(std::string_view stage) const;
  /// How many items were kept, over all fan-outs.
  [[nodiscard]] std::size_t items_skipped() const noexcept;
  /// The time and cost that resuming saved. Reads the headers of the kept checkpoints and of
  /// steps on first use.
  [[nodiscard]] const Savings& savings() const;
  /// The time that this call spent in functions, and what it paid.
  [[nodiscard]] Seconds duration() const noexcept;
  [[nodiscard]] Cost cost() const noexcept;
  /// What it took this call to load and to save.
  [[nodiscard]] const Overhead& overhead() const noexcept;
  /// What a user should know although nothing failed: detached observers, artifacts that were not
  /// exported, kept checkpoints that another build of the program made.
  [[nodiscard]] const std::vector<std::string>& warnings() const noexcept;

  /// `resumed: 3 of 13 stages skipped, saving 41.2 s`; empty when the call ran nothing, or had
  /// nothing to resume from.
  [[nodiscard]] std::string summary() const;
  /// What a user has to know, for a terminal or a log: warnings, the error with what was kept and
  /// what to do next, failed items, what is waiting, and why the call ended early. Each line ends
  /// with a newline; empty when there is nothing to say. Does not include summary().
  [[nodiscard]] std::string text(AdviceWriter write = as_code) const;
  /// One JSON document; see docs/format.md. Reads what savings() reads.
  [[nodiscard]] std::string json() const;

  /// The value of a stage, valid as long as the report. If its record turns out to be damaged, that
  /// is recorded in the run, under a lease: the next resume() makes the value again, or refuses.
  /// @throws Error{Errc::no_value}  it has none, or it was dropped after use (Keep::until_used);
  ///         Error{Errc::foreign_handle}, Error{Errc::damaged},
  ///         Error{Errc::not_decodable}, Error{Errc::unreadable}, Error{Errc::newer}
  template <class T>
    requires(!std::is_void_v<T>)
  [[nodiscard]] const T& operator[](const Stage<T>& stage) const& {
    return *static_cast<const T*>(value(stage.handle()));
  }
  template <class R>
  [[nodiscard]] const std::vector<R>& operator[](const FanOut<R>& items) const& {
    return (*this)[items.list()];
  }
  template <detail::StageHandle S>
  void operator[](const S& stage) const&& = delete;  // the value would outlive the report

  /// The same, or nullptr if the stage has no value or it was dropped. @throws as operator[],
  /// except no_value
  template <class T>
    requires(!std::is_void_v<T>)
  [[nodiscard]] const T* find(const Stage<T>& stage) const& {
    return static_cast<const T*>(value_or_null(stage.handle()));
  }
  template <class R>
  [[nodiscard]] const std::vector<R>* find(const FanOut<R>& items) const& {
    return find(items.list());
  }
  template <detail::StageHandle S>
  void find(const S& stage) const&& = delete;

 private:
  [[nodiscard]] std::vector<ItemReport> items_of(detail::Handle stage) const;
  [[nodiscard]] const void* value(detail::Handle stage) const;
  [[nodiscard]] const void* value_or_null(detail::Handle stage) const;
  std::shared_ptr<detail::ReportData> data_;
};

}  // namespace v0
}  // namespace resumable
