/// @file
/// The interface that a stage's function uses while it runs.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>

#include "resumable/cost.hpp"
#include "resumable/export.hpp"

namespace resumable {
inline namespace v0 {

struct StepOptions;
class StepInputs;
struct ProgressOptions;
struct CacheOptions;
template <class T>
struct HistoryOptions;

namespace detail {
class Attempt;
struct StepCall;
struct ProgressCall;
struct HistoryCall;
struct EnqueueCall;
struct EffectCall;
struct CacheCall;
struct LoadedProgress;
struct LoadedHistory;
}  // namespace detail

/// Why a stage is asked to stop.
enum class StopCause : std::uint8_t {
  none,       ///< it is not asked to stop
  requested,  ///< the program's stop token, for instance that of StopOnSignal
  timeout,    ///< its own timeout: what it throws now counts as a failed attempt
  budget,     ///< a budget of this call to resume() is used up: ResumeOptions::budget
};

/// Leaves a stage early without failing it: thrown by Context::require_approval and the like,
/// caught by the library. Deliberately not a std::exception, so that `catch (const
/// std::exception&)` in a stage does not swallow it. Do not catch it. It passes through the
/// functions that the stage has called: one of them that is noexcept would end the program
/// (std::terminate).
class RESUMABLE_EXPORT Suspended {
 public:
  explicit Suspended(std::string message);
  ~Suspended();
  Suspended(const Suspended&);
  [[nodiscard]] const std::string& message() const noexcept { return message_; }

 private:
  std::string message_;
};

/// Throw this from a stage when another try may succeed: a rate limit, a dropped connection.
class RESUMABLE_EXPORT Retryable : public std::runtime_error {
 public:
  /// @param retry_after  how long the server asked to wait; 0 leaves it to the stage's Retry
  explicit Retryable(const std::string& message, std::chrono::milliseconds retry_after = {});
  ~Retryable() override;
  Retryable(const Retryable&) noexcept;
  [[nodiscard]] std::chrono::milliseconds retry_after() const noexcept { return retry_after_; }

 private:
  std::chrono::milliseconds retry_after_;
};

/// One attempt at a stage or item. Passed to functions that take it as their first parameter; valid
/// during the call. Safe to use from several threads.
class RESUMABLE_EXPORT Context {
 public:
  explicit Context(detail::Attempt& attempt) noexcept : attempt_(attempt) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  [[nodiscard]] const std::string& run_id() const noexcept;
  [[nodiscard]] const std::string& stage() const noexcept;
  /// The item's key, empty unless the stage is a fan-out.
  [[nodiscard]] const std::string& item() const noexcept;
  /// 1 for the first try. Failed tries in earlier processes count.
  [[nodiscard]] unsigned attempt_number() const noexcept;
  /// Whether an earlier call to resume() began this run.
  [[nodiscard]] bool resumed() const noexcept;

  /// Requests a stop when this attempt should end soon: pass it to whatever blocks. To leave, throw
  /// anything: after a stop by the user that counts as interrupted (not as a failed attempt), after
  /// a timeout as a failed attempt. A value that is returned anyway is committed.
  [[nodiscard]] std::stop_token stop_token() const noexcept;
  [[nodiscard]] StopCause stop_cause() const noexcept;

  /// The time until this call to resume() has used up its budget and requests a stop; never
  /// negative, milliseconds::max() without a budget. Use it to decide whether to begin something.
  [[nodiscard]] std::chrono::milliseconds remaining() const noexcept;

  /// Adds to the cost of this attempt. Committed with the attempt, even if it fails.
  /// @throws Error{Errc::bad_option}  not a finite sum
  void spend(Cost cost);

  /// Returns if a user has approved this stage with its present inputs; otherwise leaves the stage
  /// (throws Suspended): the run ends with exit code 75 and reports `message`, which should tell
  /// the user what to look at and what to type.
  void require_approval(std::string_view message);

  /// Returns the result of `f()`, which is called only if its result is not recorded yet. The
  /// result is committed on return, with ResumeOptions::durability (by default it survives power
  /// loss): a later crash, failure or stop in this stage does not lose it. A stop request ends the
  /// stage before the next step that would have to run. The result is valid for this stage, item
  /// and inputs, or for the values in with().
  ///
  /// Callable from several threads; steps may contain steps. The name is any text of 1 to 1024
  /// bytes, used once per attempt: in a loop, put the index or the key into it. A step with other
  /// with() inputs is another step, and a step that threw may be called again. Steps that the stage
  /// no longer uses are erased when its value is committed. Costs a commit when it runs, a read
  /// when it does not.
  /// @throws what f throws, once its Retry is used up;
  ///         Error{Errc::duplicate_name}  this attempt has already used the name;
  ///         Error{Errc::bad_name}, Error{Errc::not_encodable}, Error{Errc::store_failed};
  ///         Error{Errc::bad_option}  its Retry is out of range;
  ///         Error{Errc::newer}, Error{Errc::shape_changed}, Error{Errc::codec_changed}
  ///         Suspended: do not catch it
  ///
  /// Call it as `step(name, f)` or `step(name, with(…), f)`, or pass options in place of the name.
  template <class... InputsAndFunction>
  auto step(std::string_view name, InputsAndFunction&&... inputs_and_f);
  template <class... InputsAndFunction>
  auto step(const StepOptions& options, InputsAndFunction&&... inputs_and_f);

  /// Returns the result of `f()` for these `inputs`, from this run or any other in the store. Calls
  /// `f` if there is none, or it is too old or damaged; an event says so. See cache.hpp.
  /// @throws what f throws; Error{Errc::bad_name}, Error{Errc::not_encodable}; Suspended: do not
  /// catch it. It is not an error if the store cannot keep the value.
  template <class F>
  auto cached(std::string_view name, const StepInputs& inputs, const CacheOptions& options, F&& f);
  template <class F>
  auto cached(std::string_view name, const StepInputs& inputs, F&& f);

  /// Does something that cannot be undone, at most once as far as can be known. Returns the result
  /// of `f(key)`, from this attempt or an earlier one. `key` is an idempotency key: the same for
  /// every attempt, different for other `inputs` and when a user requests a redo of the stage.
  /// `verify(key)` returns a Verified<R>, which says whether an attempt that was cut off took
  /// effect. See effect.hpp.
  /// @throws what f and verify throw; Error as step(); Suspended: do not catch it
  template <class F, class V>
  auto effect(std::string_view name, const StepInputs& inputs, F&& f, V&& verify);
  template <class F>
  auto effect(std::string_view name, const StepInputs& inputs, F&& f);

  /// Returns a Progress<T>: the last saved state of a loop, for this stage, item, inputs and code,
  /// or `initial` if there is none. See progress.hpp.
  /// @throws Error as step(); Error{Errc::bad_option}  an option is out of its range
  template <class T>
  auto progress(T initial, const ProgressOptions& options);
  template <class T>
  auto progress(T initial);
  /// Returns a History<T>: a durable vector that grows, with the entries that were saved for this
  /// stage, item, inputs and code. See progress.hpp.
  /// @throws Error as step(); Error{Errc::bad_option}  an option is out of its range
  template <class T>
  auto history(HistoryOptions<T> options);
  template <class T>
  auto history();

  /// Adds an item to the queue that this item belongs to. It takes effect when this item's value is
  /// committed; what a failed attempt enqueued is discarded. See queue.hpp.
  /// @throws Error{Errc::bad_option}  the stage is not a queue, or its elements have another type;
  ///         Error{Errc::bad_name}    the element's key is not valid;
  ///         Error{Errc::duplicate_name}  this item has enqueued that key with other content;
  ///         Error{Errc::not_encodable}
  template <class T>
  void enqueue(const T& element);

  /// Closes the fan-out or queue that this item belongs to: there is enough. It takes effect when
  /// this item's value is committed, in the same commit; what a failed attempt closed stays open.
  /// No further item starts. Those that are running end as usual and count; check stop_token()
  /// for other reasons to stop only. The stages that depend on the fan-out run with the items that
  /// have a value. Plans and reports say so, with `reason`.
  ///
  /// It stays closed, with the same items, while the inputs and the revision of the stage are the
  /// same. ResumeOptions::redo of the stage, from and fresh open it again. A second close() of the
  /// same fan-out has no effect.
  /// @throws Error{Errc::bad_option}  the stage has no items
  void close(std::string_view reason);

 private:
  template <class F>
  auto run_step(const StepOptions& options, const StepInputs& inputs, F&& f);
  std::shared_ptr<const void> do_cached(const detail::CacheCall& call);
  std::shared_ptr<const void> do_effect(const detail::EffectCall& call);
  void do_enqueue(const detail::EnqueueCall& call);
  std::shared_ptr<const void> do_step(const detail::StepCall& call);
  detail::LoadedProgress do_progress(const detail::ProgressCall& call);
  detail::LoadedHistory do_history(const detail::HistoryCall& call);

  detail::Attempt& attempt_;
};

}  // namespace v0
}  // namespace resumable
