#include "sys/scheduler.hpp"

#include <memory>
#include <utility>

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <unistd.h>

namespace resumable::sys {
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

}  // namespace

Scheduler::~Scheduler() = default;

std::unique_ptr<Scheduler> thread_pool(std::size_t threads) {
  return std::make_unique<ThreadPool>(threads);
}

}  // namespace resumable::sys
