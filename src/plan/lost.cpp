// A value that has no record, although a dependent's record says that it was made from it.
//
// No call erases a value and keeps what was made from it, except when it left the pipeline; and a
// merge brings values without what they were made from. Both note their fence (Facts::forgotten):
// records up to it prove nothing. Nor do those that name inputs from which they were not made:
// edits and roll-backs copy the names, and what was adopted was made from none.
#include <algorithm>

#include <fmt/format.h>

#include "core/key.hpp"
#include "plan/judge.hpp"

namespace resumable::plan {

using detail::Arg;
using detail::ArgKind;
using detail::Node;
using detail::NodeKind;

/// The newest record that names its inputs: of a stage, a condition, or, with an item, of that; of
/// a fan-out as a whole, of one of its items.
const Row* Judge::proof(std::uint32_t node, std::string_view item, std::string& path) const {
  const Node& declared = graph_.nodes[node];
  if (declared.kind == NodeKind::condition) {
    path = core::own_key("condition", declared.name).path;
  } else if (declared.kind != NodeKind::fan_out) {
    path = core::stage_key(declared.name).path;
  } else if (!item.empty()) {
    path = core::item_key(declared.name, item).path;
  } else {
    const auto paths = facts_.item_paths(declared.name);
    path = paths.empty() ? std::string{} : paths.front();
  }
  const Row* row = newest_whole(facts_.rows(path));
  const bool proves = row != nullptr && row->head.fence > facts_.forgotten() &&
                      !row->head.has(core::edited) && !row->head.has(core::disputed);
  return proves ? row : nullptr;
}

/// Under which fence the list of items was recorded that has this one; nullopt if it may have been
/// another list when dependents were made, or not all of it.
std::optional<std::uint64_t> Judge::listed(const Subject& subject) const {
  std::uint32_t node = subject.node;
  for (const std::uint32_t root = graph_.list_root(node);; node = graph_.each_arg(node).node) {
    const std::string& stage = graph_.nodes[node].name;
    if (graph_.nodes[node].grows || !facts_.rows(core::about_path("closed", stage, "")).empty()) {
      return std::nullopt;
    }
    if (node == root) break;
  }
  const std::string& root = graph_.nodes[node].name;
  const auto list = facts_.recorded_list(root);
  if (!list || list->find(subject.item, 0) == list->keys.size()) return std::nullopt;
  return newest_whole(facts_.rows(core::own_key("items", root).path))->head.fence;
}

/// Whether the name stood for something else when dependents were made: for an input, for a stage
/// with items, or for one without.
bool Judge::was_another_kind(const Subject& subject) const {
  const std::string& name = graph_.nodes[subject.node].name;
  if (!facts_.rows(core::own_key("input", name).path).empty()) return true;
  if (!subject.item.empty()) return !facts_.rows(core::stage_key(name).path).empty();
  return !facts_.rows(core::own_key("items", name).path).empty() || facts_.item_count(name) != 0;
}

std::optional<Cause> Judge::lost(const Subject& subject) const {
  if (!facts_.rows(subject.path).empty()) return std::nullopt;
  for (const std::uint32_t i : users_[subject.node]) {
    for (const Arg& arg : graph_.nodes[i].args) {
      if (arg.node != subject.node || arg.kind == ArgKind::after) continue;
      const bool whole = arg.kind == ArgKind::value;
      std::string path;
      const Row* row = proof(i, whole ? std::string_view{} : subject.item, path);
      if (row == nullptr) continue;
      if (was_another_kind(subject)) return std::nullopt;
      const auto since = whole && !subject.item.empty() ? listed(subject) : 0;
      if (!since || *since > row->head.fence) continue;
      const std::string& name = graph_.nodes[subject.node].name;
      const std::string input = whole ? name : name + std::string{of_element};
      const auto header = facts_.header(path, row->generation);
      const bool tells = header && header->adopted_by.empty() && header->from_generation == 0 &&
                         std::ranges::count(header->inputs, input, &core::InputIdentity::name) != 0;
      if (!tells) continue;
      return Cause{.reason = Reason::lost,
                   .detail = fmt::format("'{}' was made from it", graph_.nodes[i].shown())};
    }
  }
  return std::nullopt;
}

}  // namespace resumable::plan
