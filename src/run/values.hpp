/// @file
/// The values that stages are called with.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/graph.hpp"
#include "plan/state.hpp"
#include "record/read_ahead.hpp"
#include "record/run_facts.hpp"

namespace resumable::run {

/// Keeps a value in memory as long as a stage that depends on it may need it, and loads what is not
/// there. Used by one thread.
class Values {
 public:
  /// All must outlive it.
  Values(const detail::Graph& graph, const record::RunFacts& facts,
         const std::vector<plan::NodeState>& states)
      : graph_(graph), facts_(facts), states_(states) {}

  /// Drops all; `dependents` says for each node how many others depend on it.
  void reset(const std::vector<std::size_t>& dependents);

  /// What a stage, or an item of it, gets for this argument. @throws DamagedRecord, Error
  [[nodiscard]] detail::AnyValue argument(std::uint32_t node, const detail::Arg& arg,
                                          std::optional<std::size_t> item);
  /// The value of a node; that of a fan-out is the list of its items' values.
  /// @throws DamagedRecord, Error
  [[nodiscard]] const detail::AnyValue& of(std::uint32_t node);
  /// An item's value if it is in memory, or nullptr.
  [[nodiscard]] detail::AnyValue in_memory(std::uint32_t node, std::size_t item) const;

  /// These items of `node` will be asked for their arguments, in this order.
  void expect(std::uint32_t node, const std::deque<std::size_t>& items);

  /// A new value: kept if anything depends on the node.
  void keep(std::uint32_t node, detail::AnyValue value);
  void keep_item(std::uint32_t node, std::size_t item, detail::AnyValue value);
  /// The items of a fan-out are now at other places than in `former`.
  void reorder(std::uint32_t node, const plan::ItemList& former);
  /// One dependent of the node no longer needs its value. The value is dropped after the last; the
  /// report loads it again on demand.
  void release(std::uint32_t node);

 private:
  struct Kept {
    std::size_t dependents = 0;
    detail::AnyValue value;
    std::vector<detail::AnyValue> items;
    std::unique_ptr<record::ReadAhead> ahead;  ///< items that are expected, if any are
  };
  [[nodiscard]] detail::AnyValue item_of(std::uint32_t node, std::string_view key,
                                         std::size_t hint);
  void expect_item(std::uint32_t node, std::size_t item);

  const detail::Graph& graph_;
  const record::RunFacts& facts_;
  const std::vector<plan::NodeState>& states_;
  std::vector<Kept> kept_;  ///< by node
};

}  // namespace resumable::run
