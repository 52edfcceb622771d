/// @file
/// Makes a whole plan out of facts.
#pragma once

#include <memory>
#include <string>

#include "plan/decider.hpp"
#include "plan/state.hpp"

namespace resumable::plan {

/// Decides for every node in order, then looks at the artifacts.
/// @throws Error{Errc::no_value}  `from` a stage of which an earlier one has no value
[[nodiscard]] std::shared_ptr<detail::PlanData> make_plan(const detail::Graph& graph,
                                                          const Facts& facts,
                                                          const Exports& exports,
                                                          const Decider& decider, std::string run);

/// Looks at every artifact of every record and adds what is found to the states: `restored` where
/// it has to be exported again, `edited` (a refusal) where a person's bytes are in its place.
void judge_artifacts(const detail::Graph& graph, const Facts& facts, const Exports& exports,
                     std::vector<NodeState>& states);

/// Notes the stages with items to run that allow more at a time than `concurrency` does.
void note_caps(const detail::Graph& graph, unsigned concurrency, detail::PlanData& plan);

}  // namespace resumable::plan
