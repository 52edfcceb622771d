/// @file
/// Encrypted stores on top of each other store, and keys for them.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "resumable/encryption.hpp"
#include "resumable/journal_store.hpp"
#include "resumable/memory_store.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {

enum class Below { memory, files, journal };

inline std::string_view name_of(Below below) {
  return below == Below::memory ? "Memory" : below == Below::files ? "Files" : "Journal";
}

inline std::unique_ptr<CheckpointStore> next_store(Below below,
                                                   const std::filesystem::path& folder) {
  if (below == Below::memory) return std::make_unique<MemoryStore>();
  if (below == Below::files) return std::make_unique<FileStore>(folder);
  return std::make_unique<JournalStore>(folder);
}

/// A key for tests alone: its bytes are all `byte`.
inline EncryptionKey key_of(char byte) {
  return EncryptionKey{std::string(EncryptionKey::size, byte)};
}

/// A program's keys: `a` is called `key-a`, and so on.
inline EncryptionKeys keys(std::string_view known = "a", char current = 'a') {
  return {.current = std::string{"key-"} + current,
          .find = [known = std::string{known}](std::string_view id) {
            const bool has = id.starts_with("key-") && known.find(id.back()) != known.npos;
            return has ? std::optional{key_of(id.back())} : std::nullopt;
          }};
}

inline std::unique_ptr<EncryptedStore> encrypted(Below below, const std::filesystem::path& folder,
                                                 std::optional<EncryptionKeys> with = {},
                                                 EncryptedStoreOptions options = {}) {
  return std::make_unique<EncryptedStore>(next_store(below, folder),
                                          with ? *std::move(with) : keys(), options);
}

}  // namespace resumable::test
