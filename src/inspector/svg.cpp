// A layered drawing: each node stands one row below the lowest of those that it depends on.
#include <algorithm>

#include <fmt/format.h>

#include "core/text.hpp"
#include "inspector/drawing.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {
namespace {

constexpr int row_height = 90;
constexpr int box_height = 44;
constexpr int gap = 24;
constexpr int margin = 20;

std::string in_xml(std::string_view text) {
  std::string result;
  for (const char c : core::printable(text)) {
    switch (c) {
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '&': result += "&amp;"; break;
      case '"': result += "&quot;"; break;
      case '\'': result += "&#39;"; break;
      default: result += c;
    }
  }
  return result;
}

struct Box {
  int row = 0;
  int x = 0;
  int width = 0;

  [[nodiscard]] int y() const { return margin + row * row_height; }
  [[nodiscard]] int middle() const { return x + width / 2; }
};

/// Where the boxes are, and how large the picture is.
struct Layout {
  std::vector<Box> boxes{};
  int width = 0;
  int height = 0;
};

Layout layout_of(const Drawing& drawing) {
  Layout layout;
  const auto& nodes = drawing.view.nodes;
  std::vector<int> ends;  // of the rows, so far
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    Box box;
    for (const survey::Edge& edge : nodes[i].edges) {
      box.row = std::max(box.row, layout.boxes[edge.from].row + 1);
    }
    const std::size_t letters =
        std::max(cli::width(core::printable(nodes[i].name)), drawing.remark(i).size() * 4 / 5);
    box.width = 24 + 8 * static_cast<int>(letters);
    const auto row = static_cast<std::size_t>(box.row);
    if (ends.size() <= row) ends.resize(row + 1, margin);
    box.x = ends[row];
    ends[row] += box.width + gap;
    layout.boxes.push_back(box);
  }
  for (const int end : ends) layout.width = std::max(layout.width, end - gap + margin);
  for (Box& box : layout.boxes) {  // each row in the middle
    box.x += (layout.width - (ends[static_cast<std::size_t>(box.row)] - gap + margin)) / 2;
  }
  layout.height =
      2 * margin + box_height + row_height * std::max(0, static_cast<int>(ends.size()) - 1);
  return layout;
}

std::string edge_svg(const Box& from, const Box& to, const survey::Edge& edge) {
  const bool dashed = edge.as == "after" || edge.as == "when" || edge.as == "unless";
  const int top = from.y() + box_height;
  const int bend = (to.y() - top) / 2;
  return fmt::format(
      "<path d=\"M{} {} C{} {} {} {} {} {}\" class=\"edge\"{}><title>{}</title>"
      "</path>\n",
      from.middle(), top, from.middle(), top + bend, to.middle(), to.y() - bend, to.middle(),
      to.y() - 2, dashed ? " stroke-dasharray=\"4 3\"" : "", in_xml(edge.as));
}

std::string node_svg(const Drawing& drawing, std::size_t i, const Box& box) {
  const survey::GraphNode& node = drawing.view.nodes[i];
  const std::string remark = drawing.remark(i);
  const std::string action = drawing.action(i);
  const bool outside = node.kind == "input" || node.kind == "secret";
  std::string text = fmt::format(
      "<g><title>{}{}</title><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" "
      "stroke=\"{}\" class=\"box\"/>",
      in_xml(node.name), action.empty() ? "" : ": " + in_xml(action), box.x, box.y(), box.width,
      box_height, outside ? box_height / 2 : 6, drawing.color(i));
  text += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>", box.middle(),
                      box.y() + (remark.empty() ? 27 : 20), in_xml(node.name));
  if (!remark.empty()) {
    text += fmt::format("<text x=\"{}\" y=\"{}\" class=\"small\">{}</text>", box.middle(),
                        box.y() + 36, in_xml(remark));
  }
  return text + "</g>\n";
}

}  // namespace

std::string as_svg(const Drawing& drawing) {
  const Layout layout = layout_of(drawing);
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
      "{1}\" role=\"img\">\n<title>{2}</title>\n"
      "<style>text{{font:14px sans-serif;text-anchor:middle;fill:#222}}.small{{font-size:11px;"
      "fill:#666}}.box{{fill:#fff;stroke-width:2}}.edge{{fill:none;stroke:#888;marker-end:url(#to)"
      "}}@media(prefers-color-scheme:dark){{text{{fill:#eee}}.small{{fill:#aaa}}.box{{fill:#222}}}}"
      "</style>\n<defs><marker id=\"to\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" "
      "markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0 8 4 0 8z\" "
      "fill=\"#888\"/></marker></defs>\n",
      std::max(layout.width, 2 * margin), layout.height, in_xml(drawing.view.pipeline));
  for (std::size_t i = 0; i < layout.boxes.size(); ++i) {
    for (const survey::Edge& edge : drawing.view.nodes[i].edges) {
      text += edge_svg(layout.boxes[edge.from], layout.boxes[i], edge);
    }
  }
  for (std::size_t i = 0; i < layout.boxes.size(); ++i) {
    text += node_svg(drawing, i, layout.boxes[i]);
  }
  return text + "</svg>\n";
}

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
