/// @file
/// A pipeline's graph as data: what the inspector draws.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "resumable/export.hpp"
#include "resumable/pipeline.hpp"

namespace resumable::survey {

struct Edge {
  std::size_t from = 0;  ///< index of the node
  std::string as{};      ///< `value`, `each`, `items`, `matching`, `after`, `when`, `unless`
};

struct GraphNode {
  std::string name{};
  std::string recorded{};  ///< under which its records are
  std::string kind{};      ///< `input`, `secret`, `condition`, `stage`, `fan_out`, `queue`
  std::uint32_t revision = 1;
  std::vector<Edge> edges{};  ///< what it depends on
  std::vector<std::string> artifacts{};
};

struct GraphView {
  std::string pipeline{};
  std::vector<GraphNode> nodes{};  ///< in order of declaration, which is topological
};

[[nodiscard]] RESUMABLE_EXPORT GraphView graph_view(const Pipeline& pipeline);

}  // namespace resumable::survey
