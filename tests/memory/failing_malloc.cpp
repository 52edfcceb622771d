#include "memory/failing_malloc.hpp"

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstddef>

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace resumable::test {
namespace failing_malloc {

std::atomic<long> made{0};
std::atomic<long> first{LONG_MAX};
std::atomic<long> last{LONG_MAX};

bool fails() {
  const long nth = ++made;
  if (nth < first || nth > last) return false;
  errno = ENOMEM;
  return true;
}

}  // namespace failing_malloc

void fail_allocation(long nth, bool from_then_on) {
  failing_malloc::made = 0;
  failing_malloc::last = from_then_on ? LONG_MAX : nth;
  failing_malloc::first = nth;
}

long stop_failing() {
  failing_malloc::first = LONG_MAX;
  return failing_malloc::made;
}

}  // namespace resumable::test

// They take the place of libc's in this program and in the libraries that it loads.
// NOLINTBEGIN
using resumable::test::failing_malloc::fails;

extern "C" {

void* malloc(std::size_t size) { return fails() ? nullptr : __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) {
  return fails() ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) { return fails() ? nullptr : __libc_realloc(old, size); }
void* memalign(std::size_t alignment, std::size_t size) {
  return fails() ? nullptr : __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return fails() ? nullptr : __libc_memalign(alignment, size);
}
int posix_memalign(void** to, std::size_t alignment, std::size_t size) {
  if (fails()) return ENOMEM;
  *to = __libc_memalign(alignment, size);
  return *to == nullptr ? ENOMEM : 0;
}
}
// NOLINTEND
