#include "sys/scheduler.hpp"

#include <unistd.h>

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

#include <deque>
#include <memory>
#include <mutex>
#include <utility>

namespace resumable::inline v0::sys {
namespace {

class ThreadPool final : public Scheduler {
 public:
  explicit ThreadPool(std::size_t threads)
      : pool_(std::make_unique<boost::asio::thread_pool>(threads)) {}
  ~ThreadPool() override {
    if (process_ == ::getpid()) {
      pool_->join();
    } else {
      static_cast<void>(pool_.release());  // a forked child does not have its threads
    }
  }
  void post(Task task) override { boost::asio::post(*pool_, std::move(task)); }

 private:
  std::unique_ptr<boost::asio::thread_pool> pool_;
  pid_t process_ = ::getpid();
};

class InlineScheduler final : public Scheduler {
 public:
  void post(Task task) override {
    std::unique_lock lock(guard_);
    tasks_.push_back(std::move(task));
    if (std::exchange(draining_, true)) return;
    while (!tasks_.empty()) {
      const Task next = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      next();
      lock.lock();
    }
    draining_ = false;
  }

 private:
  std::mutex guard_;
  std::deque<Task> tasks_;
  bool draining_ = false;
};

}  // namespace

Scheduler::~Scheduler() = default;

std::unique_ptr<Scheduler> thread_pool(std::size_t threads) {
  return std::make_unique<ThreadPool>(threads);
}

std::unique_ptr<Scheduler> inline_scheduler() { return std::make_unique<InlineScheduler>(); }

}  // namespace resumable::inline v0::sys
