/// @file
/// Group commit: what several threads want written at the same time is written together.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

namespace resumable::store {

/// A thread that finds no other writing writes at once, alone. Threads that arrive meanwhile wait,
/// and the first of them then writes for all. A Request has `std::exception_ptr error` and
/// `bool done`. Safe to use from several threads.
template <class Request>
class GroupQueue {
 public:
  /// `company`: how much of the last flush's time a thread waits, before it writes, for those that
  /// were written or waiting then, but never more than 2 ms. Without it, half of the threads write
  /// while the other half waits; where a flush takes long, all of them in one is faster.
  explicit GroupQueue(double company = 0) : company_(company) {}

  /// Blocks until `flush` was called with a group that has `request`, in this thread or in another;
  /// never twice at the same time. `flush` does not throw: it stores each error in its request.
  /// @throws what `flush` has left in `request.error`
  template <class Flush>
  void run(Request& request, const Flush& flush) {
    std::unique_lock lock{guard_};
    waiting_.push_back(&request);
    if (waiting_.size() >= expected_) gathered_.notify_one();
    while (!request.done) {
      if (flushing_) {
        changed_.wait(lock);
        continue;
      }
      flushing_ = true;
      gather(lock);
      const std::vector<Request*> group = std::exchange(waiting_, {});
      lock.unlock();
      const auto begin = Clock::now();
      flush(group);
      lock.lock();
      longest_ = std::min<Pause>((Clock::now() - begin) * company_, std::chrono::milliseconds{2});
      expected_ = group.size() + waiting_.size();
      for (Request* one : group) one->done = true;
      flushing_ = false;
      changed_.notify_all();
    }
    lock.unlock();
    if (request.error) std::rethrow_exception(request.error);
  }

 private:
  using Clock = std::chrono::steady_clock;
  using Pause = std::chrono::duration<double>;

  /// Those who do not come are not expected the next times.
  void gather(std::unique_lock<std::mutex>& lock) {
    if (company_ <= 0 || waiting_.size() >= expected_) return;
    if (skipped_ < skip_) {
      ++skipped_;
      return;
    }
    const bool all =
        gathered_.wait_for(lock, longest_, [&] { return waiting_.size() >= expected_; });
    skip_ = all ? 0 : std::min(2 * skip_ + 1, 15);
    skipped_ = 0;
  }

  std::mutex guard_;
  std::condition_variable changed_;
  std::condition_variable gathered_;
  double company_;
  bool flushing_ = false;
  std::vector<Request*> waiting_;
  std::size_t expected_ = 0;  ///< who were written or waiting at the end of the last flush
  Pause longest_{};
  int skip_ = 0;
  int skipped_ = 0;
};

}  // namespace resumable::store
