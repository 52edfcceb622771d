/// @file
/// Compressed stores on top of each other store.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "resumable/encryption.hpp"
#include "resumable/memory_store.hpp"
#include "resumable/open_store.hpp"
#include "resumable/zstd.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {

/// The schemes of stores on disk, and `memory`.
inline std::vector<std::string> stores_below() {
  return {"memory", "file", "journal", "encrypted+file", "encrypted+journal"};
}

inline StoreFactories factories(CompressedStoreOptions options = {}) {
  const EncryptionKeys keys{.current = "k", .find = [](std::string_view) {
                              return EncryptionKey{std::string(EncryptionKey::size, 'k')};
                            }};
  return with_compression(with_encryption(keys), options);
}

inline std::unique_ptr<CheckpointStore> compressed(const std::string& below,
                                                   const std::filesystem::path& folder,
                                                   CompressedStoreOptions options = {}) {
  if (below == "memory") {
    return std::make_unique<CompressedStore>(std::make_unique<MemoryStore>(), options);
  }
  return open_store("zstd+" + below + ":" + folder.string(), factories(options),
                    CreateStore::if_absent);
}

}  // namespace resumable::test
