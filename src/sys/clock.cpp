#include "sys/clock.hpp"

#include <algorithm>

#include <time.h>

namespace resumable::sys {

Clock::~Clock() = default;

WallTime SystemClock::wall() const noexcept { return std::chrono::system_clock::now(); }

BootTime SystemClock::boot() const noexcept {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  return BootTime(std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec));
}

void SystemClock::wait(std::unique_lock<std::mutex>& lock, std::condition_variable& wake,
                       BootTime deadline) {
  // Condition variables do not support boot time: a suspended machine is noticed within a second.
  const auto left = std::min<std::chrono::nanoseconds>(deadline - boot(), std::chrono::seconds(1));
  if (left > left.zero()) wake.wait_for(lock, left);
}

bool sleep_until(Clock& clock, BootTime deadline, const std::stop_token& stop) {
  std::mutex guard;
  std::condition_variable wake;
  const std::stop_callback stopped(stop, [&] {
    const std::scoped_lock lock{guard};
    wake.notify_all();
  });
  std::unique_lock lock(guard);
  while (!stop.stop_requested() && clock.boot() < deadline) clock.wait(lock, wake, deadline);
  return !stop.stop_requested();
}

}  // namespace resumable::sys
