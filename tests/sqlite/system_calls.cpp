#include "sqlite/system_calls.hpp"

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstddef>

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

namespace resumable::test {
namespace system_calls {

std::atomic<int> calls_made{0};
int kill_at = INT_MAX;
CallFault fault{.at = INT_MAX};

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

int open_or_create(int folder, const char* path, int flags, mode_t mode) {
  const bool makes = (flags & O_CREAT) != 0 && ::faccessat(folder, path, F_OK, 0) != 0;
  const long file = makes ? call(SYS_openat, folder, path, flags, mode)
                          : ::syscall(SYS_openat, folder, path, flags, mode);
  return static_cast<int>(file);
}

mode_t wanted_mode(int flags, std::va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

}  // namespace system_calls
}  // namespace resumable::test

// They take the place of libc's in this program and in the libraries that it loads.
// NOLINTBEGIN
using resumable::test::system_calls::call;

extern "C" {

int open(const char* path, int flags, ...) {
  std::va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = resumable::test::system_calls::wanted_mode(flags, arguments);
  va_end(arguments);
  return resumable::test::system_calls::open_or_create(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  std::va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = resumable::test::system_calls::wanted_mode(flags, arguments);
  va_end(arguments);
  return resumable::test::system_calls::open_or_create(AT_FDCWD, path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  std::va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = resumable::test::system_calls::wanted_mode(flags, arguments);
  va_end(arguments);
  return resumable::test::system_calls::open_or_create(folder, path, flags, mode);
}
ssize_t write(int file, const void* bytes, size_t size) {
  return call(SYS_write, file, bytes, size);
}
ssize_t pwrite(int file, const void* bytes, size_t size, off_t at) {
  return call(SYS_pwrite64, file, bytes, size, at);
}
ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t at) {
  return call(SYS_pwrite64, file, bytes, size, at);
}
int ftruncate(int file, off_t size) noexcept {
  return static_cast<int>(call(SYS_ftruncate, file, size));
}
int ftruncate64(int file, off64_t size) noexcept {
  return static_cast<int>(call(SYS_ftruncate, file, size));
}
int fsync(int file) { return static_cast<int>(call(SYS_fsync, file)); }
int fdatasync(int file) { return static_cast<int>(call(SYS_fdatasync, file)); }
int unlink(const char* path) noexcept { return static_cast<int>(call(SYS_unlink, path)); }
int unlinkat(int folder, const char* name, int flags) noexcept {
  return static_cast<int>(call(SYS_unlinkat, folder, name, flags));
}
int mkdirat(int folder, const char* name, mode_t mode) noexcept {
  return static_cast<int>(call(SYS_mkdirat, folder, name, mode));
}
int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
  return static_cast<int>(call(SYS_linkat, from_folder, from, to_folder, to, flags));
}
int renameat2(int from_folder, const char* from, int to_folder, const char* to,
              unsigned flags) noexcept {
  return static_cast<int>(call(SYS_renameat2, from_folder, from, to_folder, to, flags));
}
}
// NOLINTEND
