#include "sys/process.hpp"

#include <array>
#include <fstream>
#include <sstream>

#include <limits.h>
#include <pwd.h>
#include <unistd.h>

namespace resumable::sys {

Process::~Process() = default;

std::int64_t SystemProcess::pid() const noexcept { return ::getpid(); }

std::string SystemProcess::host() const {
  std::array<char, HOST_NAME_MAX + 1> name{};
  // A longer name is cut, perhaps without its end: the last byte stays zero.
  static_cast<void>(::gethostname(name.data(), name.size() - 1));
  return name.data();
}

std::uint32_t SystemProcess::user() const noexcept { return ::geteuid(); }

std::string SystemProcess::boot_id() const {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(file, id);
  return id;
}

std::uint64_t SystemProcess::start_time(std::int64_t pid) const {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(file, line);
  // The second field is the program's name in parentheses, and may hold anything.
  const auto end = line.rfind(')');
  if (end == std::string::npos) return 0;
  std::istringstream fields(line.substr(end + 1));
  std::string skipped;
  for (int field = 3; field < 22; ++field) fields >> skipped;
  std::uint64_t ticks = 0;
  fields >> ticks;
  return ticks;
}

std::string pid_namespace() {
  std::array<char, 64> name{};
  const ssize_t size = ::readlink("/proc/self/ns/pid", name.data(), name.size());
  return {name.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
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
