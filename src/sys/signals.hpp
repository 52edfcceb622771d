/// @file
/// Receives signals without doing work in a handler.
#pragma once

#include <functional>
#include <mutex>
#include <span>
#include <system_error>
#include <thread>
#include <vector>

namespace resumable::sys {

/// While it watches, the first of the signals calls a function, from a thread of the watch. All
/// signals then get their previous action back, so a second signal takes that. A signal that was
/// ignored before (nohup, a background job) stays ignored. A forked child is not watched.
class SignalWatch {
 public:
  /// Called at most once; throws nothing.
  using Call = std::function<void(int signal)>;

  SignalWatch() = default;
  /// Restores what was there before, unless another action was installed since.
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  /// Once per object. EBUSY when another watch has one of `signals`; then nothing is installed.
  std::error_code start(std::span<const int> signals, Call call);

 private:
  void run(const Call& call) noexcept;
  void restore() noexcept;

  std::mutex installing_;
  std::vector<int> signals_;
  int reads_ = -1;
  int writes_ = -1;
  std::thread thread_;
};

}  // namespace resumable::sys
