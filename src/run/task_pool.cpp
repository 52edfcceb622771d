#include "run/task_pool.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <thread>
#include <utility>

namespace resumable::run {

/// A task on its way through a thread, with the place for its completion: once it is on its way, it
/// needs no memory to come back. The program's executor may run it, drop it, or throw.
class ThreadPool::Work {
 public:
  Work(ThreadPool& pool, Task task) : pool_(pool), completion_(1) {
    completion_.front().task = std::move(task);
  }
  ~Work() {
    if (!begun_) drop({});
  }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  void run() noexcept {
    if (begun_.exchange(true)) return;
    pool_.worker_.run(completion_.front());
    pool_.finish(completion_);
  }
  /// `why`: empty if the executor has not said.
  void drop(std::exception_ptr why) noexcept {
    if (begun_.exchange(true)) return;
    Completion& completion = completion_.front();
    try {
      if (!why) why = std::make_exception_ptr(std::runtime_error("the executor dropped its work"));
      completion.message = stage::words_of(why);
    } catch (...) {  // not even memory for a message
      if (!why) why = std::current_exception();
    }
    completion.error = std::move(why);
    pool_.finish(completion_);
  }

 private:
  ThreadPool& pool_;
  std::list<Completion> completion_;  ///< one
  std::atomic<bool> begun_{false};
};

ThreadPool::ThreadPool(Worker& worker, unsigned tasks, TaskExecutor executor)
    : worker_(worker),
      limit_(tasks != 0 ? tasks : std::max(1U, std::thread::hardware_concurrency())),
      executor_(std::move(executor)) {
  if (limit_ > 1 && !executor_) pool_ = sys::thread_pool(limit_);
}

ThreadPool::~ThreadPool() {
  if (!executor_) return;
  std::unique_lock lock{guard_};
  done_.wait(lock, [&] { return completions_.size() == running_; });
}

void ThreadPool::start(Task task) {
  const auto work = std::make_shared<Work>(*this, std::move(task));
  ++running_;
  try {
    if (executor_) return executor_([work] { work->run(); });
    if (pool_) return pool_->post([work] { work->run(); });
  } catch (...) {
    return work->drop(std::current_exception());
  }
  work->run();
}

void ThreadPool::finish(std::list<Completion>& one) noexcept {
  const std::scoped_lock lock{guard_};
  completions_.splice(completions_.end(), one);
  done_.notify_all();
}

std::list<Completion> ThreadPool::take() noexcept {
  std::unique_lock lock{guard_};
  done_.wait(lock, [&] { return !completions_.empty(); });
  running_ -= completions_.size();
  return std::exchange(completions_, {});
}

}  // namespace resumable::run
