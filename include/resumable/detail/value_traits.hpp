/// @file
/// Why a type cannot be a value: found while compiling, also inside containers.
/// No promises: this header may change in any version.
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace resumable {
inline namespace v0 {
namespace detail {

enum class Flaw : std::uint8_t {
  none,
  not_a_value,   ///< void, a reference, const, an array, a function
  pointer,       ///< an address means nothing in the next process
  view,          ///< refers to what another object owns
  unordered,     ///< the order of its elements is not stable
  repeated_key,  ///< nlohmann drops all but one of equal string keys
  too_wide,      ///< nlohmann narrows it
  steady_clock,  ///< its origin changes with each start of the machine
};

/// Has elements of its own, and is not a text.
template <class T>
concept Container = requires(const T& value) {
  typename T::value_type;
  value.begin();
  value.end();
}
&&!requires { typename T::traits_type; };

template <class T>
concept TupleLike = requires {
  std::tuple_size<T>::value;
};

template <class T>
concept Map = Container<T> && requires {
  typename T::key_type;
  typename T::mapped_type;
};

/// A map that nlohmann writes as an object.
template <class T>
concept StringMap = Map<T> && std::constructible_from<std::string, typename T::key_type>;

template <class T>
concept Hashed = Container<T> && requires {
  typename T::hasher;
};

template <class T>
concept UniqueKeys = requires(T& map, const typename T::key_type& key) {
  map.at(key);
};

template <class T>
concept SmartPointer = requires(const T& pointer) {
  typename T::element_type;
  { pointer.get() } -> std::convertible_to<const void*>;
}
|| requires(const T& pointer) {
  typename T::element_type;
  pointer.lock();
};

template <class T>
concept View = std::ranges::enable_view<T> || requires(const T& reference) {
  typename T::type;  // std::reference_wrapper
  { reference.get() } -> std::same_as<typename T::type&>;
};

template <class T>
struct OptionalValue;
template <class T>
struct OptionalValue<std::optional<T>> {
  using type = T;
};
template <class T>
concept Optional = requires {
  typename OptionalValue<T>::type;
};

template <class T>
inline constexpr bool is_duration = false;
template <class R, class P>
inline constexpr bool is_duration<std::chrono::duration<R, P>> = true;
template <class T>
inline constexpr bool is_time_point = false;
template <class C, class D>
inline constexpr bool is_time_point<std::chrono::time_point<C, D>> = true;

template <class T>
concept Duration = is_duration<T>;
template <class T>
concept TimePoint = is_time_point<T>;

template <class T>
inline constexpr bool is_variant = false;
template <class... T>
inline constexpr bool is_variant<std::variant<T...>> = true;
template <class T>
concept Variant = is_variant<T>;

/// Pointers, except nullptr_t, which has only one value.
template <class T>
concept Pointer = std::is_pointer_v<T> || std::is_member_pointer_v<T> || SmartPointer<T>;

template <class T>
concept TooWide = std::is_arithmetic_v<T> &&(sizeof(T) > 8);

template <class T>
concept SteadyTime =
    is_time_point<T> && !std::is_same_v<typename T::clock, std::chrono::system_clock>;

/// The first flaw of T itself.
template <class T>
consteval Flaw own_flaw() {
  if constexpr (!std::is_object_v<T> || std::is_array_v<T> || std::is_const_v<T> ||
                std::is_volatile_v<T>) {
    return Flaw::not_a_value;
  } else if constexpr (Pointer<T>) {
    return Flaw::pointer;
  } else if constexpr (View<T>) {
    return Flaw::view;
  } else if constexpr (Hashed<T> && !(StringMap<T> && UniqueKeys<T>)) {
    return Flaw::unordered;
  } else if constexpr (StringMap<T> && !UniqueKeys<T>) {
    return Flaw::repeated_key;
  } else if constexpr (TooWide<T>) {
    return Flaw::too_wide;
  } else if constexpr (SteadyTime<T>) {
    return Flaw::steady_clock;
  } else {
    return Flaw::none;
  }
}

template <class T, int Depth>
consteval Flaw flaw();

template <class T>
struct Alternatives;
template <class... T>
struct Alternatives<std::variant<T...>> {
  using type = std::tuple<T...>;
};

template <class T, int Depth, std::size_t... I>
consteval Flaw flaw_of_members(std::index_sequence<I...>) {
  Flaw found = Flaw::none;
  (void)((found = flaw<std::remove_const_t<std::tuple_element_t<I, T>>, Depth>(),
          found != Flaw::none) ||
         ...);
  return found;
}

/// The first flaw of T or of what it contains. Stops where a type is its own element.
template <class T, int Depth = 0>
consteval Flaw flaw() {
  if constexpr (own_flaw<T>() != Flaw::none || Depth >= 16) {
    return own_flaw<T>();
  } else if constexpr (Optional<T>) {
    return flaw<typename OptionalValue<T>::type, Depth + 1>();
  } else if constexpr (Variant<T>) {
    return flaw<typename Alternatives<T>::type, Depth + 1>();
  } else if constexpr (Container<T>) {
    if constexpr (std::is_same_v<typename T::value_type, T>)
      return Flaw::none;
    else
      return flaw<typename T::value_type, Depth + 1>();
  } else if constexpr (TupleLike<T>) {
    return flaw_of_members<T, Depth + 1>(std::make_index_sequence<std::tuple_size_v<T>>{});
  } else {
    return Flaw::none;
  }
}

}  // namespace detail
}  // namespace v0
}  // namespace resumable
