/// @file
/// A file that does not have its name yet: the only way to write a file aside and put it in place.
#pragma once

#include <string>
#include <string_view>
#include <system_error>

#include "resumable/export.hpp"
#include "sys/file_system.hpp"

namespace resumable::sys {

/// A new file under a temporary name; removed unless it got its final one. After a failed sync it
/// can only be destroyed.
class RESUMABLE_EXPORT UnnamedFile {
 public:
  UnnamedFile() = default;
  UnnamedFile(const UnnamedFile&) = delete;
  UnnamedFile& operator=(const UnnamedFile&) = delete;
  ~UnnamedFile();

  /// Makes the file as `name` in `folder`, which outlives this. Called once.
  std::error_code open(FileSystem& files, const File& folder, std::string name, Open how);
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] const File& file() const noexcept { return file_; }

  std::error_code write(std::uint64_t at, std::string_view bytes);
  std::error_code sync();
  std::error_code close() { return file_.close(); }

  /// Takes a name that must be free, EEXIST when it is not. It is durable once `folder` is synced.
  std::error_code take_free_name(const File& folder, const std::string& name);
  /// Takes a name and replaces the file that had it. Durable once `folder` is synced, or both
  /// folders where they differ.
  std::error_code replace(const File& folder, const std::string& name);

 private:
  FileSystem* files_ = nullptr;
  const File* folder_ = nullptr;
  std::string name_;
  File file_;
  bool present_ = false;
};

}  // namespace resumable::sys
