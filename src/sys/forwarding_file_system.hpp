/// @file
/// A file system that passes everything on: a variation derives from it and overrides one method.
#pragma once

#include "sys/file_system.hpp"

namespace resumable::sys {

/// Files that are opened through it are closed through it.
class ForwardingFileSystem : public FileSystem {
 public:
  explicit ForwardingFileSystem(FileSystem& next) noexcept : next_(next) {}

  std::error_code open_root(const std::string& path, File& out) override {
    return own(next_.open_root(path, out), out);
  }
  std::error_code open(const File& folder, const std::string& name, Open how, File& out) override {
    return own(next_.open(folder, name, how, out), out);
  }
  std::error_code close(int descriptor) noexcept override { return next_.close(descriptor); }
  std::error_code make_folder(const File& parent, const std::string& name, Access access) override {
    return next_.make_folder(parent, name, access);
  }
  std::error_code stat(const File& folder, const std::string& name, Stat& out) override {
    return next_.stat(folder, name, out);
  }
  std::error_code stat(const File& file, Stat& out) override { return next_.stat(file, out); }
  std::error_code list(const File& folder, std::vector<Entry>& out) override {
    return next_.list(folder, out);
  }
  std::error_code volume(const File& folder, Volume& out) override {
    return next_.volume(folder, out);
  }
  std::error_code may_write(const File& folder) override { return next_.may_write(folder); }
  std::error_code read(const File& file, std::uint64_t at, std::span<char> to,
                       std::size_t& count) override {
    return next_.read(file, at, to, count);
  }
  std::error_code write(const File& file, std::uint64_t at, std::string_view bytes,
                        std::size_t& count) override {
    return next_.write(file, at, bytes, count);
  }
  std::error_code truncate(const File& file, std::uint64_t size) override {
    return next_.truncate(file, size);
  }
  std::error_code reserve(const File& file, std::uint64_t size) override {
    return next_.reserve(file, size);
  }
  std::error_code sync(const File& file) override { return next_.sync(file); }
  std::error_code sync_data(const File& file) override { return next_.sync_data(file); }
  void begin_sync(const File& file, std::uint64_t at, std::uint64_t size) noexcept override {
    next_.begin_sync(file, at, size);
  }
  std::error_code sync_folder(const File& folder) override { return next_.sync_folder(folder); }
  std::error_code rename(const File& from_folder, const std::string& from, const File& to_folder,
                         const std::string& to, Rename how) override {
    return next_.rename(from_folder, from, to_folder, to, how);
  }
  std::error_code link(const File& from_folder, const std::string& from, const File& to_folder,
                       const std::string& to) override {
    return next_.link(from_folder, from, to_folder, to);
  }
  std::error_code unlink(const File& folder, const std::string& name) override {
    return next_.unlink(folder, name);
  }
  std::error_code remove_folder(const File& parent, const std::string& name) override {
    return next_.remove_folder(parent, name);
  }
  std::error_code lock(const File& file) override { return next_.lock(file); }
  std::error_code unlock(const File& file) override { return next_.unlock(file); }
  std::error_code is_locked(const File& file, bool& out) override {
    return next_.is_locked(file, out);
  }

 protected:
  [[nodiscard]] FileSystem& next() const noexcept { return next_; }

 private:
  std::error_code own(std::error_code error, File& file) noexcept {
    if (!error) file = File(*this, file.release());
    return error;
  }

  FileSystem& next_;
};

}  // namespace resumable::sys
