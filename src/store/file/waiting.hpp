/// @file
/// Waiting for another process.
#pragma once

#include <algorithm>
#include <chrono>
#include <stop_token>
#include <utility>

#include "resumable/detail/saturating.hpp"
#include "store/file/limits.hpp"
#include "sys/clock.hpp"

namespace resumable::store {

/// Polls, because the kernel does not wake a waiter when another descriptor releases a lock, unless
/// the waiter blocks.
class Waiting {
 public:
  /// `clock` must outlive it.
  Waiting(sys::Clock& clock, std::chrono::milliseconds wait, std::stop_token stop)
      : clock_(clock), stop_(std::move(stop)), deadline_(detail::later(clock.boot(), wait)) {}

  /// Returns false if the time is over, or a stop was requested.
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
