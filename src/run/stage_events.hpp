/// @file
/// The events about stages and items while they run.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph.hpp"
#include "plan/state.hpp"
#include "record/events.hpp"
#include "resumable/resume.hpp"

namespace resumable::run {

/// Turns what the executor does into events. `item` is empty for a stage. Used by one thread.
class StageEvents {
 public:
  /// Both must outlive it.
  StageEvents(const detail::Graph& graph, record::Events& events)
      : graph_(graph), events_(events) {}

  /// How many items there are, for progress bars. Does nothing for a stage without items.
  void items_listed(std::uint32_t node, const plan::NodeState& state);
  /// What was worked around: values of older generations or schemas.
  void worked_around(std::uint32_t node, const plan::NodeState& state);
  void skipped(std::uint32_t node, const plan::NodeState& state);
  void started(std::uint32_t node, const plan::NodeState& state);
  void finished(std::uint32_t node, const StageReport& report);
  void enqueued(std::uint32_t node, std::string_view item, std::string_view parent, Counts counts);
  /// That there is a new plan, because this stage takes a value that was dropped.
  void needs_dropped(const std::string& stage, Counts counts);
  void interrupted(std::uint32_t node, std::string_view item, const std::string& message);
  void waiting(std::uint32_t node, std::string_view item, const std::string& message);
  void failed(std::uint32_t node, std::string_view item, const std::string& message,
              const std::exception_ptr& error);

 private:
  [[nodiscard]] Event about(EventKind kind, std::uint32_t node, std::string_view item = {}) const;

  const detail::Graph& graph_;
  record::Events& events_;
};

}  // namespace resumable::run
