#include "sys/terminal.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <string_view>

#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace resumable::sys {
namespace {

// A handler gets only the signal's number, so what it writes is stored here.
std::atomic<const char*> words{nullptr};
std::atomic<std::size_t> words_size{0};
std::atomic<pid_t> words_of{0};
std::atomic<bool> words_said{false};
static_assert(std::atomic<const char*>::is_always_lock_free);
constexpr std::array deadly{SIGHUP, SIGINT, SIGQUIT, SIGABRT, SIGTERM};

// Only what signal-safety(7) allows.
void say_words() noexcept {
  if (words_of != ::getpid()) return;
  if (const char* bytes = words.exchange(nullptr)) {
    words_said = true;
    static_cast<void>(!::write(STDERR_FILENO, bytes, words_size));
  }
}

void on_death(int number) {
  const int error = errno;
  say_words();
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  ::sigaction(number, &action, nullptr);
  ::raise(number);  // delivered when this returns
  errno = error;
}

bool handler_is(int number, void (*handler)(int)) noexcept {
  struct sigaction now {};
  return ::sigaction(number, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 &&
         now.sa_handler == handler;
}

}  // namespace

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

TerminalSize terminal_size(Stream stream) noexcept {
  winsize size{};
  if (ioctl(static_cast<int>(stream), TIOCGWINSZ, &size) != 0) return {};
  return {size.ws_col, size.ws_row};
}

bool in_foreground(Stream stream) noexcept {
  const pid_t group = tcgetpgrp(static_cast<int>(stream));
  return group < 0 || group == getpgrp();
}

bool LastWords::leave(std::string_view bytes) noexcept {
  if (words_said) return false;
  static const int registered = std::atexit(say_words);
  static_cast<void>(registered);
  words_size = bytes.size();
  words_of = ::getpid();
  words = bytes.data();
  left_ = true;
  for (const int number : deadly) {
    if (!handler_is(number, SIG_DFL)) continue;
    struct sigaction action {};
    action.sa_handler = on_death;
    ::sigaction(number, &action, nullptr);
  }
  return true;
}

void LastWords::take_back() noexcept {
  if (!left_) return;
  left_ = false;
  words = nullptr;
  for (const int number : deadly) {
    if (!handler_is(number, on_death)) continue;
    struct sigaction action {};
    action.sa_handler = SIG_DFL;
    ::sigaction(number, &action, nullptr);
  }
}

}  // namespace resumable::sys
