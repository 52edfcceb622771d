/// @file
/// Decides whether there is time for more, and records how long the run was alive.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "core/graph.hpp"
#include "record/recorder.hpp"
#include "record/run_facts.hpp"
#include "resumable/resume.hpp"
#include "stage/limits.hpp"
#include "sys/clock.hpp"
#include "sys/timer.hpp"

namespace resumable::run {

/// While it lives, a run with a budget records each second how long it was alive, and the call is
/// asked to stop when its time is up. The heartbeat comes from the timer's thread.
class TimeKeeper {
 public:
  /// All must outlive it.
  struct Tools {
    const detail::Graph& graph;
    const ResumeOptions& options;
    const record::RunFacts& facts;
    record::Recorder& recorder;
    const stage::Limits& limits;
    sys::Clock& clock;
    sys::Timer& timer;
    std::stop_source& stop;
  };
  explicit TimeKeeper(Tools tools);

  /// Starts the clock. The timer must be destroyed before this is.
  void begin();

  /// Whether the call was asked to stop, or is over.
  [[nodiscard]] bool is_stopping() const { return tools_.stop.stop_requested() || is_over(); }
  /// Whether the call, or the run, has used its budget.
  [[nodiscard]] bool is_over() const { return tools_.limits.is_over(); }
  /// Why a stage or item does not fit into the time left, if it is known how long it takes; nullopt
  /// if it fits. A stage that no budget is long enough for, or that saves while it runs, may begin
  /// a call: `first` says that nothing has started yet.
  [[nodiscard]] std::optional<std::string> why_not(const detail::Node& node,
                                                   const std::string& item, bool first) const;
  /// At the end of a call: records how long the run was alive.
  void finish();

 private:
  void heartbeat();
  void record_alive();

  Tools tools_;
  std::mutex guard_;
  std::uint64_t generation_;
  stage::Limits::Duration recorded_;
};

}  // namespace resumable::run
