#include "sys/timer.hpp"

namespace resumable::inline v0::sys {

Timer::Timer(Clock& clock) : clock_(clock), thread_([this] { run(); }) {}

Timer::~Timer() {
  {
    const std::lock_guard lock(guard_);
    ending_ = true;
    changed_.notify_all();
  }
  thread_.join();
}

Timer::Id Timer::call_at(BootTime when, Call call) {
  const std::lock_guard lock(guard_);
  const Id id = ++last_;
  calls_.emplace(std::pair(when, id), std::move(call));
  times_.emplace(id, when);
  changed_.notify_all();
  return id;
}

void Timer::cancel(Id id) {
  std::unique_lock lock(guard_);
  if (const auto found = times_.find(id); found != times_.end()) {
    calls_.erase({found->second, id});
    times_.erase(found);
  }
  if (std::this_thread::get_id() == thread_.get_id()) return;
  changed_.wait(lock, [&] { return running_ != id; });
}

void Timer::run() {
  std::unique_lock lock(guard_);
  while (!ending_) {
    if (calls_.empty()) {
      changed_.wait(lock);
    } else if (const BootTime first = calls_.begin()->first.first; clock_.boot() < first) {
      clock_.wait(lock, changed_, first);
    } else {
      call_first(lock);
    }
  }
}

void Timer::call_first(std::unique_lock<std::mutex>& lock) {
  const auto first = calls_.begin();
  const Call call = std::move(first->second);
  running_ = first->first.second;
  times_.erase(running_);
  calls_.erase(first);
  lock.unlock();
  call();
  lock.lock();
  running_ = 0;
  changed_.notify_all();
}

}  // namespace resumable::inline v0::sys
