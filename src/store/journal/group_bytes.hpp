/// @file
/// The bytes of a group before they are written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "store/journal/format.hpp"
#include "sys/file_system.hpp"

namespace resumable::store::journal {

/// Heads, headers and small payloads are copied into it; large payloads are written from where they
/// are. Places in the group count both.
class GroupBytes {
 public:
  [[nodiscard]] std::uint64_t size() const noexcept { return copied_.size() + referred_bytes_; }
  /// What is copied: append to it.
  [[nodiscard]] std::string& copied() noexcept { return copied_; }
  /// Appends bytes that stay where they are, unchanged, until the group is written.
  void refer_to(std::string_view payload);
  /// The head of the entry at this place.
  [[nodiscard]] char* entry(std::uint64_t at);
  /// Appends the entries of another group; returns by how much their places move.
  std::uint64_t join(const GroupBytes& other);
  /// Fills in the header, but for `body_bytes`.
  void seal(GroupHeader header);
  /// Large payloads first, so that the disk has begun when the rest is there.
  std::error_code write(sys::FileSystem& files, const sys::File& file, std::uint64_t at) const;
  void clear();

 private:
  struct Referred {
    std::size_t before;  ///< where in what is copied the bytes that follow begin
    std::string_view bytes;
  };
  /// Calls visit(bytes, place, is_referred) for each piece, in order.
  template <class Visit>
  void each_piece(const Visit& visit) const;

  std::string copied_ = std::string(group_header_bytes, '\0');
  std::vector<Referred> referred_;
  std::uint64_t referred_bytes_ = 0;
};

}  // namespace resumable::store::journal
