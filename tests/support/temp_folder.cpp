#include "support/temp_folder.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

#include <stdlib.h>
#include <unistd.h>

namespace resumable::test {

namespace fs = std::filesystem;

namespace {

/// In memory where there is such a place: thousands of crashes each sync many times.
fs::path place() {
  if (const char* chosen = std::getenv("RESUMABLE_TEST_FOLDER")) return chosen;
  return ::access("/dev/shm", W_OK) == 0 ? fs::path("/dev/shm") : fs::temp_directory_path();
}

}  // namespace

TempFolder::TempFolder() {
  std::string name = (place() / "resumable-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp: " + name);
  path_ = name;
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const fs::path& path, std::string_view content) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

std::map<std::string, std::string> snapshot(const fs::path& folder) {
  std::map<std::string, std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = fs::relative(entry.path(), folder).string();
    if (entry.is_symlink()) {
      found[name] = "-> " + fs::read_symlink(entry.path()).string();
    } else if (entry.is_regular_file()) {
      found[name] = read_file(entry.path());
    } else {
      found[name + "/"] = "";
    }
  }
  return found;
}

std::map<std::string, std::string> artifacts(const fs::path& folder) {
  auto files = snapshot(folder);
  std::erase_if(files, [](const auto& one) {
    return ("/" + one.first).find("/.resumable/") != std::string::npos;
  });
  return files;
}

std::size_t open_descriptors() {
  const fs::directory_iterator entries("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(entries), end(entries))) - 1;
}

unsigned mode_of(const fs::path& path) {
  return static_cast<unsigned>(fs::symlink_status(path).permissions()) & 07777U;
}

}  // namespace resumable::test
