/// @file
/// Running code in a forked child, which may be killed.
#pragma once

#include <functional>

#include <sys/types.h>

namespace resumable {
inline namespace v0 {
namespace testing {

/// How a child ended.
struct Ended {
  int exit_code = -1;  ///< -1 when a signal ended it
  int signal = 0;
  friend bool operator==(const Ended&, const Ended&) = default;
};

/// A forked child that runs `body` and exits with what that returns; 99 when it throws. Nothing of
/// the parent is destroyed in it. What is still running at the end is killed.
class ChildProcess {
 public:
  explicit ChildProcess(const std::function<int()>& body);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  [[nodiscard]] pid_t pid() const noexcept { return pid_; }
  void kill(int signal) const;
  Ended wait();

 private:
  pid_t pid_ = -1;
  bool running_ = true;
};

/// A rendezvous of two processes: one signals, the other waits for it.
class Signpost {
 public:
  Signpost();
  ~Signpost();
  Signpost(const Signpost&) = delete;
  Signpost& operator=(const Signpost&) = delete;

  void say() const;
  void await() const;

 private:
  int reads_ = -1;
  int writes_ = -1;
};

}  // namespace testing
}  // namespace v0
}  // namespace resumable
