/// @file
/// Plans: what a run would do, and why, decided before anything runs and without writing anything.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "resumable/advice.hpp"
#include "resumable/digest.hpp"
#include "resumable/export.hpp"
#include "resumable/function_ref.hpp"
#include "resumable/handle.hpp"
#include "resumable/time.hpp"

namespace resumable {
inline namespace v0 {

class CheckpointStore;
class Pipeline;
struct ResumeOptions;

/// What will happen to a stage or item.
enum class Action : std::uint8_t {
  skip,    ///< its checkpoint is used, or its condition is not met
  run,     ///< its function is called
  decide,  ///< decided once an input's new value is known: skipped if that is unchanged
  wait,    ///< a user has to approve first
  refuse,  ///< nothing runs until this is settled, and nothing is changed
};

/// Why a stage or item has its action. Events and JSON use these names.
enum class Reason : std::uint8_t {
  // With Action::skip.
  done,       ///< its checkpoint is up to date
  not_taken,  ///< its condition is false
  migrated,   ///< its checkpoint has an older schema, and is migrated
  fell_back,  ///< the newest generation is damaged, and an older one is up to date
  restored,   ///< kept; an artifact of it is missing and is exported again
  edited,     ///< a user has changed its artifact: the change becomes its value
  rejected,   ///< a user's change of its artifact is discarded, and its own value used again
  accepted,   ///< a user has accepted a change: the value counts as up to date with it
  pinned,     ///< a user has pinned the value: it stays, whatever changes
  ignored,    ///< a user has told the stage to ignore changes of this input, its code or its age

  // With Action::run.
  adopted,        ///< it has no checkpoint, and takes its value from an existing file
  first_run,      ///< it has no checkpoint
  partial,        ///< a fan-out of which some items are kept
  failed,         ///< its last attempt failed
  code_changed,   ///< its revision changed
  input_changed,  ///< an input, file, option or value that it takes has changed
  expired,        ///< its value is older than max_age
  requested,      ///< redo, from or fresh asked for it
  damaged,        ///< its checkpoint is damaged and nothing can replace it (or OnDamage::refuse)
  lost,           ///< its checkpoint is gone: another value was made from it (or OnDamage::refuse)

  file_changed,  ///< a file that its value leaves in place was changed or removed
  dropped,       ///< its value was dropped after use, and `subject` needs it (Keep::until_used);
                 ///< with Action::skip: nothing needs it

  upstream,  ///< with Action::decide: something that it depends on may get a new value
  waiting,   ///< with Action::wait: a user has to approve
  conflict,  ///< with Action::wait: a user's change and its new value collide

  // With Action::refuse.
  newer,          ///< written by a later version of its schema, or of this library
  foreign,        ///< a file that the library did not write is in its artifact's place
  unreadable,     ///< its checkpoint or artifact cannot be read
  shape_changed,  ///< the type has changed, but not the version of its schema
  no_migration,   ///< no migration leads from the schema that it was saved with
  codec_changed,  ///< it was saved with another codec
  invalid_edit,   ///< a user's change of an artifact cannot become its value
  occupied,       ///< a file that no record mentions is in an artifact's place
  path_conflict,  ///< two stages or items would export to one path
  unwritable,     ///< the folder of its artifacts cannot be written

  // Notes, which decide nothing by themselves.
  not_adopted,          ///< an existing file cannot become its value
  missing_input,        ///< an input has no value
  secret,               ///< a secret changed, which reruns nothing
  clock_skew,           ///< a checkpoint is from the future: its age is unknown
  stray,                ///< a file beside a fan-out's files belongs to none of its items
  orphan,               ///< a checkpoint belongs to no stage or item of this pipeline
  steps,                ///< steps of a stage that runs are kept or set aside
  uncertain,            ///< a side effect may or may not have happened
  program_changed,      ///< another build of the program made the checkpoints that are kept
  concurrency_limited,  ///< a stage allows more items at a time than the call does
  left_out,             ///< something in the folder of an input is no file, and is not read
  closed,   ///< with Action::skip: Context::close() ended the fan-out with the items it has
  renamed,  ///< a run keeps what it recorded under a former name
};

[[nodiscard]] RESUMABLE_EXPORT std::string_view to_string(Action action) noexcept;
[[nodiscard]] RESUMABLE_EXPORT std::string_view to_string(Reason reason) noexcept;

/// One reason with its facts. Empty fields do not apply.
struct Cause {
  Reason reason = Reason::done;
  std::string subject{};         ///< the input, field or stage it is about
  std::string before{};          ///< the old value, identity, revision or schema
  std::string after{};           ///< the new one
  std::string file{};            ///< the file concerned
  std::string detail{};          ///< one more sentence: what was found, what to do
  std::vector<Advice> advice{};  ///< the options that do it

  /// One line: `input 'company' changed: "Acme" -> "Fernstone"`.
  [[nodiscard]] RESUMABLE_EXPORT std::string text(AdviceWriter write = as_code) const;
  friend bool operator==(const Cause&, const Cause&) = default;
};

/// What is kept inside a stage or item that runs: its function continues from there.
struct Kept {
  std::size_t steps = 0;     ///< steps and side effects
  std::size_t turns = 0;     ///< entries of histories, including those that compaction has left out
  std::size_t states = 0;    ///< states of loops: progress
  std::uint64_t passes = 0;  ///< after how many passes these were saved, as far as it is recorded
  std::uint64_t bytes = 0;   ///< of the states
  std::optional<Timestamp> saved{};  ///< when the newest state or turn was

  [[nodiscard]] bool any() const noexcept { return steps + turns + states > 0; }
  /// Whether a loop continues from where it was.
  [[nodiscard]] bool loops() const noexcept { return turns + states > 0; }
  /// `6 steps kept, saved state of 2026-11-28 17:46:03 UTC, 8.4 MB, 1401 passes`; "" if none.
  [[nodiscard]] RESUMABLE_EXPORT std::string text() const;
  Kept& operator+=(const Kept& other) noexcept {
    steps += other.steps;
    turns += other.turns;
    states += other.states;
    passes += other.passes;
    bytes += other.bytes;
    saved = std::max(saved, other.saved);
    return *this;
  }
  friend bool operator==(const Kept&, const Kept&) = default;
};

/// What happens to one stage, or to one item of a fan-out, with all its causes.
struct Decision {
  std::string stage{};
  std::string item{};  ///< empty for a stage
  Action action = Action::run;
  std::vector<Cause> causes{};  ///< the deciding one first
  bool fan_out = false;
  bool listed = true;       ///< for fan-outs: whether its items are known
  std::size_t items = 0;    ///< for fan-outs: how many items, as far as known
  std::size_t skipped = 0;  ///< of them, those kept
  std::size_t to_run = 0;   ///< of them, those that are certain to run
  Kept kept{};              ///< for fan-outs: of all items together; empty in Plan::item()
};

namespace detail {
struct PlanData;
}

/// The decisions for all stages, in the order of declaration. A value type: copy it, keep it,
/// compare two. Items are stored compactly; item() makes a Decision on demand. Safe to read from
/// several threads.
class RESUMABLE_EXPORT Plan {
 public:
  Plan();
  explicit Plan(std::shared_ptr<const detail::PlanData> data);
  ~Plan();
  Plan(const Plan&);
  Plan& operator=(const Plan&);

  [[nodiscard]] const std::string& pipeline() const noexcept;
  [[nodiscard]] const std::string& run_id() const noexcept;
  /// The options that it was made with; nullptr for an empty plan.
  [[nodiscard]] const ResumeOptions* options() const noexcept;
  [[nodiscard]] const std::vector<Decision>& stages() const noexcept;
  [[nodiscard]] auto begin() const noexcept { return stages().begin(); }
  [[nodiscard]] auto end() const noexcept { return stages().end(); }

  /// @throws Error{Errc::unknown_stage}
  [[nodiscard]] const Decision& operator[](std::string_view stage) const;
  /// @throws Error{Errc::foreign_handle}  a handle of another pipeline
  template <detail::StageHandle S>
  [[nodiscard]] const Decision& operator[](const S& stage) const {
    return at(stage.handle());
  }
  /// The decision for one item; nullopt when the plan knows no such item, or no such stage. The key
  /// is found by its hash, so the cost does not grow with the number of items.
  [[nodiscard]] std::optional<Decision> item(std::string_view stage, std::string_view key) const;
  /// Visits the items of a fan-out in list order until `visit` returns false. A stage that the plan
  /// does not know has none.
  void items(std::string_view stage,
             FunctionRef<bool(std::string_view key, Action action, Reason reason)> visit) const;

  /// Damage, fallbacks, changed inputs, and other facts that decide nothing by themselves.
  [[nodiscard]] const std::vector<Cause>& notes() const noexcept;
  [[nodiscard]] bool refused() const noexcept;
  /// Whether everything is done: nothing would run.
  [[nodiscard]] bool complete() const noexcept;
  /// Two plans with the same digest make the same decisions.
  [[nodiscard]] Digest digest() const noexcept;

  /// `1 keep, 2 rerun, 3 decide`
  [[nodiscard]] std::string summary() const;
  /// One line per stage and a summary. With `explain` all causes and the items that run.
  [[nodiscard]] std::string text(bool explain = false, AdviceWriter write = as_code) const;
  /// One JSON document; see docs/format.md.
  [[nodiscard]] std::string json() const;

 private:
  [[nodiscard]] const Decision& at(detail::Handle stage) const;
  std::shared_ptr<const detail::PlanData> data_;
};

/// Makes plans. Reads the heads of records and checks artifacts; writes nothing and takes no lock.
/// Safe to use from several threads.
class RESUMABLE_EXPORT ResumePlanner {
 public:
  explicit ResumePlanner(const CheckpointStore& store) noexcept : store_(store) {}

  /// What resume() with the same options would do now. With ResumeOptions::verify_payloads, all
  /// payloads are read and verified, too.
  /// @throws Error{Errc::bad_name}, Error{Errc::unknown_stage}, Error{Errc::missing_input},
  ///         Error{Errc::source_failed}, Error{Errc::unreadable}
  [[nodiscard]] Plan plan(const Pipeline& pipeline, const ResumeOptions& options) const;

 private:
  const CheckpointStore& store_;
};

}  // namespace v0
}  // namespace resumable
