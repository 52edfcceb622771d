/// @file
/// Wakes one thread, without a lock that other threads also need.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>

namespace resumable::store::journal {

/// Rung once for each wait. Shared by the waiting and the ringing thread: the former may be gone
/// before the latter returns.
class Alarm {
 public:
  void ring() {
    {
      const std::scoped_lock lock{guard_};
      rung_ = true;
    }
    changed_.notify_one();
  }
  void wait() {
    std::unique_lock lock{guard_};
    changed_.wait(lock, [&] { return std::exchange(rung_, false); });
  }
  void wait_until(std::chrono::steady_clock::time_point time) {
    std::unique_lock lock{guard_};
    static_cast<void>(changed_.wait_until(lock, time, [&] { return std::exchange(rung_, false); }));
  }

  /// Rings all that are linked from `first` on.
  static void ring_all(std::shared_ptr<Alarm> first) {
    while (first) {
      first->ring();
      first = std::exchange(first->next_, nullptr);
    }
  }
  void link(std::shared_ptr<Alarm> next) noexcept { next_ = std::move(next); }

 private:
  std::mutex guard_;
  std::condition_variable changed_;
  bool rung_ = false;
  std::shared_ptr<Alarm> next_;
};

}  // namespace resumable::store::journal
