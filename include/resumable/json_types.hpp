/// @file
/// JSON for std::optional, std::chrono durations and times: opt-in, as a host may have its own.
///
/// optional is null or the value. A duration is its count and unit, "1500ms"; a time of
/// system_clock is UTC with the digits of its period, "2026-11-21T20:31:07.250Z". Both name their
/// unit, so that a member whose unit changed is refused instead of being off by a factor.
///
/// The rule: these serialisers step back where, in the same file, the host's own are visible, be
/// they specialisations of nlohmann::adl_serializer or functions to_json found by
/// argument-dependent lookup. But one type must have one serialiser in all files of a program
/// (ODR): include this header in the header that defines the types that need it, or do not include
/// it at all.
#pragma once

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "resumable/codec.hpp"
#include "resumable/detail/value_traits.hpp"
#include "resumable/export.hpp"

namespace resumable::inline v0::detail {

/// The unit of a duration, std::ratio<num, den> seconds.
struct Period {
  std::int64_t num = 1;
  std::int64_t den = 1;
};

/// "ms", "h", "[1/3]s"
[[nodiscard]] RESUMABLE_EXPORT std::string unit_name(Period period);
/// `text` without the unit. @throws std::invalid_argument  it has another one
[[nodiscard]] RESUMABLE_EXPORT std::string_view without_unit(std::string_view text, Period period);
/// `ticks` since 1970 as a UTC date; as a duration where the period is no power of ten of a second
/// and no number of whole seconds. @throws std::out_of_range  not in the years 0 to 9999
[[nodiscard]] RESUMABLE_EXPORT std::string utc_text(std::int64_t ticks, Period period);
/// The inverse. @throws std::invalid_argument  it is not exactly what utc_text() writes
[[nodiscard]] RESUMABLE_EXPORT std::int64_t parse_utc(std::string_view text, Period period);

template <class D>
inline constexpr Period period_of{D::period::num, D::period::den};

template <class D>
[[nodiscard]] std::string duration_text(const D& duration) {
  if constexpr (std::is_floating_point_v<typename D::rep>) {
    if (!std::isfinite(duration.count())) throw std::out_of_range("a duration that is not finite");
  }
  char digits[64];
  const auto end = std::to_chars(digits, digits + sizeof digits, duration.count()).ptr;
  return std::string(digits, end) + unit_name(period_of<D>);
}

template <class D>
[[nodiscard]] D parse_duration(std::string_view text) {
  const std::string_view digits = without_unit(text, period_of<D>);
  typename D::rep count{};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  if (error != std::errc{} || end != digits.data() + digits.size()) {
    throw std::invalid_argument("not a duration in " + unit_name(period_of<D>));
  }
  return D(count);
}

template <class D>
inline constexpr bool as_date =
    std::is_integral_v<typename D::rep>&& std::is_signed_v<typename D::rep>;

/// nlohmann, or a function of the host's, has an answer of its own.
template <class T>
concept HasToJson = requires(Json& json, const T& value) {
  ::nlohmann::to_json(json, value);
};

template <class T>
concept SystemTime = is_time_point<T> && !SteadyTime<T>;

}  // namespace resumable::inline v0::detail

// Each is constrained on a type parameter, which makes it less specialised than a host's own
// adl_serializer<std::optional<T>>: where both are visible, the host's is taken.

template <class T>
  requires(resumable::detail::Optional<T> && !resumable::detail::HasToJson<T>)
struct nlohmann::adl_serializer<T, void> {
  using Value = typename T::value_type;
  static_assert(!resumable::detail::Optional<Value>,
                "resumable: JSON cannot tell the empty optionals of an optional<optional> apart");

  template <class J>
  static void to_json(J& json, const T& value) {
    json = nullptr;
    if (!value) return;
    json = J(*value);
    if (json.is_null()) throw std::invalid_argument("an optional that holds a null would be lost");
  }
  template <class J>
  static void from_json(const J& json, T& value) {
    value.reset();
    if (!json.is_null()) value.emplace(json.template get<Value>());
  }
};

template <class T>
  requires(resumable::detail::is_duration<T> && !resumable::detail::HasToJson<T>)
struct nlohmann::adl_serializer<T, void> {
  template <class J>
  static void to_json(J& json, const T& value) {
    json = resumable::detail::duration_text(value);
  }
  template <class J>
  static void from_json(const J& json, T& value) {
    value = resumable::detail::parse_duration<T>(json.template get_ref<const std::string&>());
  }
};

template <class T>
  requires(resumable::detail::SystemTime<T> && !resumable::detail::HasToJson<T>)
struct nlohmann::adl_serializer<T, void> {
  using D = typename T::duration;

  template <class J>
  static void to_json(J& json, const T& value) {
    const D since = value.time_since_epoch();
    if constexpr (resumable::detail::as_date<D>) {
      json = resumable::detail::utc_text(since.count(), resumable::detail::period_of<D>);
    } else {
      json = resumable::detail::duration_text(since);
    }
  }
  template <class J>
  static void from_json(const J& json, T& value) {
    const auto& text = json.template get_ref<const std::string&>();
    if constexpr (resumable::detail::as_date<D>) {
      const auto ticks = resumable::detail::parse_utc(text, resumable::detail::period_of<D>);
      value = T(D(static_cast<typename D::rep>(ticks)));
    } else {
      value = T(resumable::detail::parse_duration<D>(text));
    }
  }
};
