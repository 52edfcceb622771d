#include "support/terminal.hpp"

#include <array>
#include <cstdlib>
#include <stdexcept>

#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace resumable::test {

bool Terminal::is_available() {
  int master = -1;
  int slave = -1;
  if (::openpty(&master, &slave, nullptr, nullptr, nullptr) != 0) return false;
  ::close(master);
  ::close(slave);
  return true;
}

Terminal::Terminal(std::size_t columns, std::size_t rows, const std::function<int()>& body)
    : screen_(columns, rows) {
  winsize size{};
  size.ws_col = static_cast<unsigned short>(columns);
  size.ws_row = static_cast<unsigned short>(rows);
  pid_ = ::forkpty(&master_, nullptr, nullptr, &size);
  if (pid_ < 0) throw std::runtime_error("forkpty failed");
  if (pid_ > 0) return;
  ::setenv("TERM", "xterm", 1);
  for (const char* name : {"NO_COLOR", "CI", "COLUMNS"}) ::unsetenv(name);
  int code = 99;
  try {
    code = body();
  } catch (...) {
  }
  std::fflush(stdout);
  ::_exit(code);
}

Terminal::~Terminal() {
  ::close(master_);
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

bool Terminal::read_some() {
  std::array<char, 4096> buffer{};
  const ssize_t got = ::read(master_, buffer.data(), buffer.size());
  if (got <= 0) return false;  // EIO when the last writer has closed it
  screen_.feed({buffer.data(), static_cast<std::size_t>(got)});
  return true;
}

bool Terminal::read_until(const std::function<bool(const Screen&)>& seen) {
  while (!seen(screen_)) {
    if (!read_some()) return seen(screen_);
  }
  return true;
}

bool Terminal::read_until(std::string_view text) {
  return read_until(
      [&](const Screen& screen) { return screen.text().find(text) != std::string::npos; });
}

void Terminal::type(std::string_view keys) const {
  static_cast<void>(!::write(master_, keys.data(), keys.size()));
}

void Terminal::resize(std::size_t columns, std::size_t rows) {
  winsize size{};
  size.ws_col = static_cast<unsigned short>(columns);
  size.ws_row = static_cast<unsigned short>(rows);
  screen_.resize(columns, rows);
  ::ioctl(master_, TIOCSWINSZ, &size);
}

Ended Terminal::wait() {
  while (read_some()) {
  }
  int status = 0;
  ::waitpid(pid_, &status, 0);
  pid_ = -1;
  if (WIFSIGNALED(status)) return {-1, WTERMSIG(status)};
  return {WEXITSTATUS(status), 0};
}

}  // namespace resumable::test
