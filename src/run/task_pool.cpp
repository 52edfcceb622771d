#include "run/task_pool.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <thread>
#include <utility>

namespace resumable::run {

/// A task passed to the program's executor, which may run it, drop it, or throw.
class TaskPool::Work {
 public:
  Work(TaskPool& pool, Task task) : pool_(pool), task_(std::move(task)) {}
  ~Work() {
    if (!begun_) drop(std::make_exception_ptr(std::runtime_error("the executor dropped its work")));
  }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  void run() {
    if (!begun_.exchange(true)) pool_.finish(pool_.worker_.run(std::move(task_)));
  }
  void drop(std::exception_ptr why) {
    if (begun_.exchange(true)) return;
    Completion completion;
    completion.task = std::move(task_);
    completion.message = stage::words_of(why);
    completion.error = std::move(why);
    pool_.finish(std::move(completion));
  }

 private:
  TaskPool& pool_;
  Task task_;
  std::atomic<bool> begun_{false};
};

TaskPool::TaskPool(Worker& worker, unsigned tasks, TaskExecutor executor)
    : worker_(worker),
      limit_(tasks != 0 ? tasks : std::max(1U, std::thread::hardware_concurrency())),
      executor_(std::move(executor)) {
  if (limit_ > 1 && !executor_) pool_ = sys::thread_pool(limit_);
}

TaskPool::~TaskPool() {
  if (!executor_) return;
  std::unique_lock lock{guard_};
  done_.wait(lock, [&] { return completions_.size() == running_; });
}

void TaskPool::start(Task task) {
  ++running_;
  if (executor_) {
    const auto work = std::make_shared<Work>(*this, std::move(task));
    try {
      executor_([work] { work->run(); });
    } catch (...) {
      work->drop(std::current_exception());
    }
  } else if (pool_) {
    pool_->post([this, shared = std::make_shared<Task>(std::move(task))] {
      finish(worker_.run(std::move(*shared)));
    });
  } else {
    completions_.push_back(worker_.run(std::move(task)));
  }
}

void TaskPool::finish(Completion completion) {
  const std::scoped_lock lock{guard_};
  completions_.push_back(std::move(completion));
  done_.notify_all();
}

std::deque<Completion> TaskPool::take() {
  std::unique_lock lock{guard_};
  done_.wait(lock, [&] { return !completions_.empty(); });
  running_ -= completions_.size();
  return std::exchange(completions_, {});
}

}  // namespace resumable::run
