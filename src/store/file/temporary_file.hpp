/// @file
/// A file of the library that does not yet have its final name.
#pragma once

#include <string>

#include "store/file/backend.hpp"
#include "sys/unnamed_file.hpp"

namespace resumable::store {

/// A new file in `tmp/`, 0600, with an unguessable name. It is removed unless it got its final
/// name; the next lease removes what a kill leaves behind. All errors are
/// Error{Errc::store_failed}.
class TemporaryFile {
 public:
  TemporaryFile(const Backend& backend, const RunSite& site, const sys::File& folder);

  [[nodiscard]] const sys::File& file() const noexcept { return file_.file(); }
  /// Throws when `error` is one.
  void must(const char* operation, std::error_code error) const;

  void sync() { must("fsync", file_.sync()); }
  void close() { must("close", file_.close()); }
  /// EEXIST when something has this name. Durable once `folder` is synced.
  std::error_code take_free_name(const sys::File& folder, const std::string& name) {
    return file_.take_free_name(folder, name);
  }
  std::error_code replace(const sys::File& folder, const std::string& name) {
    return file_.replace(folder, name);
  }

 private:
  const RunSite& site_;
  sys::UnnamedFile file_;
};

}  // namespace resumable::store
