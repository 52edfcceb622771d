#include "sys/fork_hook.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

namespace resumable::sys::fork_hook {
namespace {

// A fixed table, because a forked child of a threaded program may not allocate. If there are more
// locks, a child holds them until it ends; a store holds one per leased run.
std::mutex guard;
std::array<int, 1024> remembered;
std::size_t count = 0;
std::atomic<std::size_t> hint{0};  // forget() is called for every file: spare it the mutex

void before_fork() noexcept { guard.lock(); }
void in_parent() noexcept { guard.unlock(); }

// Only what signal-safety(7) allows.
void in_child() noexcept {
  if (count > 0) {
    const int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    for (std::size_t i = 0; i < count; ++i) {
      if (null < 0 || ::dup3(null, remembered[i], O_CLOEXEC) < 0) ::close(remembered[i]);
    }
    if (null >= 0) ::close(null);
  }
  count = 0;
  hint = 0;
  guard.unlock();
}

}  // namespace

void remember(int descriptor) noexcept {
  static const int registered = ::pthread_atfork(before_fork, in_parent, in_child);
  static_cast<void>(registered);
  const std::scoped_lock lock{guard};
  if (count < remembered.size()) remembered[count++] = descriptor;
  hint = count;
}

void forget(int descriptor) noexcept {
  if (hint == 0) return;
  const std::scoped_lock lock{guard};
  auto* const end = remembered.begin() + count;
  count = static_cast<std::size_t>(std::remove(remembered.begin(), end, descriptor) -
                                   remembered.begin());
  hint = count;
}

}  // namespace resumable::sys::fork_hook
