/// @file
/// A file of ours that does not yet have its name.
#pragma once

#include <string>

#include "store/backend.hpp"

namespace resumable::inline v0::store {

/// A new file in `tmp/`, 0600, with a name that nobody can guess. It is removed unless it was
/// renamed; what a kill leaves behind the next lease removes.
/// All errors are Error{Errc::store_failed}.
class TemporaryFile {
 public:
  TemporaryFile(const Backend& backend, const RunSite& site, const sys::File& folder);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  [[nodiscard]] const sys::File& file() const noexcept { return file_; }
  /// Throws when `error` is one.
  void must(const char* operation, std::error_code error) const;

  void sync() { must("fsync", backend_.files().sync(file_)); }
  void close() { must("close", file_.close()); }
  /// EEXIST when something has this name.
  std::error_code rename_to_free(const sys::File& folder, const std::string& name);
  std::error_code replace(const sys::File& folder, const std::string& name);

 private:
  const Backend& backend_;
  const RunSite& site_;
  const sys::File& folder_;
  std::string name_;
  sys::File file_;
  bool present_ = false;
};

}  // namespace resumable::inline v0::store
