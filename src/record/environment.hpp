/// @file
/// The outside world of a run: clock, randomness, file system, which program this is. Tests put
/// doubles in.
#pragma once

#include <memory>
#include <string>

#include "sys/build_id.hpp"
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
  const std::string* build_id = nullptr;  ///< of the program
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
  /// "" when it is not known.
  [[nodiscard]] std::string build_id() const {
    return given_.build_id ? *given_.build_id : sys::build_id();
  }

 private:
  sys::SystemClock clock_;
  sys::SystemRandom random_;
  std::unique_ptr<sys::FileSystem> system_;
  detail::Environment given_;
};

}  // namespace resumable::record
