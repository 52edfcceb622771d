/// @file
/// Where tasks run.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace resumable::sys {

class Scheduler {
 public:
  /// Throws nothing.
  using Task = std::function<void()>;

  Scheduler() = default;
  /// Waits for all tasks.
  virtual ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  /// Runs `task` soon, once. May be called from a task, and from several threads.
  virtual void post(Task task) = 0;
};

/// `threads` workers (boost::asio::thread_pool).
[[nodiscard]] std::unique_ptr<Scheduler> thread_pool(std::size_t threads);

}  // namespace resumable::sys
