/// @file
/// Makes a whole plan out of facts.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plan/decider.hpp"
#include "plan/state.hpp"

namespace resumable::plan {

/// Files that were there before the run had checkpoints, and the values that can be made of them.
class Adopting {
 public:
  virtual ~Adopting() = default;
  /// Notes in the state of a node, just decided, what can be adopted for it.
  virtual void look(std::uint32_t node, NodeState& state, std::span<const NodeState> before) = 0;
};

/// Decides for every node in order, then checks the artifacts. Nothing is adopted without
/// `adopting`.
/// @throws Error{Errc::no_value}  `from` a stage of which an earlier one has no value
[[nodiscard]] std::shared_ptr<detail::PlanData> make_plan(const detail::Graph& graph,
                                                          const Facts& facts,
                                                          const Exports& exports, Decider& decider,
                                                          std::string run,
                                                          Adopting* adopting = nullptr);

/// Paths of records of items that the list does not have, in order, where the stage has more
/// records than the `kept` ones.
[[nodiscard]] std::vector<std::string> orphans(const Facts& facts, std::string_view stage,
                                               const ItemList& list, std::size_t kept);

/// What the file at a path turns out to be.
enum class FileFound {
  ours,
  missing,
  unfinished,
  edited,    ///< by a user, or not a file
  doubtful,  ///< a record that is damaged or lost has exported it, or may have: not an edit
  unclear,   ///< it was changed, but it is unknown what it was before: see Doubt
};

/// `writers` are the exports to this path of all current records. With `damaged` a damaged record
/// may have exported what no other knows.
[[nodiscard]] FileFound judge_file(const Exports& exports, std::string_view path,
                                   std::span<const core::Export> writers, bool damaged);

/// Checks every artifact of every record and adds the findings to the states: `restored` if it has
/// to be exported again, `edited` if a user's change was adopted, and refusals if a change cannot
/// be adopted, a file that no record mentions is in the way, or the folder cannot be written.
void judge_artifacts(const detail::Graph& graph, const Facts& facts, const Exports& exports,
                     std::vector<NodeState>& states);

/// Refuses stages and items that would export to one path, as far as these are known.
void judge_paths(const detail::Graph& graph, std::vector<NodeState>& states);

/// Notes the stages with items to run that allow more at a time than `concurrency` does.
void note_caps(const detail::Graph& graph, unsigned concurrency, detail::PlanData& plan);

}  // namespace resumable::plan
