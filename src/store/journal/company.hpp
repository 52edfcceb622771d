/// @file
/// How long the next group of commits waits for more of them.
///
/// Threads that have just been answered often come back at once. A group that is written without
/// them makes them wait for a whole sync, so that half of the threads are in each group. So where
/// there was company, the next group waits until as many are there as before, at most for half of
/// what the last one took, or 2 ms. One who commits alone never waits; and where waiting was in
/// vain, it is tried ever more rarely.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace resumable::store::journal {

/// Used with the lock of the queue held.
class Company {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// A group of `answered` commits was written from `begun` to `now`; `waiting` are in the queue.
  void end_group(std::size_t answered, std::size_t waiting, Time begun, Time now) {
    had_ = waiting;
    expected_ = skipped_ > 0 ? 0 : answered + waiting;
    if (skipped_ > 0) --skipped_;
    until_ = now + std::min<Time::duration>((now - begun) / 2, longest);
  }
  /// Whether a group of `waiting` commits had better wait, at most until().
  [[nodiscard]] bool is_awaited(std::size_t waiting, Time now) const {
    return expected_ > 1 && waiting < expected_ && now < until_;
  }
  [[nodiscard]] Time until() const noexcept { return until_; }
  /// A group of so many commits is about to be written.
  void begin_group(std::size_t size) {
    if (expected_ < 2) return;
    const bool in_vain = size <= std::max<std::size_t>(had_, 1);
    rest_ = in_vain ? std::min(2 * rest_ + 1, most_skipped) : 0;
    skipped_ = rest_;
  }

 private:
  static constexpr std::size_t most_skipped = 63;
  static constexpr std::chrono::milliseconds longest{2};

  std::size_t expected_ = 0;  ///< how many are likely to come; 0: nobody is waited for
  std::size_t had_ = 0;       ///< how many waited when the last group ended
  std::size_t rest_ = 0;      ///< for how many groups nobody is waited for, once it was in vain
  std::size_t skipped_ = 0;   ///< how many of these are left
  Time until_{};
};

}  // namespace resumable::store::journal
