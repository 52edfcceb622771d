/// @file
/// Turns a folder that never had checkpoints into a run: finds out what the files of each stage
/// show.
///
/// A stage or item without a record takes its value from its file instead of calling its function,
/// once its inputs are known: so the value is recorded as made from these, and later changes are
/// noticed. If several stages write one file in turn, each of them takes the text in the file, up
/// to the last one whose mark is in it (Pipeline::adopt_if). Later stages start from that text, and
/// nothing runs again that the file shows to have been done.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph.hpp"
#include "exports/folder.hpp"
#include "exports/ledger.hpp"
#include "plan/decider.hpp"
#include "plan/planner.hpp"
#include "record/run_facts.hpp"

namespace resumable::exports {

/// What the files of a stage or item without a record yield.
struct Offer {
  detail::AnyValue value{};  ///< nullptr: see `problem`
  std::string path{};        ///< the file that it was made of
  std::string problem{};     ///< why the file at `path` gives no value
  std::string by{};          ///< the user who adopts it
};

/// Used by one thread.
class Adoption final : public plan::Adopting {
 public:
  /// All must outlive it.
  struct Tools {
    const detail::Graph& graph;
    const record::RunFacts& facts;
    const ExportLedger& ledger;
    const Folder& folder;
    const plan::Decider& decider;
  };
  Adoption(Tools tools, std::string user) : tools_(tools), user_(std::move(user)) {}

  void look(std::uint32_t node, plan::NodeState& state,
            std::span<const plan::NodeState> before) override;

  /// nullopt: it has a record, no file, or its file does not show that it was done.
  [[nodiscard]] std::optional<Offer> offer(std::uint32_t node, const plan::NodeState& state,
                                           std::optional<std::size_t> item);

 private:
  struct Place {
    std::string key;
    std::size_t position = 0;
  };
  void look_stage(std::uint32_t node, plan::NodeState& state);
  void look_items(std::uint32_t node, plan::NodeState& state,
                  std::span<const plan::NodeState> before);
  void list_items(std::uint32_t node, plan::NodeState& state,
                  std::span<const plan::NodeState> before);
  void summarise(plan::NodeState& state, std::size_t adopted, Cause first) const;
  [[nodiscard]] Cause cause_of(const Offer& offer) const;
  [[nodiscard]] std::vector<Place> places(std::uint32_t node, const plan::NodeState& state) const;
  [[nodiscard]] bool is_done(std::uint32_t node, const plan::NodeState& state);
  [[nodiscard]] bool shows(std::uint32_t node, std::size_t artifact,
                           const std::vector<Place>& places) const;
  [[nodiscard]] bool is_free(const std::string& path, const Digest& content) const;
  [[nodiscard]] detail::AnyValue read(std::uint32_t node, const Place& place, Offer& offer) const;

  Tools tools_;
  std::string user_;
  std::map<std::uint32_t, detail::AnyValue> values_;  ///< of stages that the plan adopts
  struct Known {
    bool looked = false;
    std::size_t items = 0;  ///< a queue's list grows
    bool done = false;
  };
  std::map<std::uint32_t, Known> known_;  ///< of which nodes the files show that they were done
};

}  // namespace resumable::exports
