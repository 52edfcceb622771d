/// @file
/// Stopping a run from outside: a stop token that knows its cause, and Ctrl+C.
#pragma once

#include <csignal>
#include <initializer_list>
#include <memory>
#include <stop_token>
#include <utility>

#include "resumable/export.hpp"

namespace resumable {
inline namespace v0 {

/// A request to stop, and which signal made it. A default one never stops.
class RESUMABLE_EXPORT Stop {
 public:
  Stop() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a plain token is a Stop without a signal
  Stop(std::stop_token token) : token_(std::move(token)) {}
  Stop(std::stop_token token, std::shared_ptr<const int> signal)
      : token_(std::move(token)), signal_(std::move(signal)) {}

  [[nodiscard]] const std::stop_token& token() const noexcept { return token_; }
  /// The number of the signal that requested the stop, else 0.
  [[nodiscard]] int signal() const noexcept {
    return token_.stop_requested() && signal_ ? *signal_ : 0;
  }

 private:
  std::stop_token token_;
  std::shared_ptr<const int> signal_;
};

/// While it lives, the first of the given signals requests a stop: everything running may finish or
/// reach a safe point, nothing new starts, all progress is saved. A second signal takes its
/// original action, which usually ends the process. A signal that the process ignores stays
/// ignored, such as SIGHUP under nohup(1). There can be at most one StopOnSignal per process and
/// signal; the handler only writes to a pipe, which one thread reads.
class RESUMABLE_EXPORT StopOnSignal {
 public:
  /// @throws Error{Errc::bad_option}  another StopOnSignal watches one of them, or one cannot be
  ///         watched
  StopOnSignal(std::initializer_list<int> signals);
  ~StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

  [[nodiscard]] Stop stop() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace v0
}  // namespace resumable
