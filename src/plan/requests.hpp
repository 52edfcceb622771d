/// @file
/// Which requests to run something again a call honours: the recorded ones and its own.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/graph.hpp"
#include "plan/facts.hpp"
#include "plan/state.hpp"

namespace resumable::plan {

/// Whether a request asks for this node, and for this item of it ("" for a node without items).
[[nodiscard]] bool covers(const detail::Graph& graph, const Request& request, std::uint32_t node,
                          std::string_view item);

/// Whether a recorded request still has something to run. `states` are the decisions for all nodes
/// under the recorded requests alone.
[[nodiscard]] bool is_pending(const detail::Graph& graph, const Facts& facts,
                              const Request& request, std::span<const NodeState> states);

/// The recorded requests together with those of this call. A request that repeats a recorded one
/// which is still pending is that one; otherwise it counts as made now.
[[nodiscard]] std::vector<Request> merge_requests(const detail::Graph& graph, const Facts& facts,
                                                  const std::vector<Request>& recorded,
                                                  const std::vector<Request>& asked, bool strict);

}  // namespace resumable::plan
