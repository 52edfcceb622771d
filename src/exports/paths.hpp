/// @file
/// Checks that no path is exported twice, and that no foreign file is in the way of one.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "core/graph.hpp"
#include "exports/folder.hpp"
#include "exports/ledger.hpp"
#include "plan/state.hpp"

namespace resumable::exports {

/// Checks the paths of fan-outs, whose items are known only during the run. Used by one thread.
class PathChecks {
 public:
  /// All must outlive it; `folder` may be nullptr.
  PathChecks(const detail::Graph& graph, const ExportLedger& ledger, const Folder* folder,
             const std::vector<plan::NodeState>& states)
      : graph_(graph), ledger_(ledger), folder_(folder), states_(states) {}

  /// Two items that map to one path, and an item and a stage that do, are found before any item
  /// runs. @throws Error{Errc::path_conflict}
  void check_unique(std::uint32_t node) const;
  /// The same for items of a queue as they join it: those from place `from` on.
  /// @throws Error{Errc::path_conflict}
  void claim(std::uint32_t node, std::size_t from);
  /// Forgets which paths the items of queues have.
  void reset() { claimed_.clear(); }
  /// Planning did not know the paths of the items from place `from` on: a file there that is not
  /// ours stays and is named before any of them runs.
  /// @throws Error{Errc::edited}, Error{Errc::unreadable}
  void check_free(std::uint32_t node, std::size_t from) const;

 private:
  const detail::Graph& graph_;
  const ExportLedger& ledger_;
  const Folder* folder_;
  const std::vector<plan::NodeState>& states_;
  /// By queue: the folded path, and the item that has it.
  std::unordered_map<std::uint32_t, std::unordered_map<std::string, std::string>> claimed_;
};

}  // namespace resumable::exports
