/// @file
/// A pipeline's graph as text, DOT, Mermaid and SVG.
#pragma once

#include <string>
#include <vector>

#include "cli/console.hpp"
#include "resumable/plan.hpp"
#include "survey/graph_view.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {

/// The graph with what a plan says of its stages, in the order of the nodes.
struct Drawing {
  const survey::GraphView& view;
  std::vector<const Decision*> decisions;  ///< nullptr if not a stage, or without a plan

  /// `skip`, `run`, …; "" where that is not known.
  [[nodiscard]] std::string action(std::size_t node) const;
  /// The text after the name: the kind, if it is not simply a stage, and the items.
  [[nodiscard]] std::string remark(std::size_t node) const;
  /// A colour that suits the action, as `#rrggbb`.
  [[nodiscard]] std::string color(std::size_t node) const;
};

[[nodiscard]] std::string as_text(const Drawing& drawing, const cli::Console& console);
[[nodiscard]] std::string as_dot(const Drawing& drawing);
[[nodiscard]] std::string as_mermaid(const Drawing& drawing);
/// Complete, without scripts and references; readable on light and dark pages.
[[nodiscard]] std::string as_svg(const Drawing& drawing);

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
