/// @file
/// Decides: skip, run, decide, wait or refuse, for each stage and item, with all causes.
///
/// This is the only place where that is decided. Planning calls it for every node in order; running
/// calls it again for a node once its inputs are known, with the same facts plus what was
/// committed.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/graph.hpp"
#include "plan/facts.hpp"
#include "plan/judge.hpp"
#include "plan/state.hpp"

namespace resumable::plan {

class Adopting;

class Decider {
 public:
  /// All must outlive it. `strict` refuses damage instead of working around it.
  Decider(const detail::Graph& graph, const Facts& facts, std::vector<Request> requests,
          bool strict)
      : graph_(graph), facts_(facts), judge_(graph, facts, std::move(requests), strict) {}

  /// The state of `node`, given those of all nodes before it.
  [[nodiscard]] NodeState decide(std::uint32_t node, std::span<const NodeState> before) const;

  /// The states of all nodes. A stage whose value was dropped runs again if that is needed. Where
  /// it is not known yet, the state is `decide`, and lacks_value() tells when it is known.
  [[nodiscard]] std::vector<NodeState> decide_all(Adopting* adopting = nullptr);
  /// Whether this node, whose inputs are known, is to run and a value that it takes was dropped.
  /// From then on, decisions are made with that in mind: all have to be made again.
  [[nodiscard]] bool lacks_value(std::uint32_t node, const NodeState& state,
                                 std::span<const NodeState> before);

  /// Of a fan-out, with this list of items instead of the recorded one.
  [[nodiscard]] NodeState decide_over(std::uint32_t node, std::shared_ptr<const ItemList> list,
                                      std::span<const NodeState> before) const;

  /// The identities of a node's inputs (of one item, when given); what is unknown has none.
  [[nodiscard]] std::vector<KnownInput> inputs(std::uint32_t node, const NodeState& self,
                                               std::optional<std::size_t> item,
                                               std::span<const NodeState> before) const;
  /// nullopt while an input is unknown.
  [[nodiscard]] static std::optional<Digest> fingerprint(const std::vector<KnownInput>& inputs);

  /// Decides for the items of a fan-out that have joined its list since it was decided, and for
  /// those that they have enqueued themselves.
  void extend(std::uint32_t node, NodeState& state, std::span<const NodeState> before) const;
  /// The list gets what this item of a queue has enqueued with its value.
  /// @throws Error{Errc::duplicate_name}
  void grow(std::uint32_t node, NodeState& state, std::size_t item) const;

  /// As Judge::requested().
  [[nodiscard]] bool requested(std::uint32_t node, std::string_view item,
                               std::uint64_t fence) const {
    return judge_.requested(node, item, fence);
  }

  /// The fence of the last request that asks for it again; 0 when none does.
  [[nodiscard]] std::uint64_t epoch(std::uint32_t node, std::string_view item) const {
    return judge_.epoch(node, item);
  }

  [[nodiscard]] const detail::Graph& graph() const noexcept { return graph_; }
  [[nodiscard]] const Choices& choices() const noexcept { return judge_.choices(); }
  [[nodiscard]] bool strict() const noexcept { return judge_.strict(); }
  [[nodiscard]] const std::vector<Request>& requests() const noexcept { return judge_.requests(); }
  void requests(std::vector<Request> requests) { judge_.requests(std::move(requests)); }

 private:
  [[nodiscard]] NodeState decide_input(std::uint32_t node) const;
  [[nodiscard]] NodeState decide_stage(std::uint32_t node, std::span<const NodeState> before) const;
  [[nodiscard]] NodeState decide_fan_out(std::uint32_t node,
                                         std::span<const NodeState> before) const;
  /// Of the element of a list, or the item of a fan-out, that this item takes.
  [[nodiscard]] std::optional<Digest> own_identity(const detail::Arg& arg, const NodeState& self,
                                                   std::size_t item,
                                                   std::span<const NodeState> before) const;
  [[nodiscard]] std::shared_ptr<const ItemList> recorded_list(std::uint32_t node) const;
  [[nodiscard]] std::shared_ptr<const Enqueued> enqueued(std::uint32_t node,
                                                         const std::string& item) const;
  [[nodiscard]] Cause why_unlisted(std::uint32_t node, const Digest& list) const;
  [[nodiscard]] std::optional<NodeState> not_taken(std::uint32_t node,
                                                   std::span<const NodeState> before) const;
  void decide_items(std::uint32_t node, NodeState& state, std::span<const NodeState> before) const;
  [[nodiscard]] std::optional<NodeState> decide_closed(std::uint32_t node, const NodeState& open,
                                                       std::span<const NodeState> before) const;
  void decide_item(std::uint32_t node, NodeState& state, std::size_t i,
                   std::span<const NodeState> before) const;
  [[nodiscard]] bool need(std::uint32_t node, bool is_certain, std::span<const NodeState> states);
  class KeptItems;

  const detail::Graph& graph_;
  const Facts& facts_;
  Judge judge_;
};

}  // namespace resumable::plan
