/// @file
/// Costs, as reported by the program.
#pragma once

#include <cstdint>

namespace resumable {
inline namespace v0 {

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

}  // namespace v0
}  // namespace resumable
