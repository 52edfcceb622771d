#include "sys/terminal.hpp"

#include <pwd.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string_view>

namespace resumable::inline v0::sys {

bool is_terminal(Stream stream) noexcept {
  const char* kind = std::getenv("TERM");
  if (kind != nullptr && std::string_view{kind} == "dumb") return false;
  return isatty(static_cast<int>(stream)) == 1;
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

}  // namespace resumable::inline v0::sys
