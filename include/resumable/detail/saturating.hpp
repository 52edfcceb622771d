/// @file
/// Arithmetic of times in which "without limit", such as milliseconds::max(), stays that: what
/// would not fit is the largest or the smallest time there is.
/// No promises: this header may change in any version.
#pragma once

#include <chrono>

namespace resumable {
inline namespace v0 {
namespace detail {

/// `from` in the unit of To.
template <class To, class R, class P>
[[nodiscard]] constexpr To saturated(std::chrono::duration<R, P> from) noexcept {
  using Real = std::chrono::duration<long double, typename To::period>;
  const Real real{from};
  if (real >= Real{To::max()}) return To::max();
  if (real <= Real{To::min()}) return To::min();
  const bool is_number = real <= Real::zero() || real > Real::zero();
  return is_number ? std::chrono::duration_cast<To>(from) : To::zero();
}

template <class C, class D, class R, class P>
[[nodiscard]] constexpr std::chrono::time_point<C, D> later(
    std::chrono::time_point<C, D> from, std::chrono::duration<R, P> by) noexcept {
  using Time = std::chrono::time_point<C, D>;
  const D step = saturated<D>(by);
  typename D::rep ticks = 0;
  if (__builtin_add_overflow(from.time_since_epoch().count(), step.count(), &ticks)) {
    return step > D::zero() ? Time::max() : Time::min();
  }
  return Time{D{ticks}};
}

template <class C, class D, class R, class P>
[[nodiscard]] constexpr std::chrono::time_point<C, D> earlier(
    std::chrono::time_point<C, D> from, std::chrono::duration<R, P> by) noexcept {
  using Time = std::chrono::time_point<C, D>;
  const D step = saturated<D>(by);
  typename D::rep ticks = 0;
  if (__builtin_sub_overflow(from.time_since_epoch().count(), step.count(), &ticks)) {
    return step > D::zero() ? Time::min() : Time::max();
  }
  return Time{D{ticks}};
}

}  // namespace detail
}  // namespace v0
}  // namespace resumable
