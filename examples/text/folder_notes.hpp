/// @file
/// Files that tell about their folder, and nothing about what the other files are about.
#pragma once

#include <filesystem>

namespace text {

/// Whether a file is called `README`, `PROVENANCE`, `LICENSE`, `LICENCE` or `COPYING`, in any case
/// and with any extension.
bool is_folder_note(const std::filesystem::path& path);

}  // namespace text
