/// @file
/// The state of a run as its events tell it: which stages there are, what is running, what is
/// waiting.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "resumable/observer.hpp"
#include "sys/clock.hpp"

namespace resumable::display {

/// A call in progress, of a stage's or an item's function.
struct Running {
  sys::BootTime since{};
  std::string step{};                       ///< that it is in
  std::optional<sys::BootTime> next_try{};  ///< it failed, and waits until then
  unsigned attempt = 0;                     ///< that failed
  unsigned attempts_allowed = 0;
  std::string why{};  ///< it failed
};

struct StageView {
  enum class State : std::uint8_t { open, running, done, kept, failed, waiting, stopped };
  std::string name{};
  State state = State::open;
  bool counted = true;  ///< a stage of the plan; not a condition
  bool active = false;  ///< it or one of its items runs
  bool fan_out = false;
  std::optional<Seconds> last{};                    ///< how long it took the last time
  Counts items{};                                   ///< of a fan-out
  std::size_t done_before = 0;                      ///< of its items, when it began
  std::map<std::string, Running, std::less<>> now;  ///< by item; a stage's own is ""
  sys::BootTime began{};
  std::optional<sys::BootTime> saved{};  ///< the last commit within it
  std::string message{};                 ///< why it waits or failed
};

/// Follows the events of one run. A few lookups per event, however many stages and items there are.
class RunView {
 public:
  void on_event(const Event& event, sys::BootTime now);

  [[nodiscard]] const std::string& run() const noexcept { return run_; }
  [[nodiscard]] const std::string& pipeline() const noexcept { return pipeline_; }
  [[nodiscard]] bool resumed() const noexcept { return resumed_; }
  [[nodiscard]] sys::BootTime began() const noexcept { return began_; }
  [[nodiscard]] const Cost& cost() const noexcept { return cost_; }
  /// In the order of declaration, as far as that is known.
  [[nodiscard]] const std::vector<StageView>& stages() const noexcept { return stages_; }
  /// Indices of those that run, or whose items do.
  [[nodiscard]] const std::set<std::size_t>& active() const noexcept { return active_; }
  [[nodiscard]] std::size_t done() const noexcept { return done_; }
  [[nodiscard]] std::size_t total() const noexcept { return total_; }
  /// How many calls are in progress, and how many of them wait for their next attempt.
  [[nodiscard]] std::size_t running() const;
  [[nodiscard]] std::size_t retrying() const;

  struct Left {
    Seconds time{};
    bool all_known = true;  ///< no stage is left out of `time`
  };
  /// How long the rest will take: stages as long as last time, items at the pace of this call.
  [[nodiscard]] Left left(sys::BootTime now) const;

 private:
  StageView& stage(const std::string& name);
  void set(StageView& stage, StageView::State state);
  void plan(const Event& event);
  void note(StageView& stage, const Event& event, sys::BootTime now);
  void begin(StageView& stage, sys::BootTime now);
  void start(StageView& stage, const Event& event, sys::BootTime now);
  void end(StageView& stage, const Event& event);

  std::string run_;
  std::string pipeline_;
  bool resumed_ = false;
  sys::BootTime began_{};
  Cost cost_{};
  std::vector<StageView> stages_;
  std::unordered_map<std::string, std::size_t> places_;
  std::size_t latest_ = 0;  ///< the stage that was asked for last
  std::set<std::size_t> active_;
  std::size_t done_ = 0;
  std::size_t total_ = 0;
};

/// How long a stage will still take; nullopt if unknown.
[[nodiscard]] std::optional<Seconds> left_of(const StageView& stage, sys::BootTime now);

}  // namespace resumable::display
