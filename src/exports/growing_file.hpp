/// @file
/// A file that only grows at its end, below a run's folder.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

#include "exports/folder.hpp"
#include "resumable/digest.hpp"
#include "sys/file_system.hpp"

namespace resumable::exports {

/// Knows the length and the digest of the file. One thread at a time.
class GrowingFile {
 public:
  /// What is at the path now.
  struct Look {
    std::error_code error;  ///< ENOENT: nothing; if it is not a file: as Folder::look()
    std::uint64_t size = 0;
    Digest digest;  ///< of its first `length` bytes, when it has so many
  };
  [[nodiscard]] static Look look(const Folder& folder, std::string_view path, std::uint64_t length);

  GrowingFile(Folder& folder, std::string path) : folder_(folder), path_(std::move(path)) {}

  /// Opens the file, which must exist, with `length` bytes that are certain; accept() or cut_tail()
  /// decides about the bytes after them.
  std::error_code open(std::uint64_t length);
  /// Makes the file; EEXIST when anything is there.
  std::error_code create();

  /// `accepted`: whether the next bytes are `text`. They are written again, because the sync of a
  /// previous process may have failed: then they are in memory and count as written, but are not on
  /// the disk.
  std::error_code accept(std::string_view text, bool& accepted);
  /// Cuts off what follows the certain bytes, after copying it to .resumable/removed/ unless it is
  /// the beginning of `expected`. `copied` says whether a copy was made.
  std::error_code cut_tail(std::string_view expected, bool& copied);
  /// EEXIST if the file's length was changed meanwhile, or another file put in its place.
  std::error_code append(std::string_view text);
  /// Durable on return: the file and its name. After an error the file is closed: it is unknown
  /// what is on the disk, and a second sync would not show it.
  std::error_code sync();

  [[nodiscard]] std::uint64_t length() const noexcept { return length_; }
  /// Of the sure bytes.
  [[nodiscard]] Digest digest() const { return digester_.finish(); }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  std::error_code open_in_place(sys::Open how, bool make_folders);

  Folder& folder_;
  std::string path_;
  Folder::Place place_;
  sys::File file_;
  sys::Stat opened_;
  std::uint64_t length_ = 0;
  Digester digester_;
};

}  // namespace resumable::exports
