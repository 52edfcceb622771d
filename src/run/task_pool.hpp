/// @file
/// Runs the executor's tasks and collects their results.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>

#include "resumable/resume.hpp"
#include "run/worker.hpp"
#include "sys/scheduler.hpp"

namespace resumable::run {

/// Where tasks run. Used by one thread.
class TaskPool {
 public:
  TaskPool() = default;
  virtual ~TaskPool() = default;
  TaskPool(const TaskPool&) = delete;
  TaskPool& operator=(const TaskPool&) = delete;

  /// Whether workers of other processes may run tasks of this node: Task::shared is wanted then.
  [[nodiscard]] virtual bool shares(std::uint32_t node) const {
    static_cast<void>(node);
    return false;
  }
  /// Whether a task of this node may be started now.
  [[nodiscard]] virtual bool has_room(std::uint32_t node) const = 0;
  /// Nothing that was started has not been taken.
  [[nodiscard]] virtual bool is_idle() const noexcept = 0;
  /// @pre has_room()
  virtual void start(Task task) = 0;
  /// What nobody has begun comes back as withdrawn. With `stop`, the rest is asked to stop.
  virtual void hold(bool stop) noexcept { static_cast<void>(stop); }
  /// Waits for the next ones that are through; none when there may be more room than before.
  /// @pre !is_idle()
  [[nodiscard]] virtual std::list<Completion> take() noexcept = 0;
};

/// Runs tasks where the program wants them, in threads of its own, or, if it runs only one at a
/// time, in the caller's thread.
class ThreadPool final : public TaskPool {
 public:
  /// `tasks` at a time; 0: one per core. `worker` must outlive it.
  ThreadPool(Worker& worker, unsigned tasks, TaskExecutor executor);
  /// Waits for all tasks.
  ~ThreadPool() override;
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  [[nodiscard]] bool has_room(std::uint32_t /*any node*/) const override {
    return running_ < limit_;
  }
  [[nodiscard]] bool is_idle() const noexcept override { return running_ == 0; }
  void start(Task task) override;
  [[nodiscard]] std::list<Completion> take() noexcept override;

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
