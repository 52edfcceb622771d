/// @file
/// Reads input folders: which files there are, and the digests of their content.
#pragma once

#include <string>
#include <vector>

#include "resumable/source_file.hpp"
#include "sys/file_system.hpp"

namespace resumable::record {

struct Sources {
  std::vector<SourceFile> files;      ///< by name
  std::vector<std::string> left_out;  ///< `'run/agent' is a socket, a pipe or a device`
};

/// The files below `path` (or the one file); hidden ones left out, links followed.
/// @throws Error{Errc::source_failed}  it cannot be read, or holds no file; a link leads nowhere; a
///         name is not UTF-8; a file changed meanwhile
[[nodiscard]] Sources read_sources(sys::FileSystem& system, const std::string& input,
                                   const std::string& path);

/// The identity of files: their names and contents.
[[nodiscard]] Digest identity_of(const std::vector<SourceFile>& files);

}  // namespace resumable::record
