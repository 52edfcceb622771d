/// @file
/// Reads input folders: which files there are, and the digests of their content.
#pragma once

#include <string>
#include <vector>

#include "resumable/source_file.hpp"
#include "sys/file_system.hpp"

namespace resumable::record {

/// The files below `path` (or the one file), by name; hidden ones left out, links not followed.
/// @throws Error{Errc::source_failed}  it cannot be read, or holds no file
[[nodiscard]] std::vector<SourceFile> read_sources(sys::FileSystem& system,
                                                   const std::string& input,
                                                   const std::string& path);

/// The identity of files: their names and contents.
[[nodiscard]] Digest identity_of(const std::vector<SourceFile>& files);

}  // namespace resumable::record
