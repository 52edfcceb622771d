#include "testing/child_process.hpp"

#include <array>
#include <cerrno>
#include <stdexcept>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace resumable {
inline namespace v0 {
namespace testing {

ChildProcess::ChildProcess(const std::function<int()>& body) : pid_(::fork()) {
  if (pid_ < 0) throw std::runtime_error("fork");
  if (pid_ > 0) return;
  try {
    ::_exit(body());
  } catch (...) {
    ::_exit(99);
  }
}

ChildProcess::~ChildProcess() {
  if (!running_) return;
  kill(SIGKILL);
  wait();
}

void ChildProcess::kill(int signal) const { ::kill(pid_, signal); }

Ended ChildProcess::wait() {
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  running_ = false;
  if (WIFSIGNALED(status)) return {-1, WTERMSIG(status)};
  return {WEXITSTATUS(status), 0};
}

Signpost::Signpost() {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) < 0) throw std::runtime_error("pipe");
  reads_ = ends[0];
  writes_ = ends[1];
}

Signpost::~Signpost() {
  ::close(reads_);
  ::close(writes_);
}

void Signpost::say() const {
  const char byte = '!';
  if (::write(writes_, &byte, 1) != 1) throw std::runtime_error("write");
}

void Signpost::await() const {
  char byte = 0;
  while (::read(reads_, &byte, 1) < 0 && errno == EINTR) {
  }
}

}  // namespace testing
}  // namespace v0
}  // namespace resumable
