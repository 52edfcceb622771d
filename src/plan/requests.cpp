#include "plan/requests.hpp"

#include <algorithm>
#include <memory>

#include "core/key.hpp"
#include "plan/choices.hpp"
#include "plan/decider.hpp"

namespace resumable::plan {

bool covers(const detail::Graph& graph, const Request& request, std::uint32_t node,
            std::string_view item) {
  switch (request.what) {
    case Request::What::fresh: return true;
    case Request::What::from: return graph.depends(node, request.node);
    case Request::What::redo:
      return request.node == node && (request.item.empty() || request.item == item);
    case Request::What::accept:
    case Request::What::pin:
    case Request::What::ignore: return false;  // they keep it from running
  }
  return false;
}

namespace {

bool is_requested(const std::vector<Cause>& causes) {
  return std::any_of(causes.begin(), causes.end(),
                     [](const Cause& cause) { return cause.reason == Reason::requested; });
}

bool is_item_pending(const NodeState& state, std::size_t place) {
  const auto causes = state.causes.find(place);
  return causes != state.causes.end() && is_requested(causes->second);
}

// Whether an item's newest whole record was made before the request.
bool is_older(const Facts& facts, std::string_view stage, std::string_view item,
              const Request& request) {
  const Row* row = newest_whole(facts.rows(core::item_key(stage, item).path));
  return row != nullptr && row->head.fence < request.fence;
}

bool has_pending_item(const detail::Node& node, const Facts& facts, const Request& request,
                      const NodeState& state) {
  // While the list is being made again, no item has been decided yet. The request must not be
  // forgotten meanwhile, so the items of the former list are used: an item whose record is older
  // than the request has not been made again.
  const auto list = state.list ? state.list : facts.items(node.name, node.revision);
  if (!list) return false;
  for (std::size_t i = 0; i < list->keys.size(); ++i) {
    const std::string_view key = list->keys[i];
    if (!request.item.empty() && request.item != key) continue;
    const bool pending =
        state.list ? is_item_pending(state, i) : is_older(facts, node.name, key, request);
    if (pending) return true;
  }
  return false;
}

}  // namespace

bool is_pending(const detail::Graph& graph, const Facts& facts, const Request& request,
                std::span<const NodeState> states) {
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
    const detail::Node& node = graph.nodes[i];
    const NodeState& state = states[i];
    // Inputs and conditions are read at every start; a stage that is not taken has nothing to run.
    if (!is_stage(node) || !state.taken) continue;
    if (!covers(graph, request, i, request.item)) continue;
    const bool pending = node.kind == detail::NodeKind::fan_out
                             ? has_pending_item(node, facts, request, state)
                             : is_requested(state.decision.causes);
    if (pending) return true;
  }
  return false;
}

std::vector<Request> merge_requests(const detail::Graph& graph, const Facts& facts,
                                    const std::vector<Request>& recorded,
                                    const std::vector<Request>& asked, bool strict) {
  std::vector<Request> all = recorded;
  std::vector<NodeState> states;
  for (const Request& wish : asked) {
    if (is_choice(wish)) {
      merge_choice(graph, wish, all);
      continue;
    }
    const auto same = std::find_if(all.begin(), all.end(), [&](const Request& one) {
      return one.what == wish.what && one.node == wish.node && one.item == wish.item;
    });
    if (same == all.end()) {
      all.push_back(wish);
      continue;
    }
    if (states.empty()) states = Decider{graph, facts, recorded, strict}.decide_all();
    // After a kill in the middle of `--redo a --redo b`, the user types the same command again.
    // What was made again before the kill has to be kept, so the requests of one call (one fence)
    // stay as they are until all of them are fulfilled. Only after that does the same request mean
    // 'once more'.
    const bool open = std::any_of(recorded.begin(), recorded.end(), [&](const Request& one) {
      return one.fence == same->fence && is_pending(graph, facts, one, states);
    });
    if (!open) *same = wish;
  }
  return all;
}

}  // namespace resumable::plan
