#include "sys/signals.hpp"

#include <array>
#include <atomic>
#include <cerrno>

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

namespace resumable::sys {
namespace {

// A handler gets only the signal's number, so what it needs is stored here, one entry per signal.
struct Place {
  std::atomic<bool> taken{false};
  std::atomic<int> pipe{-1};
  std::atomic<pid_t> pid{0};
  struct sigaction former {};
};
std::array<Place, NSIG> places;  // NOLINT(misc-redundant-expression): how signal.h defines NSIG
std::atomic<int> handlers_running{0};
static_assert(std::atomic<int>::is_always_lock_free);
static_assert(std::atomic<pid_t>::is_always_lock_free);

// Only what signal-safety(7) allows.
void on_signal(int number) {
  const int error = errno;
  Place& place = places[static_cast<std::size_t>(number)];
  if (place.pid != ::getpid()) {
    // A forked child has the handler and the pipe of its parent, which must not be notified.
    ::sigaction(number, &place.former, nullptr);
    ::raise(number);
    errno = error;
    return;
  }
  ++handlers_running;
  if (const int pipe = place.pipe; pipe >= 0) {
    const auto byte = static_cast<unsigned char>(number);
    static_cast<void>(!::write(pipe, &byte, 1));
  }
  --handlers_running;
  errno = error;
}

bool is_ours(int number) {
  struct sigaction now {};
  return ::sigaction(number, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 &&
         now.sa_handler == on_signal;
}

std::error_code install(int number, int pipe) {
  Place& place = places[static_cast<std::size_t>(number)];
  if (::sigaction(number, nullptr, &place.former) < 0) return {errno, std::system_category()};
  if ((place.former.sa_flags & SA_SIGINFO) == 0 && place.former.sa_handler == SIG_IGN) return {};
  place.pid = ::getpid();
  place.pipe = pipe;
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  if (::sigaction(number, &action, nullptr) < 0) return {errno, std::system_category()};
  return {};
}

void uninstall(int number) noexcept {
  Place& place = places[static_cast<std::size_t>(number)];
  if (is_ours(number)) ::sigaction(number, &place.former, nullptr);
  place.pipe = -1;
}

}  // namespace

SignalWatch::~SignalWatch() {
  restore();
  if (thread_.joinable()) {
    const unsigned char end = 0;
    static_cast<void>(!::write(writes_, &end, 1));
    thread_.join();
  }
  // No handler may still be about to write, because the descriptor may soon belong to another file.
  while (handlers_running != 0) std::this_thread::yield();
  for (const int number : signals_) places[static_cast<std::size_t>(number)].taken = false;
  if (reads_ >= 0) ::close(reads_);
  if (writes_ >= 0) ::close(writes_);
}

std::error_code SignalWatch::start(std::span<const int> signals, Call call) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) < 0) return {errno, std::system_category()};
  reads_ = ends[0];
  writes_ = ends[1];
  ::fcntl(writes_, F_SETFL, O_NONBLOCK);
  for (const int number : signals) {
    if (number <= 0 || number >= NSIG) return std::make_error_code(std::errc::invalid_argument);
    if (places[static_cast<std::size_t>(number)].taken.exchange(true)) {
      return std::make_error_code(std::errc::device_or_resource_busy);
    }
    signals_.push_back(number);
  }
  thread_ = std::thread([this, call = std::move(call)] { run(call); });
  std::error_code error;
  {
    // The first signal may come before the last is installed: all are, then all are restored.
    const std::scoped_lock lock{installing_};
    for (const int number : signals_) {
      if (!error) error = install(number, writes_);
    }
  }
  if (error) restore();
  return error;
}

void SignalWatch::run(const Call& call) noexcept {
  bool called = false;
  for (;;) {
    unsigned char number = 0;
    const ssize_t got = ::read(reads_, &number, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0 || number == 0) return;
    if (!called) {
      restore();
      called = true;
      call(number);
    } else {
      // It arrived before the previous action was restored: raise it again, for that action.
      ::kill(::getpid(), number);
    }
  }
}

void SignalWatch::restore() noexcept {
  const std::scoped_lock lock{installing_};
  for (const int number : signals_) uninstall(number);
}

}  // namespace resumable::sys
