/// @file
/// What all benchmarks share: a folder for the files of one benchmark, and payloads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <unistd.h>

namespace bench {

/// A folder that is gone afterwards. RESUMABLE_BENCH_DIR chooses the disk; default: the current
/// one.
class Scratch {
 public:
  Scratch() {
    const char* chosen = std::getenv("RESUMABLE_BENCH_DIR");
    std::string pattern = std::string{chosen ? chosen : "."} + "/bench-XXXXXX";
    path_ = mkdtemp(pattern.data());
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

/// Text that does not compress to nothing. It repeats itself after a megabyte.
inline std::string text_of(std::size_t bytes) {
  constexpr std::size_t piece = std::size_t{1} << 20U;
  std::string text;
  text.reserve(bytes);
  for (std::size_t i = 0; text.size() < std::min(bytes, piece); ++i) {
    text += std::to_string(i * 2654435761U) + " ";
  }
  text.resize(std::min(bytes, piece));
  while (text.size() < bytes) text.append(text, 0, std::min(piece, bytes - text.size()));
  return text;
}

}  // namespace bench
