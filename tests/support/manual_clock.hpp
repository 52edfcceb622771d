/// @file
/// A clock that stands still until a test moves it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>

#include "sys/clock.hpp"

namespace resumable::test {

/// Safe to use from several threads.
class ManualClock final : public sys::Clock {
 public:
  [[nodiscard]] sys::WallTime wall() const noexcept override {
    const std::lock_guard lock(guard_);
    return wall_;
  }
  [[nodiscard]] sys::BootTime boot() const noexcept override {
    const std::lock_guard lock(guard_);
    return boot_;
  }

  /// Looks again every millisecond of real time, which nobody sees on this clock.
  void wait(std::unique_lock<std::mutex>& lock, std::condition_variable& wake,
            sys::BootTime deadline) override {
    if (boot() >= deadline) return;
    {
      const std::lock_guard own(guard_);
      ++waits_;
      waiting_.notify_all();
    }
    wake.wait_for(lock, std::chrono::milliseconds(1));
  }

  void advance(std::chrono::nanoseconds by) {
    const std::lock_guard lock(guard_);
    boot_ += by;
    wall_ += std::chrono::duration_cast<sys::WallTime::duration>(by);
  }

  /// Blocks until somebody waits on this clock.
  void await_waiter() {
    std::unique_lock lock(guard_);
    const std::size_t before = waits_;
    waiting_.wait(lock, [&] { return waits_ > before; });
  }

 private:
  mutable std::mutex guard_;
  std::condition_variable waiting_;
  std::size_t waits_ = 0;
  sys::WallTime wall_ = std::chrono::sys_days(std::chrono::year(2026) / 11 / 21) +
                        std::chrono::hours(20) + std::chrono::minutes(31) + std::chrono::seconds(7);
  sys::BootTime boot_{std::chrono::hours(1)};
};

}  // namespace resumable::test
