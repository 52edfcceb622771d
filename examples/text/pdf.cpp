// PDF is too large a format to link a reader for it: poppler's program reads it in a process of its
// own, so that a broken file cannot crash ours.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <sys/wait.h>
#include <unistd.h>

#include "text/passages.hpp"

namespace text {
namespace {

/// A file that holds `bytes` as long as this lives: pdftotext seeks, so a pipe will not do.
class TempFile {
 public:
  explicit TempFile(const std::string& bytes)
      : path_{(std::filesystem::temp_directory_path() / "passages-XXXXXX").string()} {
    const int file = ::mkstemp(path_.data());
    const bool whole = file >= 0 && ::write(file, bytes.data(), bytes.size()) ==
                                        static_cast<ssize_t>(bytes.size());
    if (file >= 0) ::close(file);
    if (whole) return;
    if (file >= 0) ::unlink(path_.c_str());
    throw std::runtime_error{"no temporary file can be written"};
  }
  ~TempFile() { ::unlink(path_.c_str()); }
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;

  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

}  // namespace

std::string text_of_pdf(const std::string& bytes) {
  const TempFile file{bytes};
  const std::string command = "pdftotext -enc UTF-8 '" + file.path() + "' - 2>/dev/null </dev/null";
  std::FILE* pipe = ::popen(command.c_str(), "re");
  if (pipe == nullptr) throw std::runtime_error{"pdftotext cannot be started"};
  std::string text;
  std::array<char, 65536> part{};
  for (std::size_t got = 0; (got = std::fread(part.data(), 1, part.size(), pipe)) > 0;) {
    text.append(part.data(), got);
  }
  const int status = ::pclose(pipe);
  constexpr int not_found = 127;  // the shell's
  if (WIFEXITED(status) && WEXITSTATUS(status) == not_found) {
    throw std::runtime_error{"pdftotext is not installed (package poppler-utils)"};
  }
  if (status != 0) throw std::runtime_error{"pdftotext cannot read it"};
  return text;
}

}  // namespace text
