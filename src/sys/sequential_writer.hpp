/// @file
/// Writes a file from its beginning to its end, and lets the disk begin early.
#pragma once

#include <cstdint>
#include <string_view>
#include <system_error>

#include "sys/file_system.hpp"

namespace resumable::sys {

/// The disk writes the first megabytes of a large file while the next ones are read and digested,
/// so that the sync at its end finds less to do. For one thread.
class SequentialWriter {
 public:
  /// Both must outlive the writer; the file is empty.
  SequentialWriter(FileSystem& files, const File& file) : files_(files), file_(file) {}

  std::error_code write(std::string_view bytes) {
    const auto error = write_fully(files_, file_, at_, bytes);
    at_ += bytes.size();
    if (!error && at_ - begun_ >= begin_bytes) {
      files_.begin_sync(file_, begun_, at_ - begun_);
      begun_ = at_;
    }
    return error;
  }

  /// How many bytes were written.
  [[nodiscard]] std::uint64_t size() const noexcept { return at_; }

 private:
  static constexpr std::uint64_t begin_bytes = std::uint64_t{8} << 20U;

  FileSystem& files_;
  const File& file_;
  std::uint64_t at_ = 0;
  std::uint64_t begun_ = 0;  ///< up to where the disk was told to begin
};

}  // namespace resumable::sys
