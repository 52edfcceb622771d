/// @file
/// Little-endian numbers and checks in the files of a journal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/little_endian.hpp"
#include "resumable/digest.hpp"

namespace resumable::store::journal {

inline constexpr std::size_t check_bytes = 8;

template <class Number>
void set_number(char* at, Number value) {
  core::store_little(at, value);
}

template <class Number>
Number get_number(std::string_view bytes, std::size_t at) {
  return core::load_little<Number>(bytes.data() + at);
}

inline std::uint64_t check_of(const Digest& sum) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < check_bytes; ++i) value = (value << 8U) | sum.bytes[i];
  return value;
}

inline std::uint64_t check_of_bytes(std::string_view bytes) { return check_of(digest(bytes)); }

/// The check stands first and covers what follows.
inline void seal(char* at, std::size_t size) {
  set_number(at, check_of_bytes({at + check_bytes, size - check_bytes}));
}

inline bool is_sealed(std::string_view bytes) {
  return get_number<std::uint64_t>(bytes, 0) == check_of_bytes(bytes.substr(check_bytes));
}

}  // namespace resumable::store::journal
