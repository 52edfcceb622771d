/// @file
/// Events as lines: for logs, and for people.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "display/run_view.hpp"
#include "display/style.hpp"
#include "resumable/observer.hpp"

namespace resumable::display {

/// Fan-outs of so many items that a line for each would hide everything else.
class Crowds {
 public:
  explicit Crowds(std::size_t most) : most_(most) {}
  void note(const Event& event) {
    const bool of_items = event.item.empty() || event.kind == EventKind::enqueued;
    if (event.counts && of_items) totals_[event.stage] = event.counts->total;
  }
  [[nodiscard]] bool has(const std::string& stage) const {
    const auto found = totals_.find(stage);
    return found != totals_.end() && found->second > most_;
  }
  /// Whether the event is what each item does when all is well.
  [[nodiscard]] bool hides(const Event& event) const;

 private:
  std::size_t most_;
  std::map<std::string, std::size_t> totals_;  ///< of items, by stage
};

/// `2026-11-21T20:44:01Z done     stage=draft dur=178.100s`: to be parsed.
class LogLines {
 public:
  explicit LogLines(std::size_t item_lines = 100) : crowds_(item_lines) {}

  /// Whole lines, or "" for an event that is not logged.
  [[nodiscard]] std::string of(const Event& event);
  /// What runs at this moment, a line for each of the first stages.
  [[nodiscard]] static std::string beat(const RunView& view, sys::WallTime wall, sys::BootTime now);

 private:
  std::size_t kept_ = 0;  ///< stages kept in a row, not logged yet
  std::string kept_one_;  ///< the first of them
  Crowds crowds_;
};

/// `✓ draft 2m 58 s $0.49`: for people; it stays on the screen.
class PeopleLines {
 public:
  /// `every`: with a line for each item, and when something begins. Otherwise only what is over.
  PeopleLines(Style style, std::size_t columns, bool every, std::size_t item_lines = 100)
      : style_(style), columns_(columns), every_(every), crowds_(item_lines) {}

  /// Whole lines, or "".
  [[nodiscard]] std::string of(const Event& event);
  [[nodiscard]] std::string beat(const RunView& view, sys::BootTime now) const;

 private:
  [[nodiscard]] std::string told(const Event& event);
  [[nodiscard]] std::string while_running(const Event& event);
  [[nodiscard]] std::string line(Mark mark, const std::string& place,
                                 const std::string& rest) const;
  [[nodiscard]] std::string kept();
  [[nodiscard]] std::string begun(const std::string& stage);

  Style style_;
  std::size_t columns_;
  bool every_;
  std::vector<std::string> kept_;  ///< stages kept in a row, not reported yet
  struct Items {
    Counts counts;
    std::size_t begun = 0;  ///< in this call
  };
  std::map<std::string, Items> items_;  ///< by stage
  Crowds crowds_;
};

}  // namespace resumable::display
