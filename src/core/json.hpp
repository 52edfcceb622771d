/// @file
/// The JSON documents of the library's own records.
///
/// The destructor of an nlohmann::basic_json allocates, and ends the process when it cannot. For
/// these types its std::vector takes from a reserve when there is no memory left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "resumable/export.hpp"

namespace resumable::core {

/// Allocates as std::allocator does. It makes these documents types of their own.
template <class T>
struct DocumentAllocator {
  using value_type = T;
  DocumentAllocator() = default;
  template <class U>
  DocumentAllocator(const DocumentAllocator<U>& /*other*/) noexcept {}  // NOLINT: as allocators do
  [[nodiscard]] T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T)));
  }
  void deallocate(T* at, std::size_t /*count*/) noexcept { ::operator delete(at); }
  [[nodiscard]] bool operator==(const DocumentAllocator& /*other*/) const noexcept { return true; }
};

using Json = nlohmann::basic_json<std::map, std::vector, std::string, bool, std::int64_t,
                                  std::uint64_t, double, DocumentAllocator>;
/// Keeps the members of an object in the order in which they were added.
using OrderedJson = nlohmann::basic_json<nlohmann::ordered_map, std::vector, std::string, bool,
                                         std::int64_t, std::uint64_t, double, DocumentAllocator>;

/// The list that is a member of `json`, made where it is missing. Without memory for it,
/// `json[name].push_back()` would leave a document that cannot be destroyed.
template <class Document>
[[nodiscard]] Document& list_in(Document& json, const char* name) {
  Document& member = json[name];
  if (member.is_null()) member = Document::array();
  return member;
}

/// Of the reserve if there is no other memory. @throws std::bad_alloc  not even there
[[nodiscard]] RESUMABLE_EXPORT void* allocate_or_take(std::size_t bytes);
RESUMABLE_EXPORT void deallocate_or_give_back(void* at) noexcept;

template <class T>
struct ReservingAllocator {
  using value_type = T;
  [[nodiscard]] T* allocate(std::size_t count) {
    return static_cast<T*>(allocate_or_take(count * sizeof(T)));
  }
  void deallocate(T* at, std::size_t /*count*/) noexcept { deallocate_or_give_back(at); }
  [[nodiscard]] bool operator==(const ReservingAllocator& /*other*/) const noexcept { return true; }
};

}  // namespace resumable::core

// What basic_json's destructor puts the children in, one after another, so as not to recurse.
template <>
struct std::allocator<resumable::core::Json>
    : resumable::core::ReservingAllocator<resumable::core::Json> {};
template <>
struct std::allocator<resumable::core::OrderedJson>
    : resumable::core::ReservingAllocator<resumable::core::OrderedJson> {};
