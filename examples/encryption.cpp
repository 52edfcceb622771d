// One idea: checkpoints are compressed and encrypted. docs/encryption.md says what that protects.
// The key is in the file `key`, which is created if it does not exist.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include <resumable/encryption.hpp>
#include <resumable/resumable.hpp>
#include <resumable/zstd.hpp>

namespace fs = std::filesystem;
namespace rs = resumable;

std::string read(const fs::path& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

// A program with several users would ask its vault here.
rs::EncryptionKey key_from_file(const fs::path& path) {
  if (!fs::exists(path)) {
    std::ofstream file{path, std::ios::binary};
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
    file << rs::EncryptionKey::random().bytes();
  }
  return rs::EncryptionKey{read(path)};
}

bool is_on_disk(const fs::path& folder, std::string_view words) {
  for (const auto& entry : fs::recursive_directory_iterator{folder}) {
    if (entry.path().string().find(words) != std::string::npos) return true;
    if (entry.is_regular_file() && read(entry.path()).find(words) != std::string::npos) return true;
  }
  return false;
}

int main() {
  rs::Pipeline pipeline{"ward"};
  const auto names = pipeline.input("names", std::vector<std::string>{"Ann Fernstone", "Bo Gray"});
  const auto notes = pipeline.stage("notes", inputs(each(names)), [](const std::string& name) {
    std::string text;
    for (int day = 1; day <= 200; ++day) text += name + " slept well.\n";
    return text;
  });
  const auto total = pipeline.stage(
      "total", inputs(notes),
      [](const std::vector<std::string>& all) { return all.at(0).size() + all.at(1).size(); });

  rs::FileStore files{"store"};
  rs::EncryptedStore encrypted{files, {.current = "ward-1", .find = [](std::string_view id) {
                                         return id == "ward-1" ? std::optional{key_from_file("key")}
                                                               : std::nullopt;
                                       }}};
  rs::CompressedStore store{encrypted};  // encrypted data does not compress, so this comes first
  if (!rs::resume(pipeline, store, {.run = "r"})) return 1;
  const rs::Report report = rs::resume(pipeline, store, {.run = "r"});
  if (!report) return report.exit_code();

  const bool seen = is_on_disk("store", "Fernstone") || is_on_disk("store", "notes");
  std::cout << report[total] << " characters of notes, " << report.stages_skipped()
            << " stages kept; the disk shows " << (seen ? "some" : "none") << " of it\n";
  return !seen && report.stages_skipped() == 2 ? 0 : 1;
}
