/// @file
/// Encoding the puts of a commit, the large payloads of which go to a file of their own.
///
/// A value file has nothing but payloads. It is durable, with its name, before the group that
/// refers to it is written; one that nothing refers to was left by a kill and is removed.
#pragma once

#include <algorithm>
#include <cstdint>

#include "store/file/run_folder.hpp"
#include "store/journal/log_writer.hpp"

namespace resumable::store::journal {

/// Payloads of at least this size do not go into a log with segments of so many bytes. What is in
/// the log is copied once or more when the log is cleaned, so a segment has several values.
[[nodiscard]] constexpr std::uint64_t apart_bytes(std::uint64_t segment_bytes) noexcept {
  return std::clamp(segment_bytes / 8, std::uint64_t{256} << 10U, std::uint64_t{2} << 20U);
}
/// The same for a batch that has this much in the log already, unless the payloads are small.
inline constexpr std::uint64_t most_inline_bytes = std::uint64_t{4} << 20U;
inline constexpr std::uint64_t small_bytes = 512;

/// Receives the payloads of a commit that do not go into the log.
struct ValueTarget {
  ValuePlace file;          ///< its name, should one be needed
  std::uint64_t from_size;  ///< payloads of at least this size: apart_bytes()
};

/// Adds the puts and erases to `pending`, which refers to payloads of `batch`. Returns whether a
/// value file was written.
/// @throws Error{Errc::store_failed}, what a payload or a seal throws
bool encode(const Backend& backend, const RunSite& site, const RunFolders& folders,
            const Batch& batch, const ValueTarget& target, Pending& pending);

}  // namespace resumable::store::journal
