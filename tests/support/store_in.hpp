/// @file
/// A store of each kind that one machine has, for tests that break it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "resumable/file_store.hpp"
#include "resumable/journal_store.hpp"
#include "resumable/sqlite_store.hpp"
#include "sys/file_system.hpp"

namespace resumable::test {

enum class In : std::uint8_t { files, journal, sqlite };

/// The store in this folder; SQLite makes its own system calls. A journal's segments are full after
/// a few records.
[[nodiscard]] inline std::unique_ptr<CheckpointStore> open_store(In in, const std::string& folder,
                                                                 sys::FileSystem* files = nullptr) {
  constexpr std::uint64_t tiny = 2048;
  if (in == In::sqlite) return std::make_unique<SqliteStore>(folder + "/s.db");
  const FileStoreOptions options{.files = files};
  if (in == In::files) return std::make_unique<FileStore>(folder, options);
  return std::make_unique<JournalStore>(
      folder,
      JournalStoreOptions{.folder = options, .segment_bytes = tiny, .index_after_bytes = tiny});
}

}  // namespace resumable::test
