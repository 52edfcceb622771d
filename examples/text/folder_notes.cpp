#include "text/folder_notes.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

namespace text {

bool is_folder_note(const std::filesystem::path& path) {
  static constexpr std::array<std::string_view, 5> names{"README", "PROVENANCE", "LICENSE",
                                                         "LICENCE", "COPYING"};
  std::string stem = path.stem().string();
  std::ranges::transform(stem, stem.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return std::ranges::find(names, stem) != names.end();
}

}  // namespace text
