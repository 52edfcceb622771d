/// @file
/// The environment of a run: clock, randomness, file system, which program this is. Tests replace
/// them by doubles.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "sys/build_id.hpp"
#include "sys/clock.hpp"
#include "sys/file_system.hpp"
#include "sys/random.hpp"

namespace resumable::record {

/// What is not given is the operating system's.
struct Environment {
  sys::Clock* clock = nullptr;
  sys::Random* random = nullptr;
  sys::FileSystem* file_system = nullptr;
  const std::string* build_id = nullptr;  ///< of the program, which then has loaded `libraries`
  std::map<std::string, std::string> libraries{};
};

/// For tests: while it lives, calls that this thread makes (resume, plan, status, Records) use
/// `environment`. Scopes nest; the doubles must outlive it and the reports of those calls.
class TestEnvironment {
 public:
  explicit TestEnvironment(const Environment& environment)
      : former_(std::exchange(current(), environment)) {}
  ~TestEnvironment() { current() = former_; }
  TestEnvironment(const TestEnvironment&) = delete;
  TestEnvironment& operator=(const TestEnvironment&) = delete;

  [[nodiscard]] static Environment& current() noexcept {
    thread_local Environment environment;
    return environment;
  }

 private:
  Environment former_;
};

/// What this thread's calls use; taken when it is made.
class World {
 public:
  World() : system_(sys::posix_file_system()), given_(TestEnvironment::current()) {}

  [[nodiscard]] sys::Clock& clock() noexcept { return given_.clock ? *given_.clock : clock_; }
  [[nodiscard]] sys::Random& random() noexcept { return given_.random ? *given_.random : random_; }
  [[nodiscard]] sys::FileSystem& files() noexcept {
    return given_.file_system ? *given_.file_system : *system_;
  }
  /// "" when it is not known.
  [[nodiscard]] sys::Build build() const {
    return given_.build_id ? sys::Build{*given_.build_id, given_.libraries} : sys::build();
  }

 private:
  sys::SystemClock clock_;
  sys::SystemRandom random_;
  std::unique_ptr<sys::FileSystem> system_;
  Environment given_;
};

}  // namespace resumable::record
