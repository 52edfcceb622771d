/// @file
/// Runs the executor's tasks and collects their results.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>

#include "resumable/resume.hpp"
#include "run/worker.hpp"
#include "sys/scheduler.hpp"

namespace resumable::run {

/// Runs tasks where the program wants them, in threads of its own, or, if it runs only one at a
/// time, in the caller's thread. Everything except the tasks themselves is used by one thread.
class TaskPool {
 public:
  /// `tasks` at a time; 0: one per core. `worker` must outlive it.
  TaskPool(Worker& worker, unsigned tasks, TaskExecutor executor);
  /// Waits for all tasks.
  ~TaskPool();
  TaskPool(const TaskPool&) = delete;
  TaskPool& operator=(const TaskPool&) = delete;

  [[nodiscard]] bool is_full() const noexcept { return running_ >= limit_; }
  [[nodiscard]] bool is_idle() const noexcept { return running_ == 0; }
  /// @pre !is_full()
  void start(Task task);
  /// Waits for the next ones that are through. @pre !is_idle()
  [[nodiscard]] std::list<Completion> take() noexcept;

 private:
  class Work;

  void finish(std::list<Completion>& one) noexcept;

  Worker& worker_;
  std::size_t limit_;
  std::size_t running_ = 0;  ///< started and not taken
  std::mutex guard_;
  std::condition_variable done_;
  std::list<Completion> completions_;
  TaskExecutor executor_;
  std::unique_ptr<sys::Scheduler> pool_;  ///< the last: it waits for its tasks
};

}  // namespace resumable::run
