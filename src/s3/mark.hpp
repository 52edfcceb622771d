/// @file
/// How a record says that its payload is an object: its header has one more member at its end,
/// `"object"`, its payload is empty, and its tag begins with other bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "resumable/record.hpp"

namespace resumable::s3 {

/// The object of one record.
struct Reference {
  std::uint64_t size = 0;
  std::string name;    ///< in the folder of its run: of the lease that stored it, and a number
  std::string sha256;  ///< 64 hexadecimal digits
  friend bool operator==(const Reference&, const Reference&) = default;
};

/// Whether a header can be marked: it ends like an object and stays within its limit.
[[nodiscard]] bool can_mark(std::string_view header);
/// @pre can_mark(header)
[[nodiscard]] std::string mark(std::string_view header, const Reference& reference);
/// The header of a record whose payload stays with it: changed only if it looks like a marked one.
[[nodiscard]] std::string mark_plain(std::string_view header);

struct Unmarked {
  std::string header;
  std::optional<Reference> reference{};
};
[[nodiscard]] Unmarked unmark(std::string_view header);

/// A tag that core::refuse_sealed() refuses, and back again.
[[nodiscard]] Tag turned(Tag tag) noexcept;

}  // namespace resumable::s3
