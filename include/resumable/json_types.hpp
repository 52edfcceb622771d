/// @file
/// JSON for std::optional, std::variant, std::chrono durations and times: opt-in, because a program
/// may have its own.
///
/// optional is null or the value. A variant is an object that says which alternative it holds:
/// `{"type":"string","value":"x"}` when each alternative has a name and no two have the same, else
/// `{"index":1,"value":…}`. A type's name is the `name` of its Schema; bool is "boolean", the other
/// integral types are "integer", floating-point types "number", std::string is "string", and
/// std::monostate is "none", without a value. With "index", append new alternatives at the end,
/// because the order is what is saved. A duration is its count and unit, "1500ms"; a time of
/// system_clock is UTC with the digits of its period, "2026-11-21T20:31:07.250Z". Both name their
/// unit, so that a member whose unit changed is refused instead of being off by a factor.
///
/// The rule: these serialisers give way to the program's own where those are visible in the same
/// file, whether as specialisations of nlohmann::adl_serializer or as to_json functions found by
/// argument-dependent lookup. But one type must have one serialiser in all files of a program
/// (ODR): include this header in the header that defines the types that need it, or do not include
/// it at all.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "resumable/codec.hpp"
#include "resumable/detail/value_traits.hpp"
#include "resumable/export.hpp"

namespace resumable {
inline namespace v0 {
namespace detail {

/// The unit of a duration, std::ratio<num, den> seconds.
struct Period {
  std::int64_t num = 1;
  std::int64_t den = 1;
};

/// "ms", "h", "[1/3]s"
[[nodiscard]] RESUMABLE_EXPORT std::string unit_name(Period period);
/// `text` without the unit. @throws std::invalid_argument  it has another one
[[nodiscard]] RESUMABLE_EXPORT std::string_view without_unit(std::string_view text, Period period);
/// `ticks` since 1970 as a UTC date; as a duration if the period is neither a power of ten of a
/// second nor a number of whole seconds. @throws std::out_of_range  not in the years 0 to 9999
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

template <class T>
concept SystemTime = TimePoint<T> && !SteadyTime<T>;

template <class T>
concept JsonOptional = Optional<T> && LacksJson<T>;
template <class T>
concept JsonDuration = Duration<T> && LacksJson<T>;
template <class T>
concept JsonTime = SystemTime<T> && LacksJson<T>;
template <class T>
concept JsonVariant = Variant<T> && LacksJson<T>;

/// What an alternative of a variant is called in JSON; "" when it has no name.
template <class T>
constexpr std::string_view alternative_name() {
  if constexpr (std::is_same_v<T, std::monostate>) {
    return "none";
  } else if constexpr (!schema_range<T>.name.empty()) {
    return schema_range<T>.name;
  } else if constexpr (std::is_same_v<T, bool>) {
    return "boolean";
  } else if constexpr (std::is_integral_v<T>) {
    return "integer";
  } else if constexpr (std::is_floating_point_v<T>) {
    return "number";
  } else if constexpr (std::is_same_v<T, std::string>) {
    return "string";
  } else {
    return "";
  }
}

template <class V>
struct VariantJson;
template <class... T>
struct VariantJson<std::variant<T...>> {
  static constexpr std::array<std::string_view, sizeof...(T)> names{alternative_name<T>()...};

  static constexpr bool find_names() {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i].empty()) return false;
      for (std::size_t j = 0; j < i; ++j) {
        if (names[i] == names[j]) return false;
      }
    }
    return true;
  }
  /// Whether each alternative has a name and no two have the same.
  static constexpr bool are_named = find_names();
  template <class J>
  static void probe() {
    (detail::probe<T, J>(), ...);
  }
  /// @throws std::invalid_argument, nlohmann's exceptions
  template <class J>
  static std::size_t index_in(const J& json) {
    std::size_t index = names.size();
    if constexpr (are_named) {
      const auto& name = json.at("type").template get_ref<const std::string&>();
      index = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
      if (index == names.size()) {
        throw std::invalid_argument("a variant has no alternative '" + name + "'");
      }
    } else {
      index = json.at("index").template get<std::size_t>();
      if (index >= names.size()) {
        throw std::invalid_argument("a variant has no alternative " + std::to_string(index));
      }
    }
    return index;
  }
  template <std::size_t I = 0, class J>
  static void read(const J& json, std::size_t index, std::variant<T...>& value) {
    if constexpr (I < sizeof...(T)) {
      using Alternative = std::variant_alternative_t<I, std::variant<T...>>;
      if (index != I) {
        read<I + 1>(json, index, value);
      } else if constexpr (std::is_same_v<Alternative, std::monostate>) {
        value.template emplace<I>();
      } else {
        value.template emplace<I>(json.at("value").template get<Alternative>());
      }
    }
  }
};

}  // namespace detail
}  // namespace v0
}  // namespace resumable

/// @cond
// Each is constrained on a type parameter, which makes it less specialised than a program's own
// adl_serializer<std::optional<T>>: where both are visible, the program's is taken.

template <class T>
  requires resumable::detail::JsonOptional<T>
struct nlohmann::adl_serializer<T, void> {
  using Value = typename T::value_type;
  static_assert(!resumable::detail::Optional<Value>,
                "resumable: JSON cannot tell the empty optionals of an optional<optional> apart");

  template <class J>
  static void to_json(J& json, const T& value) {
    json = nullptr;
    resumable::detail::probe<Value, J>();
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
  requires resumable::detail::JsonDuration<T>
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
  requires resumable::detail::JsonTime<T>
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
/// @endcond

/// @cond
template <class T>
  requires resumable::detail::JsonVariant<T>
struct nlohmann::adl_serializer<T, void> {
  using Json = resumable::detail::VariantJson<T>;

  template <class J>
  static void to_json(J& json, const T& value) {
    Json::template probe<J>();
    if (value.valueless_by_exception()) throw std::invalid_argument("a variant without a value");
    json = J::object();
    if constexpr (Json::are_named) {
      json["type"] = std::string(Json::names[value.index()]);
    } else {
      json["index"] = value.index();
    }
    std::visit(
        [&](const auto& held) {
          if constexpr (!std::is_same_v<decltype(held), const std::monostate&>) {
            json["value"] = J(held);
          }
        },
        value);
  }
  template <class J>
  static void from_json(const J& json, T& value) {
    Json::read(json, Json::index_in(json), value);
  }
};
/// @endcond
