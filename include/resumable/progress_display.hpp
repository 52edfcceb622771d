/// @file
/// ProgressDisplay: shows what a run is doing, on a terminal or in a log.
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
  lines,  ///< for people: a line when a stage or item begins or ends, and a heartbeat
  log,    ///< for programs: a line per event with `name=value` fields, and a heartbeat
};

struct ProgressDisplayOptions {
  ProgressStyle style = ProgressStyle::automatic;
  std::ostream* stream = nullptr;  ///< nullptr: std::cerr
  /// ANSI colours; not set: in a block, unless NO_COLOR is set and not empty.
  std::optional<bool> color{};
  bool ascii = false;  ///< ASCII symbols only
  /// The size of the terminal; 0: as the terminal reports it, also after a resize. Without a
  /// terminal, `lines` are wrapped at `columns`, and 0 means no limit.
  std::size_t columns = 0;
  std::size_t rows = 0;
  /// The stop of a StopOnSignal. With it, a block says what Ctrl-C does, and that the run is
  /// stopping.
  Stop stop{};
  /// In `lines` and `log`: how often a line names what is running, so that a long stage does not
  /// look like a hang; 0: never.
  std::chrono::milliseconds heartbeat{30'000};
  /// In `lines` and `log`: a fan-out of more items than this gets no line when an item begins or
  /// ends well; the heartbeat counts its items, and so does a line at its end.
  std::size_t item_lines = 100;
  sys::Clock* clock = nullptr;  ///< for tests; must outlive the display
};

/// Shows what a run is doing: what is running and since when, how many items of a fan-out or queue
/// are done, what is waiting to be retried, when something was last saved, the time so far and
/// roughly the time left, and the cost. One line attaches it:
///
///     rs::ProgressDisplay display;
///     const rs::Report report =
///         rs::resume(pipeline, store, {.run = "r1", .observers = {&display}});
///
/// **A block leaves the program's own output whole.** It stands in the last rows of the terminal,
/// below a scrolling region (DECSTBM) that holds everything else: whatever the program, its
/// libraries and its child processes print, by whatever means, is neither overwritten by the block
/// nor mixed with it. When the run ends, the block is removed and one line remains. The block is
/// also removed when the process exits or is ended by SIGHUP, SIGINT, SIGQUIT, SIGABRT or SIGTERM:
/// while there is a block, those of these signals that have their default action are handled, and
/// then take their effect. After `kill -9` the rows stay reserved until the next run or `reset`. A
/// background process shows no block.
///
/// A thread of its own writes the block, so a paused terminal does not hold up the run. Once the
/// stream fails, nothing more is written.
///
/// **Cost**: a few lookups per event, and at most ten writes a second. `log` and `lines` write
/// within on_event(). One display can watch one run at a time, and any number of runs one after the
/// other. Safe to use from several threads.
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
