/// @file
/// Integers in the byte order of everything on disk: the least significant byte first.
#pragma once

#include <concepts>
#include <cstddef>
#include <utility>

namespace resumable::core {

// Without loops: so compilers make one load or store of each.

template <std::unsigned_integral Number>
[[nodiscard]] constexpr Number load_little(const char* from) noexcept {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return static_cast<Number>(
        (... | (static_cast<Number>(static_cast<unsigned char>(from[I])) << (8 * I))));
  }
  (std::make_index_sequence<sizeof(Number)>{});
}

template <std::unsigned_integral Number>
constexpr void store_little(char* to, Number value) noexcept {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((to[I] = static_cast<char>(static_cast<unsigned char>(value >> (8 * I)))), ...);
  }
  (std::make_index_sequence<sizeof(Number)>{});
}

}  // namespace resumable::core
