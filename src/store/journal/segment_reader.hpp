/// @file
/// Reading the groups of a segment.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <system_error>

#include "store/journal/format.hpp"
#include "sys/file_system.hpp"

namespace resumable::store::journal {

/// What a reading reports to.
struct LogVisitor {
  /// In order; `at` is where in the segment the entry begins. `entry` is valid during the call.
  std::function<void(const Entry& entry, std::uint64_t at)> entry;
  /// Bytes that were once durable and can no longer be read.
  std::function<void(std::uint64_t at, std::uint64_t end)> damage;
};

/// How far a segment was read.
struct Reading {
  std::uint64_t end = segment_header_bytes;  ///< of the last whole group
  std::uint64_t last = 0;                    ///< where that one begins; 0: there is none
  std::uint64_t sequence = 0;                ///< its number
  bool closed = false;                       ///< by its owner, in order
};

/// Reads on from `reading.end`. `end` is where the groups end, if a later segment says so: what is
/// not whole before it is damage. Otherwise what is not whole counts as damage only if a whole
/// group follows: each is written once the one before is durable. The rest was never acknowledged.
/// If the end is known, large payloads are not read: their digest is compared when they are used.
/// `first`: nothing was read before, so the rest is searched for such groups.
std::error_code read_groups(sys::FileSystem& files, const sys::File& file,
                            const SegmentHeader& header, std::optional<std::uint64_t> end,
                            bool first, Reading& reading, const LogVisitor& visitor);

/// Whether the segment still has this epoch. Its file may have become another segment meanwhile; if
/// this returns true, what was read before belongs to this segment.
std::error_code has_epoch(sys::FileSystem& files, const sys::File& file, std::uint64_t epoch,
                          bool& out);

/// The header of a segment. If it is damaged, its number is `number` and its epoch is that of the
/// first group, if that is whole.
std::error_code read_segment_header(sys::FileSystem& files, const sys::File& file,
                                    std::uint64_t number, HeaderReading& out);

}  // namespace resumable::store::journal
