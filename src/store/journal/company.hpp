/// @file
/// How long the next group of commits waits for more of them.
///
/// Threads whose commits have just been answered often commit again at once. If the next group is
/// written without them, they wait for a whole sync, so that only half of the threads are in each
/// group. So if the last group had several commits, the next one waits until as many are there, but
/// at most half of the time that the last group took, or 2 ms. A thread that commits alone never
/// waits; and after waiting in vain, it is tried less and less often.
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
  /// Whether a group of `waiting` commits should wait, at most until `until()`.
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

  std::size_t expected_ = 0;  ///< how many are likely to come; 0: do not wait
  std::size_t had_ = 0;       ///< how many waited when the last group ended
  std::size_t rest_ = 0;      ///< for how many groups not to wait, after waiting in vain
  std::size_t skipped_ = 0;   ///< how many of these are left
  Time until_{};
};

}  // namespace resumable::store::journal
