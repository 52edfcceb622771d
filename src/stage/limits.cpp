#include "stage/limits.hpp"

#include <algorithm>

#include "resumable/detail/saturating.hpp"

namespace resumable::stage {

void Limits::end_run_after(Duration total, Duration used) {
  total_ = total;
  used_ = used;
  last_ = clock_.boot();
  run_end_ = detail::later(last_, total - used).time_since_epoch().count();
}

Limits::Duration Limits::beat() const noexcept {
  const std::scoped_lock lock{guard_};
  const sys::BootTime now = clock_.boot();
  used_ += std::min(now - last_, longest_gap);
  last_ = now;
  if (total_) run_end_ = detail::later(now, *total_ - used_).time_since_epoch().count();
  return used_;
}

bool Limits::run_is_over() const noexcept { return total_ && beat() >= *total_; }

Limits::Duration Limits::left() const noexcept {
  Duration left = Duration::max();
  if (call_end_) left = *call_end_ - clock_.boot();
  if (total_) left = std::min(left, *total_ - beat());
  return std::max(left, Duration{0});
}

}  // namespace resumable::stage
