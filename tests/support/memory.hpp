/// @file
/// How much of the heap is in use, with and without sanitizers.
#pragma once

#include <cstddef>

#include <malloc.h>

extern "C" {
// Of the sanitizers' allocators; absent without one.
[[gnu::weak]] std::size_t __sanitizer_get_current_allocated_bytes();
}

namespace resumable::test {

[[nodiscard]] inline std::size_t allocated_bytes() {
  if (__sanitizer_get_current_allocated_bytes != nullptr) {
    return __sanitizer_get_current_allocated_bytes();
  }
  const auto info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

}  // namespace resumable::test
