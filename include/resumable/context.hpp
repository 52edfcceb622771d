/// @file
/// What a stage's function may ask and tell while it runs.
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

namespace resumable::inline v0 {

namespace detail {
class Attempt;
}

/// Why a stage is asked to stop.
enum class StopCause : std::uint8_t {
  none,     ///< it is not
  user,     ///< the host's stop token, for instance StopOnSignal
  timeout,  ///< its own timeout: what it throws now counts as a failed attempt
  failure,  ///< another stage failed
};

/// Leaves a stage early without failing it: thrown by Context::wait and the like, caught by the
/// library. Deliberately not a std::exception, so that `catch (const std::exception&)` in a stage
/// does not swallow it. Do not catch it.
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
  /// @param retry_after  what the other side asked for; 0 leaves it to the stage's Retry
  explicit Retryable(const std::string& message, std::chrono::milliseconds retry_after = {});
  ~Retryable() override;
  Retryable(const Retryable&) noexcept;
  [[nodiscard]] std::chrono::milliseconds retry_after() const noexcept { return retry_after_; }

 private:
  std::chrono::milliseconds retry_after_;
};

/// One attempt of one stage or item. Passed to functions that want it as their first parameter;
/// valid during the call. Safe to use from several threads.
class RESUMABLE_EXPORT Context {
 public:
  explicit Context(detail::Attempt& attempt) noexcept : attempt_(attempt) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  [[nodiscard]] const std::string& run() const noexcept;
  [[nodiscard]] const std::string& stage() const noexcept;
  /// The item's key, empty in a stage that is no fan-out.
  [[nodiscard]] const std::string& item() const noexcept;
  /// 1 for the first try, failed tries of earlier processes included.
  [[nodiscard]] unsigned attempt() const noexcept;
  /// Whether this run was begun by an earlier call of resume().
  [[nodiscard]] bool resumed() const noexcept;

  /// Requested when this attempt should end soon: hand it to whatever blocks. To leave, throw
  /// anything: after a stop by the user it counts as interrupted (not as a failed attempt), after a
  /// timeout as a failed attempt. A value that is returned all the same is committed.
  [[nodiscard]] std::stop_token stop() const noexcept;
  [[nodiscard]] StopCause stop_cause() const noexcept;

  /// Adds to what this attempt cost. Committed with the attempt, also when it fails.
  void spend(Cost cost);

  /// Returns when a person has approved this stage with its present inputs; otherwise leaves the
  /// stage (throws Suspended): the run ends with exit code 75 and says `message`, which should tell
  /// the person what to look at and what to type.
  void wait(std::string_view message);

 private:
  detail::Attempt& attempt_;
};

}  // namespace resumable::inline v0
