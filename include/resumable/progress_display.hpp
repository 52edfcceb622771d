/// @file
/// ProgressDisplay: shows a person, or a log, what a run is doing.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string_view>

#include "resumable/export.hpp"
#include "resumable/observer.hpp"
#include "resumable/stop.hpp"

namespace resumable::sys {
class Clock;
}  // namespace resumable::sys

namespace resumable {
inline namespace v0 {

/// How a ProgressDisplay writes.
enum class ProgressStyle : std::uint8_t {
  /// `block` if the stream is std::cerr, that is a terminal, and CI is not set in the environment;
  /// `lines` on a terminal that does not know its size; `log` elsewhere, and with TERM=dumb.
  automatic,
  block,  ///< a few lines at the bottom of the terminal, redrawn at most 10 times a second
  lines,  ///< for people: a line when a stage or item begins or ends, and a beat
  log,    ///< to be parsed: a line per event with `name=value` fields, and a beat
};

struct ProgressDisplayOptions {
  ProgressStyle style = ProgressStyle::automatic;
  std::ostream* stream = nullptr;  ///< nullptr: std::cerr
  /// ANSI colours; not set: in a block, unless NO_COLOR is set and not empty.
  std::optional<bool> color{};
  bool ascii = false;  ///< ASCII symbols only
  /// The size of the terminal; 0: as the terminal says, also after it was resized. Without a
  /// terminal, `lines` are wrapped at `columns`, and 0 is no limit.
  std::size_t columns = 0;
  std::size_t rows = 0;
  /// What StopOnSignal gives. Then a block says what Ctrl-C does, and that the run is stopping.
  Stop stop{};
  /// In `lines` and `log`: how often what runs is named, so that a long stage does not look like a
  /// hang; 0: never.
  std::chrono::milliseconds beat{30'000};
  sys::Clock* clock = nullptr;  ///< for tests; must outlive the display
};

/// Shows what a run is doing: what runs and since when, how many items of a fan-out or queue are
/// done, what waits for its next try, when something was last saved, how long it took, about how
/// long it will take, and what it cost. One line attaches it:
///
///     rs::ProgressDisplay display;
///     const rs::Report report =
///         rs::resume(pipeline, store, {.run = "r1", .observers = {&display}});
///
/// **A block leaves the program's own output whole.** It stands in the last rows of the terminal,
/// below a scrolling region (DECSTBM) in which everything else goes on as before: what the
/// program, its libraries and its child processes print, by whatever means, is neither drawn over
/// nor mixed with the block. When the run ends, the block is removed and one line remains. That
/// also happens when the process exits or is ended by SIGHUP, SIGINT, SIGQUIT, SIGABRT or SIGTERM:
/// while there is a block, each of these that has its default action is handled, and then has its
/// effect. After `kill -9` the rows stay reserved until the next run or `reset`. A process in the
/// background of its terminal shows no block.
///
/// It is written by a thread of the display's own, so a terminal that is paused does not hold up
/// the run. Once the stream fails, nothing more is written.
///
/// **Cost**: a few lookups per event, and at most ten writes a second. `log` and `lines` write
/// within on_event(). One display can watch one run at a time, and any number one after the other.
/// Safe to use from several threads.
class RESUMABLE_EXPORT ProgressDisplay final : public Observer {
 public:
  explicit ProgressDisplay(const ProgressDisplayOptions& options = {});
  /// Removes the block.
  ~ProgressDisplay() override;
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  void on_event(const Event& event) override;

  /// Writes a line of the program's own to the stream, above the block if there is one, and never
  /// in the middle of another line. Line feeds are kept; one is added at the end.
  void print(std::string_view line);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace v0
}  // namespace resumable
