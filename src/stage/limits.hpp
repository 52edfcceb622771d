/// @file
/// How long a call, and its run over all calls, may still take.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>

#include "sys/clock.hpp"

namespace resumable::stage {

/// The call's budget is elapsed time, with a deadline. The run's is the time in which a process was
/// alive and not stopped: it is measured by a heartbeat, and a gap between two beats counts as at
/// most one second. Safe to use from several threads.
class Limits {
 public:
  using Duration = sys::BootClock::duration;
  static constexpr Duration beat_interval = std::chrono::milliseconds{500};
  static constexpr Duration longest_gap = std::chrono::seconds{1};

  explicit Limits(sys::Clock& clock) : clock_(clock) {}
  /// The call is over at `end`.
  void end_call_at(sys::BootTime end) { call_end_ = end; }
  /// The run is over when it was alive for `total`, `used` before this call included.
  void end_run_after(Duration total, Duration used);

  [[nodiscard]] const std::optional<sys::BootTime>& call_end() const noexcept { return call_end_; }
  [[nodiscard]] bool counts_run() const noexcept { return total_.has_value(); }
  [[nodiscard]] bool any() const noexcept { return call_end_ || total_; }
  [[nodiscard]] bool is_over() const noexcept { return any() && is_over(clock_.boot()); }
  [[nodiscard]] bool is_over(sys::BootTime now) const noexcept {
    if (call_end_ && now >= *call_end_) return true;
    return total_ && now >= sys::BootTime{Duration{run_end_.load()}} && run_is_over();
  }
  /// Whether it is the run's budget that is used.
  [[nodiscard]] bool run_is_over() const noexcept;
  /// Duration::max() without limits; never negative.
  [[nodiscard]] Duration left() const noexcept;

  /// A heartbeat: called at least every beat_interval while the run is alive.
  Duration beat() const noexcept;

 private:
  sys::Clock& clock_;
  std::optional<sys::BootTime> call_end_;
  std::optional<Duration> total_;
  mutable std::atomic<Duration::rep> run_end_{0};  ///< if it stays alive from the last beat on
  mutable std::mutex guard_;
  mutable Duration used_{0};
  mutable sys::BootTime last_{};
};

}  // namespace resumable::stage
