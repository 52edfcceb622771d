/// @file
/// Artifacts that would have one path, as far as items are known.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/graph.hpp"
#include "plan/state.hpp"

namespace resumable::plan {

/// Two stages or items that export to one path; paths that differ in case alone are one.
struct PathClash {
  std::string text;  ///< "item 'a' of stage 's' and item 'A' of stage 's' both export 's/a.txt'"
  std::string next;
};

/// The first clash of this stage or its items with each other or with a stage that it is not in a
/// chain with.
[[nodiscard]] std::optional<PathClash> find_clash(const detail::Graph& graph,
                                                  std::span<const NodeState> states,
                                                  std::uint32_t node);

}  // namespace resumable::plan
