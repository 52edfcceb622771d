/// @file
/// Waiting for another process.
#pragma once

#include <algorithm>
#include <chrono>
#include <stop_token>
#include <utility>

#include "store/file/limits.hpp"
#include "sys/clock.hpp"

namespace resumable::store {

/// Polls: the kernel wakes nobody for a lock that another descriptor gives up, unless one blocks.
class Waiting {
 public:
  /// `clock` must outlive it.
  Waiting(sys::Clock& clock, std::chrono::milliseconds wait, std::stop_token stop)
      : clock_(clock), stop_(std::move(stop)), deadline_(clock.boot() + wait) {}

  /// False when the time is over, or somebody has asked to stop.
  [[nodiscard]] bool again() {
    const sys::BootTime now = clock_.boot();
    if (now >= deadline_) return false;
    const sys::BootTime until = std::min(deadline_, now + pause_);
    pause_ = std::min(2 * pause_, limits::longest_wait);
    return sys::sleep_until(clock_, until, stop_);
  }

 private:
  sys::Clock& clock_;
  std::stop_token stop_;
  sys::BootTime deadline_;
  std::chrono::milliseconds pause_ = limits::shortest_wait;
};

}  // namespace resumable::store
