#include "survey/graph_view.hpp"

#include "core/graph.hpp"
#include "core/text.hpp"

namespace resumable::survey {
namespace {

std::string kind_of(const detail::Node& node) {
  static constexpr std::string_view names[] = {"input",     "input", "secret",
                                               "condition", "stage", "fan_out"};
  return node.grows ? "queue"
                    : std::string{core::name_in<detail::NodeKind::fan_out>(names, node.kind)};
}

std::string as_of(const detail::Arg& arg) {
  static constexpr std::string_view names[] = {"value", "each", "matching", "after"};
  const bool items = arg.kind == detail::ArgKind::each && !arg.list;
  return items ? "items" : std::string{core::name_in<detail::ArgKind::after>(names, arg.kind)};
}

}  // namespace

GraphView graph_view(const Pipeline& pipeline) {
  const detail::Graph& graph = detail::graph_of(pipeline);
  GraphView view{.pipeline = graph.pipeline};
  for (const detail::Node& node : graph.nodes) {
    GraphNode& to = view.nodes.emplace_back();
    to.name = node.shown();
    to.recorded = node.name;
    to.kind = kind_of(node);
    to.revision = node.revision;
    for (const detail::Arg& arg : node.args) to.edges.push_back({arg.node, as_of(arg)});
    if (node.when.graph != nullptr) {
      to.edges.push_back({node.when.node, node.when.expected ? "when" : "unless"});
    }
    for (const detail::Artifact& one : node.artifacts) to.artifacts.push_back(one.pattern);
    for (const detail::Artifact& one : node.appended) to.artifacts.push_back(one.pattern);
  }
  return view;
}

}  // namespace resumable::survey
