/// @file
/// Files that a value leaves in place (InPlaceFile): found where it is encoded, and checked later.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "resumable/file.hpp"

namespace resumable::value {

/// Whether this thread has encoded an InPlaceFile since this was made, wherever it was in a value.
class LeftFiles {
 public:
  LeftFiles() : before_(detail::encoded_in_place()) {}
  [[nodiscard]] bool any() const { return detail::encoded_in_place() != before_; }

 private:
  std::uint64_t before_;
};

/// What has happened to the first file in place of this JSON that is not as it was left, such as
/// "'/data/a.bin' has 10 bytes, and had 20"; "" if there is none. Costs a stat of each, or with
/// `content` a read.
/// @throws Error{Errc::unreadable}  a file is there and cannot be read: it may be as it was left
[[nodiscard]] std::string changed_file(std::string_view json, bool content);

}  // namespace resumable::value
