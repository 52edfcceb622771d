// Fan-outs that an item has closed by Context::close().
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "plan/decider.hpp"

namespace resumable::plan {

using detail::Node;

// A closed fan-out has the items that it was closed with; nullopt: it is open.
std::optional<NodeState> Decider::decide_closed(std::uint32_t node, const NodeState& open,
                                                std::span<const NodeState> before) const {
  const Node& declared = graph_.nodes[node];
  const auto closed = facts_.closed(declared.name);
  if (!closed || closed->revision != declared.revision || requested(node, "", closed->fence)) {
    return std::nullopt;
  }
  const auto now = fingerprint(inputs(node, open, std::nullopt, before));
  if (!now || *now != closed->fingerprint) return std::nullopt;
  const std::set<std::string_view> kept(closed->items.begin(), closed->items.end());
  auto list = std::make_shared<ItemList>();
  list->list = open.list->list;
  list->whole = open.list;
  for (std::size_t i = 0; i < open.list->keys.size(); ++i) {
    if (open.list->repeats.contains(i)) continue;
    const bool stays = closed->is_settled ? kept.contains(open.list->keys[i])
                                          : open.items[i].action == Action::skip;
    if (!stays) continue;
    list->keys.push_back(open.list->keys[i]);
    list->digests.push_back(open.list->digests[i]);
    list->places_in_whole.push_back(static_cast<std::uint32_t>(i));
  }
  // An item of a queue is not known while the one that has enqueued it has to run again.
  if (list->keys.size() < kept.size()) return std::nullopt;
  static_cast<void>(list->find_repeats());
  NodeState state;
  state.decision = {.stage = declared.shown(), .fan_out = true};
  state.list = std::move(list);
  state.closed = closed;
  decide_items(node, state, before);
  auto& causes = state.decision.causes;
  std::erase_if(causes, [](const Cause& cause) { return cause.reason == Reason::done; });
  Cause cause{.reason = Reason::closed,
              .subject = closed->item,
              .detail = fmt::format("{} ({} of {} items)", closed->reason, state.items.size(),
                                    open.list->keys.size())};
  const bool first = state.decision.action == Action::skip;
  causes.insert(first ? causes.begin() : causes.end(), std::move(cause));
  return state;
}

}  // namespace resumable::plan
