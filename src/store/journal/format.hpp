/// @file
/// The bytes of a journal: segments of groups of entries. docs/format.md specifies them.
///
/// A segment is a file of a fixed size: a header, then groups, then zeros or the remains of an
/// earlier use of the file. A group is what was made durable together: it counts as a whole or not
/// at all. Every check covers the segment's epoch, a random number, so bytes of an earlier use
/// never count.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "resumable/store.hpp"

namespace resumable::store::journal {

inline constexpr std::size_t segment_header_bytes = 64;
inline constexpr std::size_t group_header_bytes = 40;
inline constexpr std::size_t entry_head_bytes = 104;
inline constexpr std::size_t value_place_bytes = 24;
/// The limit for bodies, headers and payloads, so that sums of them do not overflow.
inline constexpr std::uint64_t max_bytes = std::uint64_t{1} << 62U;

/// The beginning of a segment.
struct SegmentHeader {
  std::uint64_t number = 0;  ///< rises over the run's life, from 1
  std::uint64_t epoch = 0;
  std::uint64_t fence = 0;         ///< of the lease that wrote the segment
  std::uint64_t previous = 0;      ///< the segment before it; 0: none
  std::uint64_t previous_end = 0;  ///< where the groups of that one end
  std::uint64_t first = 0;         ///< segments before this one are not needed any more
};

struct HeaderReading {
  Damage damage = Damage::none;  ///< none, torn or newer
  SegmentHeader header;
};

[[nodiscard]] std::string encode_segment_header(const SegmentHeader& header);
[[nodiscard]] HeaderReading decode_segment_header(std::string_view bytes);

/// Where the log of a lease ended that ended well: a shorter one has been damaged.
struct LogEnd {
  std::uint64_t number = 0;  ///< of the last segment
  std::uint64_t epoch = 0;   ///< of that one
  std::uint64_t at = 0;      ///< where its groups end

  friend bool operator==(const LogEnd&, const LogEnd&) = default;
};

inline constexpr std::size_t log_end_bytes = 40;
[[nodiscard]] std::string encode_log_end(const LogEnd& end);
/// nullopt where it is not as it was written.
[[nodiscard]] std::optional<LogEnd> decode_log_end(std::string_view bytes);

/// The beginning of a group.
struct GroupHeader {
  std::uint32_t entries = 0;  ///< none: the segment was closed here
  std::uint64_t epoch = 0;
  std::uint64_t sequence = 0;  ///< of the group in its segment, from 1
  std::uint64_t body_bytes = 0;

  [[nodiscard]] std::uint64_t bytes() const noexcept { return group_header_bytes + body_bytes; }
};

/// Writes the header to the first bytes of a group, all but its check.
void set_group_header(char* group, const GroupHeader& header);
/// Writes the header into the first bytes of `group`, whose body is complete.
void seal_group(std::string& group, const GroupHeader& header);
/// What the first bytes say; nullopt if no group begins there. The check is not compared.
[[nodiscard]] std::optional<GroupHeader> decode_group_header(std::string_view bytes);
/// Whether the check of a whole group is right.
[[nodiscard]] bool is_whole(std::string_view group);

enum class EntryKind : std::uint8_t {
  put = 1,        ///< header and payload follow
  put_apart = 2,  ///< the payload is in a value file; its place follows the header
  erase = 3,
};

/// The value file of a payload, and its offset there. No two leases have the same fence.
struct ValuePlace {
  std::uint64_t fence = 0;
  std::uint64_t number = 0;
  std::uint64_t at = 0;
};

struct Entry {
  EntryKind kind = EntryKind::put;
  std::string_view path;
  std::uint64_t generation = 0;
  std::uint64_t header_bytes = 0;
  std::uint64_t payload_bytes = 0;
  Tag tag{};
  ValuePlace value{};  ///< of put_apart

  /// From the entry's beginning to the header, and to the payload or its place.
  [[nodiscard]] std::uint64_t header_at() const noexcept { return entry_head_bytes + path.size(); }
  [[nodiscard]] std::uint64_t payload_at() const noexcept { return header_at() + header_bytes; }
  [[nodiscard]] std::uint64_t bytes() const noexcept;
};

/// Appends the head and the path. Its epoch and check follow by seal_entry().
void append_entry(std::string& out, const Entry& entry);
void append_value_place(std::string& out, const ValuePlace& place);
/// `entry` begins with a head and a path.
void seal_entry(char* entry, std::uint64_t epoch);
/// nullopt when `bytes` do not begin with the head of an entry of this epoch, or are shorter than
/// its head, path and, of put_apart, header and place.
[[nodiscard]] std::optional<Entry> decode_entry(std::string_view bytes, std::uint64_t epoch);

/// A record as its entry says.
struct Known {
  Tag tag{};
  std::uint64_t header_bytes = 0;
  std::uint64_t payload_bytes = 0;
  std::uint64_t segment = 0;
  std::uint64_t at = 0;  ///< of the entry in its segment
  ValuePlace value{};    ///< where `apart`
  bool apart = false;
  Damage damage = Damage::none;

  /// In its segment, of a path with so many bytes.
  [[nodiscard]] std::uint64_t bytes(std::size_t path_bytes) const noexcept {
    return entry_head_bytes + path_bytes + header_bytes +
           (apart ? value_place_bytes : payload_bytes);
  }
};

inline const std::string index_name = "index";
inline const std::string end_name = "end";
/// A segment that waits to be used again.
inline const std::string spare_name = "spare";
[[nodiscard]] std::string segment_name(std::uint64_t number);
[[nodiscard]] std::optional<std::uint64_t> segment_of(std::string_view name);
[[nodiscard]] std::string value_name(const ValuePlace& place);
/// The value file of this name; nullopt where it is none.
[[nodiscard]] std::optional<ValuePlace> value_of(std::string_view name);

}  // namespace resumable::store::journal
