/// @file
/// The open folder of records that are visited one after the other.
#pragma once

#include <string>

#include "store/file/backend.hpp"

namespace resumable::store {

/// Records of one folder usually follow each other: it stays open until another one is needed.
class FolderCursor {
 public:
  FolderCursor(const Backend& backend, const sys::File& own) : backend_(backend), own_(own) {}

  /// Opens `<own>/<base>/<path>`; then folder() is it.
  std::error_code enter(const std::string& base, const std::string& path) {
    std::string full = path.empty() ? base : base + '/' + path;
    if (folder_ && full == entered_) return {};
    folder_ = {};
    entered_ = std::move(full);
    return backend_.open_folders(own_, entered_, folder_);
  }
  [[nodiscard]] const sys::File& folder() const noexcept { return folder_; }

 private:
  const Backend& backend_;
  const sys::File& own_;
  sys::File folder_;
  std::string entered_;
};

}  // namespace resumable::store
