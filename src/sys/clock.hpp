/// @file
/// Time, and waiting for it, behind one interface: tests move it by hand.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string>

#include "resumable/export.hpp"

namespace resumable::sys {

/// The clock of budgets and timeouts: never set back or forward, and it counts on while the machine
/// sleeps (CLOCK_BOOTTIME of clock_gettime(2)).
struct BootClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<BootClock>;
  static constexpr bool is_steady = true;
};

using WallTime = std::chrono::system_clock::time_point;
using BootTime = BootClock::time_point;

/// Safe to use from several threads.
class RESUMABLE_EXPORT Clock {
 public:
  Clock() = default;
  virtual ~Clock();
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;

  /// For people and records; may jump. Nothing is ordered by it.
  [[nodiscard]] virtual WallTime wall() const noexcept = 0;
  /// For durations and deadlines.
  [[nodiscard]] virtual BootTime boot() const noexcept = 0;

  /// Waits until `wake` is notified or it is `deadline`, and may return earlier for no reason:
  /// callers loop. `lock` is held before and after. Late by up to a second after the machine slept.
  virtual void wait(std::unique_lock<std::mutex>& lock, std::condition_variable& wake,
                    BootTime deadline) = 0;
};

class RESUMABLE_EXPORT SystemClock final : public Clock {
 public:
  [[nodiscard]] WallTime wall() const noexcept override;
  [[nodiscard]] BootTime boot() const noexcept override;
  void wait(std::unique_lock<std::mutex>& lock, std::condition_variable& wake,
            BootTime deadline) override;
};

/// Sleeps until `deadline`; false when `stop` was requested before.
RESUMABLE_EXPORT bool sleep_until(Clock& clock, BootTime deadline, const std::stop_token& stop);

}  // namespace resumable::sys
