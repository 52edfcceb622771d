/// @file
/// Group commit: what several threads want written at the same time is written together.
#pragma once

#include <condition_variable>
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
  /// Blocks until `flush` was called with a group that has `request`, in this thread or in another;
  /// never twice at the same time. `flush` does not throw: it stores each error in its request.
  /// @throws what `flush` has left in `request.error`
  template <class Flush>
  void run(Request& request, const Flush& flush) {
    std::unique_lock lock{guard_};
    waiting_.push_back(&request);
    while (!request.done) {
      if (flushing_) {
        changed_.wait(lock);
        continue;
      }
      flushing_ = true;
      const std::vector<Request*> group = std::exchange(waiting_, {});
      lock.unlock();
      flush(group);
      lock.lock();
      for (Request* one : group) one->done = true;
      flushing_ = false;
      changed_.notify_all();
    }
    lock.unlock();
    if (request.error) std::rethrow_exception(request.error);
  }

 private:
  std::mutex guard_;
  std::condition_variable changed_;
  bool flushing_ = false;
  std::vector<Request*> waiting_;
};

}  // namespace resumable::store
