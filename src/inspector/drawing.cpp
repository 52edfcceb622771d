#include "inspector/drawing.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {
namespace {

/// For a string in double quotes of the DOT language.
std::string in_dot(std::string_view text) {
  std::string result = "\"";
  for (const char c : core::printable(text)) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

/// For a quoted label of Mermaid, which reads entities written with `#`, and HTML.
std::string in_mermaid(std::string_view text) {
  std::string result = "\"";
  for (const char c : core::printable(text)) {
    switch (c) {
      case '"': result += "#quot;"; break;
      case '#': result += "#35;"; break;
      case '<': result += "#lt;"; break;
      case '>': result += "#gt;"; break;
      case '&': result += "#amp;"; break;
      default: result += c;
    }
  }
  return result + "\"";
}

cli::Mark mark_of(const std::string& action) {
  if (action == "skip") return cli::Mark::done;
  if (action == "run") return cli::Mark::open;
  if (action == "decide") return cli::Mark::stale;
  if (action == "wait") return cli::Mark::waiting;
  return action == "refuse" ? cli::Mark::failed : cli::Mark::note;
}

/// How an edge is labelled; nothing for the usual kind.
std::string label_of(const survey::Edge& edge) { return edge.as == "value" ? "" : edge.as; }

bool is_dashed(const survey::Edge& edge) {
  return edge.as == "after" || edge.as == "when" || edge.as == "unless";
}

}  // namespace

std::string Drawing::action(std::size_t node) const {
  return decisions[node] ? std::string{to_string(decisions[node]->action)} : std::string{};
}

std::string Drawing::remark(std::size_t node) const {
  const std::string& kind = view.nodes[node].kind;
  std::string text = kind == "stage" ? "" : kind == "fan_out" ? "fan-out" : kind;
  const Decision* decision = decisions[node];
  if (decision && decision->fan_out && decision->listed) {
    text += fmt::format(", {} of {} kept", decision->skipped, decision->items);
  }
  return text;
}

std::string Drawing::color(std::size_t node) const {
  const std::string state = action(node);
  if (state == "skip") return "#2e7d32";
  if (state == "run") return "#757575";
  if (state == "decide") return "#b26a00";
  if (state == "wait") return "#7b1fa2";
  return state == "refuse" ? "#c62828" : "#1565c0";
}

std::string as_text(const Drawing& drawing, const cli::Console& console) {
  std::size_t columns = 16;
  for (const auto& node : drawing.view.nodes) columns = std::max(columns, node.name.size());
  std::string text = core::printable(drawing.view.pipeline) + "\n";
  for (std::size_t i = 0; i < drawing.view.nodes.size(); ++i) {
    const survey::GraphNode& node = drawing.view.nodes[i];
    std::vector<std::string> from;
    for (const survey::Edge& edge : node.edges) {
      const std::string label = label_of(edge);
      from.push_back((label.empty() ? "" : label + " ") +
                     core::printable(drawing.view.nodes[edge.from].name));
    }
    const std::string remark = drawing.remark(i);
    text += fmt::format("  {} {}", cli::symbol(console, mark_of(drawing.action(i))),
                        cli::pad(core::printable(node.name), columns));
    if (!remark.empty()) text += "  " + remark;
    if (!from.empty()) {
      text += fmt::format("  {} {}", console.ascii ? "<-" : "←", fmt::join(from, ", "));
    }
    while (text.ends_with(' ')) text.pop_back();
    text += "\n";
  }
  return text;
}

std::string as_dot(const Drawing& drawing) {
  std::string text =
      fmt::format("digraph {} {{\n  rankdir=TB;\n  node [shape=box, style=rounded];\n",
                  in_dot(drawing.view.pipeline));
  for (std::size_t i = 0; i < drawing.view.nodes.size(); ++i) {
    const survey::GraphNode& node = drawing.view.nodes[i];
    const std::string remark = drawing.remark(i);
    const char* shape = node.kind == "input" || node.kind == "secret" ? ", shape=ellipse"
                        : node.kind == "condition"                    ? ", shape=diamond"
                                                                      : "";
    std::string label = in_dot(node.name);
    if (!remark.empty())
      label = label.substr(0, label.size() - 1) + "\\n" + in_dot(remark).substr(1);
    text += fmt::format("  n{} [label={}, color=\"{}\", tooltip={}{}];\n", i, label,
                        drawing.color(i), in_dot(drawing.action(i)), shape);
    for (const survey::Edge& edge : node.edges) {
      const std::string edge_label = label_of(edge);
      text += fmt::format("  n{} -> n{}", edge.from, i);
      if (!edge_label.empty()) {
        text += fmt::format(" [label={}{}]", in_dot(edge_label),
                            is_dashed(edge) ? ", style=dashed" : "");
      }
      text += ";\n";
    }
  }
  return text + "}\n";
}

std::string as_mermaid(const Drawing& drawing) {
  std::string text = "flowchart TB\n";
  std::string styles;
  for (std::size_t i = 0; i < drawing.view.nodes.size(); ++i) {
    const survey::GraphNode& node = drawing.view.nodes[i];
    const std::string remark = drawing.remark(i);
    const std::string label =
        in_mermaid(remark.empty() ? node.name : node.name + " (" + remark + ")");
    const bool outside = node.kind == "input" || node.kind == "secret";
    const char* open = outside ? "([" : node.kind == "condition" ? "{" : "[";
    const char* close = outside ? "])" : node.kind == "condition" ? "}" : "]";
    text += fmt::format("  n{}{}{}{}\n", i, open, label, close);
    styles += fmt::format("  style n{} stroke:{}\n", i, drawing.color(i));
    for (const survey::Edge& edge : node.edges) {
      const std::string edge_label = label_of(edge);
      const char* line = is_dashed(edge) ? "-.->" : "-->";
      text += fmt::format("  n{} {}{} n{}\n", edge.from, line,
                          edge_label.empty() ? "" : "|" + edge_label + "|", i);
    }
  }
  return text + styles;
}

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
