/// @file
/// Decides: skip, run, decide, wait or refuse, for each stage and item, with all causes.
///
/// The one place where that is decided. Planning calls it for every node in order; running calls
/// it again for a node once its inputs are settled, with the same facts plus what was committed.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/graph.hpp"
#include "plan/facts.hpp"
#include "plan/state.hpp"

namespace resumable::inline v0::plan {

class Decider {
 public:
  /// All must outlive it. `strict` refuses damage instead of working around it.
  Decider(const detail::Graph& graph, const Facts& facts, std::vector<Request> requests,
          bool strict)
      : graph_(graph), facts_(facts), requests_(std::move(requests)), strict_(strict) {}

  /// The state of `node`, given those of all nodes before it.
  [[nodiscard]] NodeState decide(std::uint32_t node, std::span<const NodeState> before) const;

  /// The identities of a node's inputs (of one item, when given); what is unknown has none.
  struct KnownInput {
    std::string name;
    std::optional<Digest> identity;
    bool exempt = false;  ///< order alone, or secret: never part of the fingerprint
  };
  [[nodiscard]] std::vector<KnownInput> inputs(std::uint32_t node, const NodeState& self,
                                               std::optional<std::size_t> item,
                                               std::span<const NodeState> before) const;
  /// nullopt while an input is unknown.
  [[nodiscard]] static std::optional<Digest> fingerprint(const std::vector<KnownInput>& inputs);

  [[nodiscard]] bool strict() const noexcept { return strict_; }
  [[nodiscard]] const std::vector<Request>& requests() const noexcept { return requests_; }
  void requests(std::vector<Request> requests) { requests_ = std::move(requests); }

 private:
  struct Subject;
  struct Verdict;
  [[nodiscard]] NodeState decide_input(std::uint32_t node) const;
  [[nodiscard]] NodeState decide_stage(std::uint32_t node, std::span<const NodeState> before) const;
  [[nodiscard]] NodeState decide_fan_out(std::uint32_t node, std::span<const NodeState> before) const;
  [[nodiscard]] Cause why_unlisted(std::uint32_t node, const Digest& list) const;
  [[nodiscard]] std::optional<NodeState> not_taken(std::uint32_t node,
                                                   std::span<const NodeState> before) const;
  void decide_items(std::uint32_t node, NodeState& state, std::span<const NodeState> before) const;
  struct Usable;
  [[nodiscard]] Verdict judge(const Subject& subject) const;
  [[nodiscard]] Usable find_usable(const Subject& subject) const;
  bool gate(const Subject& subject, const Row& row, Verdict& verdict) const;
  void stale(const Subject& subject, const Usable& usable, Verdict& verdict) const;
  void compare_inputs(const Subject& subject, const Usable& usable, Verdict& verdict) const;
  void age(const Subject& subject, const core::Header& header, Verdict& verdict) const;
  void no_record(const Subject& subject, Verdict& verdict) const;
  void approval(const Subject& subject, Verdict& verdict) const;
  [[nodiscard]] bool requested(std::uint32_t node, std::string_view item, std::uint64_t fence) const;
  [[nodiscard]] bool names(std::uint32_t node, std::string_view item) const;

  struct Shape {
    std::string text;
    std::uint32_t hash = 0;
  };
  [[nodiscard]] const Shape& shape_of(const detail::ValueType& type) const;

  const detail::Graph& graph_;
  const Facts& facts_;
  std::vector<Request> requests_;
  bool strict_;
  mutable std::map<const detail::ValueType*, Shape> shapes_;  ///< asked for once, not per item
};

/// What is wrong with a record, as a cause with its file.
[[nodiscard]] Cause damage_cause(const Facts& facts, std::string_view path,
                                 std::uint64_t generation, Damage damage);

}  // namespace resumable::inline v0::plan
