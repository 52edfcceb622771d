/// @file
/// Unpredictable bytes, for unique names.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <system_error>

#include "resumable/export.hpp"

namespace resumable::sys {

/// Safe to use from several threads.
class RESUMABLE_EXPORT Random {
 public:
  Random() = default;
  virtual ~Random();
  Random(const Random&) = delete;
  Random& operator=(const Random&) = delete;

  virtual std::error_code fill(std::span<std::byte> to) = 0;
};

/// getrandom(2).
class RESUMABLE_EXPORT SystemRandom final : public Random {
 public:
  std::error_code fill(std::span<std::byte> to) override;
};

/// A name of 16 hexadecimal digits.
RESUMABLE_EXPORT std::error_code random_name(Random& random, std::string& out);

}  // namespace resumable::sys
