/// @file
/// Stores of which a file is damaged.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "resumable/file_store.hpp"
#include "resumable/journal_store.hpp"
#include "resumable/sqlite_store.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {

struct StoreKind {
  const char* name;
  std::function<std::unique_ptr<CheckpointStore>(const std::filesystem::path&)> open;
  bool has_folder = true;  ///< for artifacts
};

inline void PrintTo(const StoreKind& kind, std::ostream* out) { *out << kind.name; }

/// The three stores of one machine.
inline std::vector<StoreKind> store_kinds(const JournalStoreOptions& journal = {}) {
  namespace fs = std::filesystem;
  return {
      {"file", [](const fs::path& at) { return std::make_unique<FileStore>(at); }},
      {"journal", [=](const fs::path& at) { return std::make_unique<JournalStore>(at, journal); }},
      {"sqlite",
       [](const fs::path& at) {
         fs::create_directories(at);
         return std::make_unique<SqliteStore>(at / "s.db");
       },
       false}};
}

/// What happens to a file.
struct Harm {
  std::string what;
  std::function<void(const std::filesystem::path&)> act;
};

/// The texts of the files in a folder, if there is one.
inline std::vector<std::string> texts_in(const std::filesystem::path& folder) {
  std::vector<std::string> texts;
  if (!std::filesystem::exists(folder)) return texts;
  for (const auto& [_, text] : snapshot(folder)) texts.push_back(text);
  return texts;
}

/// How many places of each file are tried; scripts/soak.sh tries more.
inline int places() {
  const char* wanted = std::getenv("RESUMABLE_TEST_PLACES");
  return wanted != nullptr ? std::atoi(wanted) : 8;
}

}  // namespace resumable::test
