#include "core/graph.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/secrets.hpp"
#include "core/text.hpp"
#include "resumable/error.hpp"

namespace resumable {
inline namespace v0 {
namespace detail {

std::size_t Graph::find(std::string_view name) const noexcept {
  const auto found = names.find(core::lower(name));
  if (found == names.end()) return nodes.size();
  const Node& node = nodes[found->second];
  const bool is_it =
      node.name == name || node.declared == name || std::ranges::count(node.was, name) > 0;
  return is_it ? found->second : nodes.size();
}

bool Graph::records(std::string_view name) const noexcept {
  const std::size_t node = find(name);
  return node < nodes.size() && nodes[node].name == name;
}

std::vector<std::string> Graph::stage_names() const {
  std::vector<std::string> list;
  for (const Node& node : nodes) {
    if (is_stage(node)) list.push_back(node.shown());
  }
  return list;
}

std::uint32_t Graph::stage(std::string_view name) const {
  const std::size_t index = find(name);
  if (index < nodes.size() && is_stage(nodes[index])) return static_cast<std::uint32_t>(index);
  if (index < nodes.size()) {
    throw Error(Errc::unknown_stage,
                {.what = fmt::format("'{}' is an input or a condition of pipeline {}, not a stage",
                                     name, pipeline),
                 .kept = "nothing was changed",
                 .next = fmt::format("the stages are {}", fmt::join(stage_names(), ", "))});
  }
  const std::vector<std::string> known = stage_names();
  const std::string guess = core::did_you_mean(name, known);
  throw Error(Errc::unknown_stage,
              {.what = fmt::format("no stage '{}' in pipeline {}.{}", core::printable(name),
                                   pipeline, guess.empty() ? "" : " Did you mean '" + guess + "'?"),
               .kept = "nothing was changed",
               .next = fmt::format("the stages are {}", fmt::join(known, ", "))});
}

bool Graph::depends(std::uint32_t later, std::uint32_t earlier) const {
  if (later == earlier) return true;
  std::vector<bool> reached(nodes.size());
  reached[earlier] = true;
  for (std::uint32_t i = earlier + 1; i <= later; ++i) {
    for (const Arg& arg : nodes[i].args) reached[i] = reached[i] || reached[arg.node];
    if (nodes[i].when.graph != nullptr) reached[i] = reached[i] || reached[nodes[i].when.node];
  }
  return reached[later];
}

std::string Graph::message(std::string text) const {
  if (text.empty()) return text;
  constexpr std::size_t most = std::size_t{64} * 1024;
  for (const Node& node : nodes) core::mask(text, node.hidden, "(secret)");
  if (redaction) text = redaction->mask(std::move(text));
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + fmt::format("… ({} bytes more)", text.size() - end);
}

const Arg& Graph::each_arg(std::uint32_t fan_out) const {
  for (const Arg& arg : nodes[fan_out].args) {
    if (arg.kind == ArgKind::each) return arg;
  }
  throw Error(Errc::bad_option, {.what = "stage '" + nodes[fan_out].shown() + "' has no items"});
}

std::uint32_t Graph::list_root(std::uint32_t fan_out) const {
  const Arg& arg = each_arg(fan_out);
  return arg.list ? fan_out : list_root(arg.node);
}

}  // namespace detail
}  // namespace v0
}  // namespace resumable
