#include "sys/readiness.hpp"

#include <poll.h>

namespace resumable::sys {
namespace {

short events_of(Readiness wanted) noexcept {
  switch (wanted) {
    case Readiness::to_read: return POLLIN;
    case Readiness::to_write: return POLLOUT;
    case Readiness::to_read_or_write: break;
  }
  return POLLIN | POLLOUT;
}

}  // namespace

bool wait_until_ready(int descriptor, Readiness wanted,
                      std::chrono::milliseconds longest) noexcept {
  pollfd one{.fd = descriptor, .events = events_of(wanted), .revents = 0};
  return ::poll(&one, 1, static_cast<int>(longest.count())) > 0;
}

}  // namespace resumable::sys
