/// @file
/// Which values a Retry may have.
#pragma once

#include <cmath>
#include <string_view>

#include "resumable/retry.hpp"

namespace resumable::core {

/// NaN is in no range.
[[nodiscard]] inline bool is_in_range(const Retry& retry) noexcept {
  return retry.attempts >= 1 && retry.initial_delay.count() >= 0 &&
         retry.max_delay >= retry.initial_delay && retry.factor >= 1 &&
         std::isfinite(retry.factor) && retry.jitter >= 0 && retry.jitter <= 1;
}

/// What to say then.
inline constexpr std::string_view retry_ranges =
    "retry.attempts and retry.factor are at least 1, retry.jitter is 0 to 1, retry.initial_delay "
    "is "
    "not negative, and retry.max_delay is at least retry.initial_delay";

}  // namespace resumable::core
