/// @file
/// What work cost, as far as the host tells.
#pragma once

#include <cstdint>

namespace resumable::inline v0 {

/// Money and tokens. Added up over attempts, items, stages and runs.
struct Cost {
  double usd = 0;
  std::uint64_t tokens = 0;

  Cost& operator+=(const Cost& other) noexcept {
    usd += other.usd;
    tokens += other.tokens;
    return *this;
  }
  friend bool operator==(const Cost&, const Cost&) = default;
};

}  // namespace resumable::inline v0
