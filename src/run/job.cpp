#include "run/job.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>

#include "resumable/job.hpp"

namespace resumable {
namespace run {

std::optional<std::chrono::milliseconds> time_until(std::string_view end,
                                                    sys::WallTime now) noexcept {
  constexpr std::int64_t latest = 1'000'000'000'000;  // no clock overflows: the year 33658
  std::int64_t seconds = 0;
  const char* const last = end.data() + end.size();
  const auto [stop, error] = std::from_chars(end.data(), last, seconds);
  if (stop != last || stop == end.data() || seconds < 0) return std::nullopt;
  if (error != std::errc{}) seconds = latest;
  const std::chrono::milliseconds at = std::chrono::seconds{std::min(seconds, latest)};
  const auto left = at - std::chrono::ceil<std::chrono::milliseconds>(now.time_since_epoch());
  return std::max(left, std::chrono::milliseconds{0});
}

}  // namespace run

inline namespace v0 {

std::optional<std::chrono::milliseconds> job_time_left() noexcept {
  for (const char* name : {"RESUMABLE_JOB_END", "SLURM_JOB_END_TIME"}) {
    if (const char* end = std::getenv(name)) return run::time_until(end, sys::SystemClock{}.wall());
  }
  return std::nullopt;
}

}  // namespace v0
}  // namespace resumable
