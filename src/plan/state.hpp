/// @file
/// The state of each stage while planning and while running.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "plan/facts.hpp"

namespace resumable::plan {

/// One item of a fan-out: 24 bytes, so that a million items fit.
struct ItemState {
  Digest identity;  ///< when known
  Action action = Action::run;
  Reason reason = Reason::first_run;
  bool known = false;  ///< whether identity is its present value's
};

/// A stage, input or condition.
struct NodeState {
  Decision decision;
  bool taken = true;
  bool open = false;               ///< whether it is taken depends on a condition not known yet
  std::optional<Digest> identity;  ///< of its value, when known
  std::optional<Digest> fingerprint;
  std::optional<bool> outcome;   ///< of a condition
  std::uint64_t generation = 0;  ///< of the record that is used when skipped
  bool dropped = false;          ///< its record has no value any more
  std::shared_ptr<const ItemList> list;
  std::shared_ptr<ItemList> growing;     ///< of a queue: the same list, made for this state to grow
  std::shared_ptr<const Closed> closed;  ///< of a closed fan-out: `list` has only its items
  std::vector<ItemState> items;
  std::map<std::size_t, std::vector<Cause>> causes;  ///< of items that are not simply done
};

/// The reasons alone, for events.
[[nodiscard]] inline std::vector<Reason> reasons_of(const std::vector<Cause>& causes) {
  std::vector<Reason> reasons;
  reasons.reserve(causes.size());
  for (const Cause& cause : causes) reasons.push_back(cause.reason);
  return reasons;
}

/// The identity of a fan-out: of its keys and its items' identities, in order.
/// nullopt while one of them is unknown.
[[nodiscard]] std::optional<Digest> identity_of(const NodeState& fan_out);

}  // namespace resumable::plan

namespace resumable {
inline namespace v0 {
namespace detail {

/// Behind Plan.
struct PlanData {
  std::string pipeline;
  std::string run;
  const void* graph = nullptr;
  std::shared_ptr<const ResumeOptions> options;  ///< that it was made with
  unsigned concurrency = 1;      ///< of the call that it was made for; 0: one per core
  std::vector<Decision> stages;  ///< those that a person counts: no inputs, no conditions
  std::vector<std::uint32_t> stage_of_node;  ///< index into stages, or UINT32_MAX
  std::vector<plan::NodeState> nodes;
  std::vector<Cause> notes;
  std::size_t refusals = 0;  ///< so many of the notes, the first ones, refuse
};

}  // namespace detail
}  // namespace v0
}  // namespace resumable
