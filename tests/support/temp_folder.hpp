/// @file
/// A folder that a test has for itself, and small things to do with files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace resumable::test {

/// Made below RESUMABLE_TEST_FOLDER if that is set, else in memory (/dev/shm), else below the
/// system's folder for temporary files. Removed with all that is in it.
class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] std::filesystem::path operator/(std::string_view below) const {
    return path_ / below;
  }

 private:
  std::filesystem::path path_;
};

[[nodiscard]] std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, std::string_view content);
/// Every file below `folder` with its content; folders and links as such.
[[nodiscard]] std::map<std::string, std::string> snapshot(const std::filesystem::path& folder);
/// The same without what the library keeps for itself: what a person sees.
[[nodiscard]] std::map<std::string, std::string> artifacts(const std::filesystem::path& folder);
/// How many descriptors this process has open.
[[nodiscard]] std::size_t open_descriptors();
/// Permission bits.
[[nodiscard]] unsigned mode_of(const std::filesystem::path& path);

}  // namespace resumable::test
