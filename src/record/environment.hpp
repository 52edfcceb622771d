/// @file
/// The outside world of a run: clock, randomness, file system. Tests put doubles in.
#pragma once

#include "sys/clock.hpp"
#include "sys/file_system.hpp"
#include "sys/random.hpp"

namespace resumable {
inline namespace v0 {
namespace detail {

struct Environment {
  sys::Clock* clock = nullptr;
  sys::Random* random = nullptr;
  sys::FileSystem* file_system = nullptr;
};

}  // namespace detail
}  // namespace v0
}  // namespace resumable

namespace resumable::record {

/// What is not given is the operating system's.
class World {
 public:
  explicit World(const detail::Environment* given)
      : system_(sys::posix_file_system()), given_(given ? *given : detail::Environment{}) {}

  [[nodiscard]] sys::Clock& clock() noexcept { return given_.clock ? *given_.clock : clock_; }
  [[nodiscard]] sys::Random& random() noexcept { return given_.random ? *given_.random : random_; }
  [[nodiscard]] sys::FileSystem& files() noexcept {
    return given_.file_system ? *given_.file_system : *system_;
  }

 private:
  sys::SystemClock clock_;
  sys::SystemRandom random_;
  std::unique_ptr<sys::FileSystem> system_;
  detail::Environment given_;
};

}  // namespace resumable::record
