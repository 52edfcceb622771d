#include "corpus/files.hpp"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

namespace corpus {
namespace {

struct Closer {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Closer>;

[[noreturn]] void fail(const std::filesystem::path& file) {
  throw std::system_error(errno, std::generic_category(), file.string());
}

}  // namespace

std::string read_whole(const std::filesystem::path& file) {
  const File open{std::fopen(file.c_str(), "rbe")};
  if (!open) fail(file);
  std::string bytes;
  char piece[16 * 1024];
  while (const std::size_t got = std::fread(piece, 1, sizeof piece, open.get())) {
    bytes.append(piece, got);
  }
  if (std::ferror(open.get()) != 0) fail(file);
  return bytes;
}

void replace_whole(const std::filesystem::path& file, std::string_view bytes) {
  std::filesystem::create_directories(file.parent_path());
  const std::filesystem::path aside = file.string() + ".tmp";
  File open{std::fopen(aside.c_str(), "wbe")};
  if (!open) fail(aside);
  if (std::fwrite(bytes.data(), 1, bytes.size(), open.get()) != bytes.size()) fail(aside);
  if (std::fclose(open.release()) != 0) fail(aside);
  std::filesystem::rename(aside, file);
}

}  // namespace corpus
