/// @file
/// The first line of a stored record, readable with `less` and `grep`: what it is, its sizes, and
/// the tag.
///
///     resumable-1 draft/team 2 1/1 fence 3 at 0000000000000271 header 310 payload 4096 tag … …
///
/// A file begins with a frame for each of its records (`1/1`: the first of one), then come the
/// bodies: header, line feed, payload. `at` is where in the file the body begins, in a fixed width,
/// so that it does not change its own value. The tag has 128 hexadecimal digits. The last field has
/// 16: the first half of the digest of the line before it. That and the word before the first space
/// are frozen for all layouts, so that every program can distinguish a newer layout from damage.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "resumable/store.hpp"

namespace resumable::store {

struct Frame {
  std::string path;
  std::uint64_t generation = 0;
  std::uint64_t number = 1;  ///< of this record in its file, from 1
  std::uint64_t count = 1;   ///< of records in the file
  std::uint64_t fence = 0;
  std::uint64_t at = 0;
  std::uint64_t header_bytes = 0;
  std::uint64_t payload_bytes = 0;
  Tag tag;

  /// Header, line feed, payload. No overflow: both are less than 2^62, see decode_frame().
  [[nodiscard]] std::uint64_t body_bytes() const noexcept {
    return header_bytes + 1 + payload_bytes;
  }
  [[nodiscard]] std::uint64_t end() const noexcept { return at + body_bytes(); }
};

/// No frame line is longer, line feed included.
inline constexpr std::size_t max_frame_bytes = 1280;
/// No frame line is shorter: this limits the number of frames that a file can have.
inline constexpr std::size_t min_frame_bytes = 200;

/// The check that ends a line of ours, of what stands before it: the first half of its digest.
[[nodiscard]] std::string check_of(std::string_view text);
inline constexpr std::size_t check_digits = 16;

/// With its line feed.
[[nodiscard]] std::string encode_frame(const Frame& frame);

struct FrameReading {
  Damage damage = Damage::none;  ///< none, torn or newer
  Frame frame;
};
/// `line` without its line feed.
[[nodiscard]] FrameReading decode_frame(std::string_view line);

}  // namespace resumable::store
