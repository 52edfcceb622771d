#include "core/json.hpp"

#include <array>
#include <functional>
#include <mutex>
#include <new>

#include <nlohmann/json.hpp>

namespace resumable::core {
namespace {

constexpr std::size_t reserve_bytes = std::size_t{256} << 10U;

/// Enough for documents with thousands of members. What is taken lives as long as a destructor
/// runs, so the reserve soon is whole again.
struct Reserve {
  std::mutex guard;
  std::size_t taken = 0;  ///< bytes
  std::size_t users = 0;
  alignas(std::max_align_t) std::array<std::byte, reserve_bytes> bytes;
};
Reserve reserve;  // NOLINT: takes no room in the program file, and no memory until it is used

bool is_of_reserve(const void* at) noexcept {
  const std::less<> before;
  return !before(at, reserve.bytes.data()) && before(at, reserve.bytes.data() + reserve_bytes);
}

}  // namespace

void* allocate_or_take(std::size_t bytes) {
  if (void* const found = ::operator new(bytes, std::nothrow)) return found;
  const std::size_t unit = alignof(std::max_align_t);
  const std::scoped_lock lock{reserve.guard};
  const std::size_t size = (bytes + unit - 1) / unit * unit;
  if (size < bytes || size > reserve_bytes - reserve.taken) throw std::bad_alloc();
  void* const found = reserve.bytes.data() + reserve.taken;
  reserve.taken += size;
  ++reserve.users;
  return found;
}

void deallocate_or_give_back(void* at) noexcept {
  if (!is_of_reserve(at)) return ::operator delete(at);
  const std::scoped_lock lock{reserve.guard};
  if (--reserve.users == 0) reserve.taken = 0;
}

}  // namespace resumable::core
