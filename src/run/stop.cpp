#include "resumable/stop.hpp"

#include <vector>

#include "resumable/error.hpp"
#include "sys/signals.hpp"

namespace resumable {
inline namespace v0 {

struct StopOnSignal::State {
  std::stop_source source;
  std::shared_ptr<int> signal = std::make_shared<int>(0);
  sys::SignalWatch watch;  ///< last: its thread ends before the members that it uses
};

StopOnSignal::StopOnSignal(std::initializer_list<int> signals) : state_(std::make_unique<State>()) {
  const std::vector<int> list(signals);
  State* state = state_.get();
  const auto error = state->watch.start(list, [state](int signal) {
    *state->signal = signal;
    state->source.request_stop();
  });
  if (error) {
    throw Error(Errc::bad_option, {.what = error == std::errc::device_or_resource_busy
                                               ? "another StopOnSignal watches one of these signals"
                                               : "the signals cannot be watched",
                                   .operation = "sigaction",
                                   .next = "create only one StopOnSignal per signal",
                                   .cause = error});
  }
}

StopOnSignal::~StopOnSignal() = default;

Stop StopOnSignal::stop() const { return {state_->source.get_token(), state_->signal}; }

}  // namespace v0
}  // namespace resumable
