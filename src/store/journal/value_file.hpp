/// @file
/// Encoding the puts of a commit, the large payloads of which go to a file of their own.
///
/// A value file has nothing but payloads. It is durable, with its name, before the group that
/// refers to it is written; one that nothing refers to was left by a kill and is removed.
#pragma once

#include <span>

#include "store/file/run_folder.hpp"
#include "store/journal/log_writer.hpp"

namespace resumable::store::journal {

/// Payloads of at least this size do not go into the log.
inline constexpr std::uint64_t apart_bytes = std::uint64_t{256} << 10U;
/// Nor do those of a batch of which so much is in the log already, unless they are small.
inline constexpr std::uint64_t most_inline_bytes = std::uint64_t{4} << 20U;
inline constexpr std::uint64_t small_bytes = 512;

/// Adds the puts and erases to `pending`. `file` is the name of a value file, should one be needed.
/// Returns whether it was written.
/// @throws Error{Errc::store_failed}, what a payload or a seal throws
bool encode(const Backend& backend, const RunSite& site, const RunFolders& folders,
            const Batch& batch, const ValuePlace& file, Pending& pending);

}  // namespace resumable::store::journal
