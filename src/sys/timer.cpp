#include "sys/timer.hpp"

#include <unistd.h>

namespace resumable::sys {

Timer::Timer(Clock& clock) : state_(std::make_unique<State>(clock)) {
  state_->process = ::getpid();
  state_->thread = std::thread([this] { run(); });
}

Timer::~Timer() {
  if (state_->process != ::getpid()) {
    // Neither the thread nor what it waits on can be ended here.
    static_cast<void>(state_.release());
    return;
  }
  {
    const std::scoped_lock lock{state_->guard};
    state_->ending = true;
    state_->changed.notify_all();
  }
  state_->thread.join();
}

Timer::Id Timer::call_at(BootTime when, Call call) {
  State& state = *state_;
  const std::scoped_lock lock{state.guard};
  const Id id = ++state.last;
  state.times.emplace(id, when);
  state.calls.emplace(std::pair(when, id), std::move(call));  // the last: if it throws, none is due
  state.changed.notify_all();
  return id;
}

void Timer::cancel(Id id) {
  State& state = *state_;
  std::unique_lock lock(state.guard);
  if (const auto found = state.times.find(id); found != state.times.end()) {
    state.calls.erase({found->second, id});
    state.times.erase(found);
  }
  if (std::this_thread::get_id() == state.thread.get_id()) return;
  state.changed.wait(lock, [&] { return state.running != id; });
}

void Timer::run() {
  State& state = *state_;
  std::unique_lock lock(state.guard);
  while (!state.ending) {
    if (state.calls.empty()) {
      state.changed.wait(lock);
    } else if (const BootTime first = state.calls.begin()->first.first;
               state.clock.boot() < first) {
      state.clock.wait(lock, state.changed, first);
    } else {
      call_first(lock);
    }
  }
}

void Timer::call_first(std::unique_lock<std::mutex>& lock) {
  State& state = *state_;
  const auto first = state.calls.begin();
  const Call call = std::move(first->second);
  state.running = first->first.second;
  state.times.erase(state.running);
  state.calls.erase(first);
  lock.unlock();
  call();
  lock.lock();
  state.running = 0;
  state.changed.notify_all();
}

}  // namespace resumable::sys
