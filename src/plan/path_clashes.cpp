#include "plan/path_clashes.hpp"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "core/pattern.hpp"
#include "core/text.hpp"

namespace resumable::plan {
namespace {

using detail::Graph;

/// Calls `visit(path, who)` for every path of a stage, or of its items as far as they are known.
template <class Visit>
void for_each_path(const Graph& graph, const NodeState& state, std::uint32_t node,
                   const Visit& visit) {
  const std::string& stage = graph.nodes[node].shown();
  for (const core::Pattern& pattern : graph.patterns[node]) {
    if (graph.nodes[node].kind != detail::NodeKind::fan_out) {
      visit(pattern.path("", 0), fmt::format("stage '{}'", stage));
      continue;
    }
    for (std::size_t i = 0; state.list && i < state.list->keys.size(); ++i) {
      if (state.list->repeats.contains(i)) continue;
      visit(pattern.path(state.list->keys[i], i + 1),
            fmt::format("item '{}' of stage '{}'", core::printable(state.list->keys[i]), stage));
    }
  }
}

}  // namespace

std::optional<PathClash> find_clash(const Graph& graph, std::span<const NodeState> states,
                                    std::uint32_t node) {
  std::unordered_map<std::string, std::string> seen;  // folded path, to who exports it
  std::optional<PathClash> clash;
  const auto found = [&](const std::string& one, const std::string& other, const std::string& path,
                         const char* next) {
    if (!clash) clash = {fmt::format("{} and {} both export '{}'", one, other, path), next};
  };
  for_each_path(graph, states[node], node, [&](const std::string& path, const std::string& who) {
    const auto [other, fresh] = seen.emplace(core::fold_path(path), who);
    if (!fresh) found(other->second, who, path, "put {position} into the artifact's pattern");
  });
  for (std::uint32_t i = 0; i < states.size() && !seen.empty() && !clash; ++i) {
    const bool chained = graph.depends(std::max(i, node), std::min(i, node));
    if (i == node || chained || !states[i].taken) continue;
    for_each_path(graph, states[i], i, [&](const std::string& path, const std::string& who) {
      const auto other = seen.find(core::fold_path(path));
      if (other == seen.end()) return;
      found(other->second, who, path, "give one of the two artifacts a different path");
    });
  }
  return clash;
}

}  // namespace resumable::plan
