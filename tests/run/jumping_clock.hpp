/// @file
/// Retries without waiting.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <span>
#include <system_error>

#include "record/environment.hpp"
#include "sys/clock.hpp"
#include "sys/random.hpp"

namespace resumable::test {

using namespace std::chrono_literals;

/// A clock on which nobody waits: a wait ends at once, at its deadline.
class JumpingClock final : public sys::Clock {
 public:
  [[nodiscard]] sys::WallTime wall() const noexcept override { return {}; }
  [[nodiscard]] sys::BootTime boot() const noexcept override {
    const std::lock_guard lock(guard_);
    return boot_;
  }
  void wait(std::unique_lock<std::mutex>&, std::condition_variable&,
            sys::BootTime deadline) override {
    const std::lock_guard lock(guard_);
    if (boot_ < deadline) boot_ = deadline;
  }

 private:
  mutable std::mutex guard_;
  sys::BootTime boot_{1h};
};

/// Always the same bytes: a run's uid is known.
class FixedRandom final : public sys::Random {
 public:
  explicit FixedRandom(char seed) : seed_(seed) {}
  std::error_code fill(std::span<std::byte> to) noexcept override {
    for (std::byte& one : to) one = static_cast<std::byte>(seed_++);
    return {};
  }

 private:
  char seed_;
};

/// Attempts follow each other at once, and the jitter of retries is known.
struct JumpingWorld {
  explicit JumpingWorld(char seed = 1) : random(seed) {}
  JumpingClock clock;
  FixedRandom random;
  record::TestEnvironment environment{{.clock = &clock, .random = &random}};
};

}  // namespace resumable::test
