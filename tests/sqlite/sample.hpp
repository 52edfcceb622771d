/// @file
/// A sample of the points at which something may be broken.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace resumable::test {

/// Which of many points are tried: all with RESUMABLE_TEST_SOAK, else a sample by a printed seed.
class Sample {
 public:
  explicit Sample(int one_in)
      : seed_(std::random_device{}()),
        random_(seed_),
        one_in_(std::getenv("RESUMABLE_TEST_SOAK") != nullptr ? 1 : one_in) {
    ::testing::Test::RecordProperty("seed", std::to_string(seed_));
    std::cout << "seed " << seed_ << '\n';
  }
  /// How far to go to the next point.
  int step() { return std::uniform_int_distribution{1, 2 * one_in_ - 1}(random_); }
  std::size_t below(std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>{0, limit - 1}(random_);
  }

 private:
  unsigned seed_;
  std::mt19937 random_;
  int one_in_;
};

}  // namespace resumable::test
