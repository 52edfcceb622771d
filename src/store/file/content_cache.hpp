/// @file
/// The entries of a file store's cache: files of one record each in the run `@cache`.
///
/// No process owns that run. An entry gets its name by a rename within its folder, to a free name
/// or over the previous entry, so that readers see one of them, whole. All entries have
/// generation 1.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "store/file/backend.hpp"

namespace resumable::store {

/// Safe to use from several threads.
class FileContentCache {
 public:
  explicit FileContentCache(std::shared_ptr<Backend> backend);

  [[nodiscard]] std::optional<StoredRecord> find(std::string_view path);
  /// False when there is an entry and `over` is false.
  bool put(const Put& put, bool over);

 private:
  std::error_code make(const sys::File& parent, const std::string& name, sys::Access access,
                       sys::File& out) const;
  sys::File prepare(const std::string& folder);
  void remove_leftovers(const sys::File& folder) const;
  void must(const char* operation, const std::string& where, std::error_code error) const;

  std::shared_ptr<Backend> backend_;
  RunSite site_;
  std::mutex guard_;
  std::set<std::string> prepared_;  ///< folders that this process has made or found, and synced
};

}  // namespace resumable::store
