#include "sqlite/system_calls.hpp"

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstddef>
#include <mutex>
#include <utility>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

namespace resumable::test {
namespace system_calls {

std::atomic<int> calls_made{0};
int kill_at = INT_MAX;
CallFault fault{.at = INT_MAX};
std::recursive_mutex watching;  ///< held from before a call until it was visited
std::string watched;            ///< the folder with a '/', or ""
std::function<void(Change)> visit;
std::atomic<bool> is_watched{false};

}  // namespace system_calls

void kill_before_call(int nth) {
  system_calls::calls_made = 0;
  system_calls::kill_at = nth;
}

void fail_call(const CallFault& given) {
  system_calls::calls_made = 0;
  system_calls::fault = given;
  if (given.kill_after > 0) system_calls::kill_at = given.at + given.kill_after;
}

void watch_changes(const std::string& folder, std::function<void(Change)> visit) {
  const std::scoped_lock lock{system_calls::watching};
  system_calls::watched = folder.empty() ? folder : folder + "/";
  system_calls::visit = std::move(visit);
  system_calls::is_watched = static_cast<bool>(system_calls::visit);
}

namespace system_calls {

/// What a call returns instead of being made: 0 or an errno.
int strike() {
  const int nth = ++calls_made;
  if (nth >= kill_at) ::kill(::getpid(), SIGKILL);
  const bool fails = fault.from_then_on ? nth >= fault.at : nth == fault.at;
  return fails ? fault.error : 0;
}

template <class... Arguments>
long call(long number, Arguments... arguments) {
  if (const int error = strike(); error != 0) {
    errno = error;
    return -1;
  }
  return ::syscall(number, arguments...);
}

/// The path of an open file or folder.
std::string path_of(int file) {
  char text[4096];
  const std::string name = "/proc/self/fd/" + std::to_string(file);
  const ssize_t size = ::readlink(name.c_str(), text, sizeof text);
  return size < 0 ? std::string{} : std::string{text, static_cast<std::size_t>(size)};
}
std::string path_of(int folder, const char* name) {
  return *name == '/' || folder == AT_FDCWD ? std::string{name} : path_of(folder) + "/" + name;
}

/// Makes a call; if that succeeds and is watched, visits the change.
template <class Call, class... Details>
auto watch(Change::Kind kind, const std::string& path, Call make, Details... details) {
  if (!is_watched) return make();
  const std::scoped_lock lock{watching};
  const auto result = make();
  const bool below = (path + "/").starts_with(watched) && path.find(" (deleted)") == path.npos;
  if (result < 0 || !is_watched || !below) return result;
  const int error = errno;
  const auto relative = [](const std::string& full) {
    return full.size() < watched.size() ? std::string{} : full.substr(watched.size());
  };
  Change change{kind, relative(path), details...};
  change.to = change.to.empty() ? change.to : relative(change.to);
  visit(std::move(change));
  errno = error;
  return result;
}

int open_or_create(int folder, const char* path, int flags, mode_t mode) {
  const bool makes = (flags & O_CREAT) != 0 && ::faccessat(folder, path, F_OK, 0) != 0;
  if (!makes) return static_cast<int>(::syscall(SYS_openat, folder, path, flags, mode));
  return watch(Change::Kind::create, path_of(folder, path),
               [&] { return static_cast<int>(call(SYS_openat, folder, path, flags, mode)); });
}

ssize_t write_at(int file, const void* bytes, size_t size, off_t at) {
  const auto make = [&] { return static_cast<ssize_t>(call(SYS_pwrite64, file, bytes, size, at)); };
  if (!is_watched) return make();
  return watch(Change::Kind::write, path_of(file), make, std::string{},
               static_cast<std::uint64_t>(at), std::string{static_cast<const char*>(bytes), size});
}
int truncate_to(int file, off_t size) {
  const auto make = [&] { return static_cast<int>(call(SYS_ftruncate, file, size)); };
  if (!is_watched) return make();
  return watch(Change::Kind::truncate, path_of(file), make, std::string{},
               static_cast<std::uint64_t>(size));
}
int sync_with(long number, int file) {
  const auto make = [&] { return static_cast<int>(call(number, file)); };
  return is_watched ? watch(Change::Kind::sync, path_of(file), make) : make();
}
int unlink_at(int folder, const char* name, int flags) {
  const auto kind =
      (flags & AT_REMOVEDIR) != 0 ? Change::Kind::remove_folder : Change::Kind::unlink;
  return watch(kind, path_of(folder, name),
               [&] { return static_cast<int>(call(SYS_unlinkat, folder, name, flags)); });
}

mode_t wanted_mode(int flags, std::va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

}  // namespace system_calls
}  // namespace resumable::test

// They take the place of libc's in this program and in the libraries that it loads.
// NOLINTBEGIN
using namespace resumable::test::system_calls;
using resumable::test::Change;

extern "C" {

int open(const char* path, int flags, ...) {
  std::va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = wanted_mode(flags, arguments);
  va_end(arguments);
  return open_or_create(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  std::va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = wanted_mode(flags, arguments);
  va_end(arguments);
  return open_or_create(AT_FDCWD, path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  std::va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = wanted_mode(flags, arguments);
  va_end(arguments);
  return open_or_create(folder, path, flags, mode);
}
ssize_t write(int file, const void* bytes, size_t size) {
  if (!is_watched) return call(SYS_write, file, bytes, size);
  const off_t at = ::lseek(file, 0, SEEK_CUR);
  return watch(
      Change::Kind::write, path_of(file),
      [&] { return static_cast<ssize_t>(call(SYS_write, file, bytes, size)); }, std::string{},
      static_cast<std::uint64_t>(at), std::string{static_cast<const char*>(bytes), size});
}
ssize_t pwrite(int file, const void* bytes, size_t size, off_t at) {
  return write_at(file, bytes, size, at);
}
ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t at) {
  return write_at(file, bytes, size, at);
}
int ftruncate(int file, off_t size) noexcept { return truncate_to(file, size); }
int ftruncate64(int file, off64_t size) noexcept { return truncate_to(file, size); }
int fsync(int file) { return sync_with(SYS_fsync, file); }
int fdatasync(int file) { return sync_with(SYS_fdatasync, file); }
int unlink(const char* path) noexcept { return unlink_at(AT_FDCWD, path, 0); }
int unlinkat(int folder, const char* name, int flags) noexcept {
  return unlink_at(folder, name, flags);
}
int mkdirat(int folder, const char* name, mode_t mode) noexcept {
  return watch(Change::Kind::make_folder, path_of(folder, name),
               [&] { return static_cast<int>(call(SYS_mkdirat, folder, name, mode)); });
}
int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
  return watch(
      Change::Kind::link, path_of(from_folder, from),
      [&] { return static_cast<int>(call(SYS_linkat, from_folder, from, to_folder, to, flags)); },
      path_of(to_folder, to));
}
int renameat2(int from_folder, const char* from, int to_folder, const char* to,
              unsigned flags) noexcept {
  const auto kind = (flags & RENAME_EXCHANGE) != 0 ? Change::Kind::exchange : Change::Kind::rename;
  return watch(
      kind, path_of(from_folder, from),
      [&] {
        return static_cast<int>(call(SYS_renameat2, from_folder, from, to_folder, to, flags));
      },
      path_of(to_folder, to));
}
}
// NOLINTEND
