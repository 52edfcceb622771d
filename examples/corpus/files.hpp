/// @file
/// Small files of the corpus's own, beside those that the library exports.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace corpus {

/// All bytes of a file.
/// @throws std::system_error
[[nodiscard]] std::string read_whole(const std::filesystem::path& file);

/// Replaces a file by a rename, so that a reader sees the old bytes or the new ones. Its folder is
/// made if it is missing. Not synced: for what can be made again.
/// @throws std::system_error
void replace_whole(const std::filesystem::path& file, std::string_view bytes);

}  // namespace corpus
