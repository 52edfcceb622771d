/// @file
/// How often the file store tries again before it reports an error.
#pragma once

#include <chrono>
#include <cstddef>

namespace resumable::store::limits {

/// Attempts to read something that other processes change: each failed attempt means that one of
/// them made progress, so even a busy machine needs few.
inline constexpr int looks = 100;

/// How long a lease sleeps between two looks at a lock: doubled from the first to the second.
inline constexpr std::chrono::milliseconds shortest_wait{10};
inline constexpr std::chrono::milliseconds longest_wait{250};

/// How many files of commits with Durability::data may wait for a sync.
inline constexpr std::size_t unsynced_files = 1024;

}  // namespace resumable::store::limits
