/// @file
/// One call of a stage's function: what its Context refers to, and how it ended.
#pragma once

#include <atomic>
#include <exception>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

#include "resumable/cache.hpp"
#include "resumable/context.hpp"
#include "resumable/detail/node.hpp"
#include "resumable/effect.hpp"
#include "resumable/progress.hpp"
#include "resumable/queue.hpp"
#include "resumable/step.hpp"
#include "stage/limits.hpp"
#include "sys/timer.hpp"

namespace resumable {
inline namespace v0 {
namespace detail {

class Attempt;

/// Adds up what is spent on this thread while a step of `attempt` runs, inner steps included.
class SpendFrame {
 public:
  explicit SpendFrame(const Attempt& attempt) noexcept;
  ~SpendFrame();
  SpendFrame(const SpendFrame&) = delete;
  SpendFrame& operator=(const SpendFrame&) = delete;
  [[nodiscard]] const Cost& cost() const noexcept { return cost_; }
  static void add(const Attempt& attempt, Cost cost) noexcept;

 private:
  const Attempt& attempt_;
  SpendFrame* outer_;
  Cost cost_;
};

/// What a Context offers beyond its attempt.
class Services {
 public:
  virtual ~Services() = default;
  virtual AnyValue step(Attempt& attempt, const StepCall& call) = 0;
  virtual AnyValue effect(Attempt& attempt, const EffectCall& call) = 0;
  virtual AnyValue cached(Attempt& attempt, const CacheCall& call) = 0;
  virtual LoadedProgress progress(Attempt& attempt, const ProgressCall& call) = 0;
  virtual LoadedHistory history(Attempt& attempt, const HistoryCall& call) = 0;
  virtual void enqueue(const EnqueueCall& call) = 0;
  virtual void close(std::string_view reason) = 0;
};

/// Behind Context. Safe to use from several threads.
class Attempt {
 public:
  struct Facts {
    std::string run;
    std::string stage;
    std::string item;
    unsigned number = 1;
    bool resumed = false;
    bool approved = false;
    const stage::Limits* limits = nullptr;
  };

  Attempt(Facts facts, Services& services) : facts_(std::move(facts)), services_(services) {}

  [[nodiscard]] const Facts& facts() const noexcept { return facts_; }
  [[nodiscard]] std::stop_token token() const noexcept { return source_.get_token(); }
  [[nodiscard]] StopCause cause() const noexcept { return cause_.load(); }
  [[nodiscard]] bool is_out_of_time() const noexcept { return facts_.limits->is_over(); }
  [[nodiscard]] bool is_asked_to_stop() const noexcept { return source_.stop_requested(); }
  /// Also if the time is over but the token has not been notified yet.
  [[nodiscard]] bool must_stop() const noexcept {
    return source_.stop_requested() || is_out_of_time();
  }
  /// The first cause counts.
  void stop(StopCause cause) noexcept;
  void spend(Cost cost);
  [[nodiscard]] Cost cost() const;
  /// Suspended was thrown through the Context: what the function returns afterwards does not count.
  void suspend(const std::string& message);
  [[nodiscard]] std::optional<std::string> suspended() const;
  /// A step that was tried several times ends with this error.
  void give_up(std::exception_ptr error, std::string what);
  /// What was said of this error, or "".
  [[nodiscard]] std::string given_up(const std::exception_ptr& error) const;
  [[nodiscard]] Services& services() noexcept { return services_; }

 private:
  Facts facts_;
  Services& services_;
  std::stop_source source_;
  std::atomic<StopCause> cause_{StopCause::none};
  mutable std::mutex guard_;
  Cost cost_;
  std::optional<std::string> suspended_;
  std::exception_ptr given_up_;
  std::string step_that_gave_up_;
};

}  // namespace detail
}  // namespace v0
}  // namespace resumable

namespace resumable::stage {

/// How a call ended.
struct CallResult {
  enum class How { value, waiting, interrupted, failed } how = How::failed;
  detail::AnyValue value;
  std::string message;
  std::string tries;  ///< `step 'fetch' failed 4 times`, if that is why; or ""
  std::exception_ptr error;
  bool retryable = false;
  std::chrono::milliseconds retry_after{0};
  double seconds = 0;
  Cost cost;
};

/// Calls `node`'s function. `stop` asks it to leave, and so does the node's timeout.
[[nodiscard]] CallResult call(const detail::Node& node, detail::Attempt& attempt,
                              std::span<const detail::AnyValue> args, const std::stop_token& stop,
                              sys::Timer& timer, sys::Clock& clock,
                              const std::function<void()>& on_overdue);

/// Whether another attempt may succeed, and how long the other side asked to wait before it.
struct Outlook {
  bool retryable = false;
  std::chrono::milliseconds retry_after{0};
};
[[nodiscard]] Outlook outlook_of(const Retry& retry, const std::exception_ptr& error);

/// The message of an exception, with those of the exceptions nested in it.
[[nodiscard]] std::string words_of(const std::exception_ptr& error);
/// Its code by name (`http_429` would be the program's; ours are those of Errc), or "".
[[nodiscard]] std::string code_of(const std::exception_ptr& error);

/// The wait before try `next` (2, 3, …): exponential, capped, with jitter that depends on `seed`
/// alone, so that a repeated run waits as long.
[[nodiscard]] std::chrono::milliseconds backoff(const Retry& retry, unsigned next,
                                                std::chrono::milliseconds asked_for,
                                                std::string_view seed);

}  // namespace resumable::stage
