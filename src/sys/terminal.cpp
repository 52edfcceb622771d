#include "sys/terminal.hpp"

#include <array>
#include <cstdlib>
#include <string_view>

#include <pwd.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace resumable::sys {

bool is_terminal(Stream stream) noexcept {
  const char* kind = std::getenv("TERM");
  if (kind != nullptr && std::string_view{kind} == "dumb") return false;
  return isatty(static_cast<int>(stream)) == 1;
}

std::size_t columns(Stream stream) noexcept {
  if (const char* said = std::getenv("COLUMNS")) {
    if (const unsigned long number = std::strtoul(said, nullptr, 10); number > 0) return number;
  }
  winsize size{};
  return ioctl(static_cast<int>(stream), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

std::string user_name() {
  std::array<char, 4096> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  const uid_t uid = getuid();
  if (getpwuid_r(uid, &entry, buffer.data(), buffer.size(), &found) == 0 && found != nullptr) {
    return entry.pw_name;
  }
  return std::to_string(uid);
}

}  // namespace resumable::sys
