/// @file
/// Sums of time and cost that several records tell of the same work.
#pragma once

#include <algorithm>

#include "resumable/report.hpp"

namespace resumable::core {

/// The larger time and the larger cost: of records that include each other, or that should, but a
/// call was killed between them.
[[nodiscard]] inline Savings larger(const Savings& one, const Savings& other) noexcept {
  return {std::max(one.duration, other.duration),
          {std::max(one.cost.usd, other.cost.usd), std::max(one.cost.tokens, other.cost.tokens)}};
}

}  // namespace resumable::core
