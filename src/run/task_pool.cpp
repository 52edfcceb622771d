#include "run/task_pool.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace resumable::run {

TaskPool::TaskPool(Worker& worker, unsigned tasks)
    : worker_(worker),
      limit_(tasks != 0 ? tasks : std::max(1U, std::thread::hardware_concurrency())) {
  if (limit_ > 1) pool_ = sys::thread_pool(limit_);
}

void TaskPool::start(Task task) {
  ++running_;
  if (!pool_) {
    completions_.push_back(worker_.run(std::move(task)));
    return;
  }
  pool_->post([this, shared = std::make_shared<Task>(std::move(task))] {
    Completion completion = worker_.run(std::move(*shared));
    const std::scoped_lock lock{guard_};
    completions_.push_back(std::move(completion));
    done_.notify_one();
  });
}

std::deque<Completion> TaskPool::take() {
  std::unique_lock lock{guard_};
  done_.wait(lock, [&] { return !completions_.empty(); });
  running_ -= completions_.size();
  return std::exchange(completions_, {});
}

}  // namespace resumable::run
