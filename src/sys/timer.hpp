/// @file
/// Calls functions at points in time, from one thread: timeouts, deadlines, beats.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "sys/clock.hpp"

namespace resumable::sys {

/// Safe to use from several threads. Has one thread while it lives.
class Timer {
 public:
  /// Short, throws nothing; may use the timer.
  using Call = std::function<void()>;
  using Id = std::uint64_t;

  explicit Timer(Clock& clock);
  /// Calls nothing any more. Not from a call. In a forked child it leaves everything as it is.
  ~Timer();
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  /// Calls `call` once it is `when`; at once when that is past.
  Id call_at(BootTime when, Call call);
  /// Afterwards the call is not running and will not run: waits for it if it is running, unless
  /// called from it.
  void cancel(Id id);

 private:
  struct State {
    explicit State(Clock& of) : clock(of) {}
    Clock& clock;
    std::mutex guard;
    std::condition_variable changed;
    std::map<std::pair<BootTime, Id>, Call> calls;
    std::map<Id, BootTime> times;
    Id last = 0;
    Id running = 0;
    bool ending = false;
    std::thread thread;
    std::int64_t process = 0;  ///< a forked child has the state, and not the thread
  };
  void run();
  void call_first(std::unique_lock<std::mutex>& lock);

  std::unique_ptr<State> state_;
};

}  // namespace resumable::sys
