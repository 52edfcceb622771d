/// @file
/// The declared graph. Nodes are in order of declaration, which is a topological order.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/pattern.hpp"
#include "core/redaction.hpp"
#include "resumable/detail/node.hpp"

namespace resumable {
inline namespace v0 {
namespace detail {

class Graph : public std::enable_shared_from_this<Graph> {
 public:
  std::string pipeline;
  std::vector<Node> nodes;
  std::vector<std::vector<core::Pattern>> patterns;      ///< per node, beside Node::artifacts
  std::unordered_map<std::string, std::uint32_t> names;  ///< lower-cased, also former ones
  std::unordered_multimap<std::string, std::uint32_t> exported;  ///< folded pattern, to the nodes
  std::shared_ptr<core::Redaction> redaction;                    ///< or null: nothing is redacted
  bool recorded = false;  ///< read from a run's records: it can be planned against, and not run
  std::shared_ptr<const Graph> copied;  ///< the pipeline's own, if this is a copy for one run
  std::deque<ValueType> types;          ///< of a recorded graph: what its nodes point to

  /// What handles of the pipeline refer to.
  [[nodiscard]] const Graph* own() const noexcept { return copied ? copied.get() : this; }
  /// The index of the node that is, was or is recorded under this name; nodes.size() if none is.
  [[nodiscard]] std::size_t find(std::string_view name) const noexcept;
  /// Whether a node keeps its records under this name.
  [[nodiscard]] bool records(std::string_view name) const noexcept;
  /// @throws Error{Errc::unknown_stage}  with a 'did you mean'
  [[nodiscard]] std::uint32_t stage(std::string_view name) const;
  /// Whether `later` depends on `earlier`, directly or not, by value or order.
  [[nodiscard]] bool depends(std::uint32_t later, std::uint32_t earlier) const;
  /// All nodes whose names start with what may be run: stages and fan-outs.
  [[nodiscard]] std::vector<std::string> stage_names() const;
  /// The root list whose items a fan-out runs over: the node itself, or the fan-out whose keys it
  /// inherits.
  [[nodiscard]] std::uint32_t list_root(std::uint32_t fan_out) const;
  /// The message of a stage's function as it is recorded and reported: with secrets and redacted
  /// fields replaced, and cut after 64 KiB.
  [[nodiscard]] std::string message(std::string text) const;
  /// The argument that decides the items.
  [[nodiscard]] const Arg& each_arg(std::uint32_t fan_out) const;
};

[[nodiscard]] inline bool is_stage(const Node& node) noexcept {
  return node.kind == NodeKind::stage || node.kind == NodeKind::fan_out;
}
[[nodiscard]] inline bool is_input(const Node& node) noexcept {
  return node.kind == NodeKind::input || node.kind == NodeKind::files ||
         node.kind == NodeKind::secret;
}

}  // namespace detail
}  // namespace v0
}  // namespace resumable
