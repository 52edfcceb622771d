/// @file
/// Makes tasks, which have everything that a worker needs to know; used in the executor's thread.
#pragma once

#include <optional>
#include <vector>

#include "exports/exporter.hpp"
#include "plan/decider.hpp"
#include "run/values.hpp"
#include "run/worker.hpp"

namespace resumable::run {

/// Used by one thread.
class TaskMaker {
 public:
  /// All must outlive it.
  struct Tools {
    const detail::Graph& graph;
    const record::RunFacts& facts;
    const plan::Decider& decider;
    const std::vector<plan::NodeState>& states;
    Values& values;
    exports::Exporter& exporter;
    exports::Adoption* adoption;  ///< nullptr: nothing is adopted
  };
  explicit TaskMaker(Tools tools) : tools_(tools) {}

  /// @throws DamagedRecord, Error
  [[nodiscard]] Task make(std::uint32_t node, std::optional<std::size_t> item);

 private:
  void add_history(Task& task) const;
  void add_inside(Task& task) const;

  Tools tools_;
};

}  // namespace resumable::run
