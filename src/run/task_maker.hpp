/// @file
/// Makes tasks, which have everything that a worker needs to know; used in the executor's thread.
#pragma once

#include <optional>
#include <vector>

#include "exports/exporter.hpp"
#include "plan/decider.hpp"
#include "run/shared_task.hpp"
#include "run/values.hpp"
#include "run/worker.hpp"

namespace resumable::run {

/// What is recorded of the task's stage or item: the value before, generations that may go, failed
/// attempts, what is inside. @throws DamagedRecord, Error
void add_recorded(Task& task, const detail::Graph& graph, const record::RunFacts& facts);

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
  /// The same for workers of any process: Task::shared has all that they do not read themselves.
  /// Only of a node that may_share(), and no adopted item. @throws DamagedRecord, Error
  [[nodiscard]] Task make_shared(std::uint32_t node, std::size_t item, bool resumed,
                                 Durability durability);

 private:
  [[nodiscard]] Task begin(std::uint32_t node, std::optional<std::size_t> item) const;
  [[nodiscard]] ArgRef reference(std::uint32_t node, const detail::Arg& arg, std::size_t item);

  Tools tools_;
};

}  // namespace resumable::run
