#include "memo/pdf.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <stdexcept>

#include <sys/wait.h>
#include <unistd.h>

namespace memo {
namespace {

/// A file that holds `content` as long as this lives: pdftotext seeks, so a pipe will not do.
class TempFile {
 public:
  explicit TempFile(std::string_view content)
      : path_{(std::filesystem::temp_directory_path() / "memo-XXXXXX").string()} {
    const int file = ::mkstemp(path_.data());
    if (file < 0) throw std::runtime_error{"no temporary file can be written"};
    const bool whole =
        ::write(file, content.data(), content.size()) == static_cast<ssize_t>(content.size());
    ::close(file);
    if (whole) return;
    ::unlink(path_.c_str());
    throw std::runtime_error{"no temporary file can be written"};
  }
  ~TempFile() { ::unlink(path_.c_str()); }
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;

  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

std::string converted(std::string_view content) {
  const TempFile file{content};
  const std::string command =
      "pdftotext -enc UTF-8 -layout '" + file.path() + "' - 2>/dev/null </dev/null";
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

}  // namespace

std::string text_of_pdf(std::string_view content) {
  static std::mutex mutex;
  static std::map<std::string, std::string, std::less<>> known;
  const std::scoped_lock lock{mutex};
  auto found = known.find(content);
  if (found == known.end()) found = known.emplace(content, converted(content)).first;
  return found->second;
}

}  // namespace memo
