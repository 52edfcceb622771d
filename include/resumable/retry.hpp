/// @file
/// Retry: whether and when a failed stage, item or step is tried again.
#pragma once

#include <chrono>
#include <exception>
#include <functional>

namespace resumable {
inline namespace v0 {

/// How often, and after which waits, a function that throws is called again; by default never. A
/// stage's failed attempts are recorded, so that a resumed run continues the count; an attempt that
/// ends by a kill, a stop or the end of a budget does not count.
///
/// An attempt is repeated after Retryable, transient system errors, and errors that `when` accepts.
/// Transient are these std::errc: interrupted, resource_unavailable_try_again, timed_out,
/// connection_refused, connection_reset, connection_aborted, broken_pipe, host_unreachable,
/// network_unreachable, network_down, network_reset, device_or_resource_busy. It is never repeated
/// after std::logic_error, std::bad_alloc and Error. After a timeout it is repeated whatever the
/// error; so it is after a value that Pipeline::validate() rejects, unless `when` says no.
///
/// A value out of its range is Errc::bad_option, when the stage is declared or the step is called.
///
///     const rs::Retry patient{.attempts = 4, .initial_delay = 500ms};
struct Retry {
  unsigned attempts = 1;  ///< tries in all, including failed ones before a kill; at least 1
  std::chrono::milliseconds initial_delay{
      1'000};  ///< the wait after the first failure; not below 0
  /// No wait is longer, unless the error asks for more; at least initial_delay.
  std::chrono::milliseconds max_delay{60'000};
  double factor = 2.0;   ///< each wait is this many times the previous one; at least 1
  double jitter = 0.25;  ///< a wait varies by this share of itself, up and down; 0 to 1
  /// Which errors, besides Retryable and transient system errors, are worth another try.
  std::function<bool(const std::exception&)> when{};
};

}  // namespace v0
}  // namespace resumable
