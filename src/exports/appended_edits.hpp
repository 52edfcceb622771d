/// @file
/// What users have changed in files that fan-outs append to.
///
/// The file is cut into the texts of its items, and each text that has changed is read back into
/// its item's value. All values and the record of the file are one commit: so the values that the
/// record names always yield the text of the file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph.hpp"
#include "exports/folder.hpp"
#include "exports/ledger.hpp"
#include "exports/parts.hpp"
#include "exports/value_edits.hpp"
#include "plan/facts.hpp"
#include "record/run_facts.hpp"
#include "resumable/function_ref.hpp"

namespace resumable::exports {

/// What happens to one edited file.
struct AppendedEdit {
  std::optional<Proposal> proposal;  ///< or it is refused
  std::vector<plan::EditFact> facts;
};

/// Writes nothing, and proposes nothing by itself.
class AppendedEdits {
 public:
  struct Tools {
    const detail::Graph& graph;
    record::RunFacts& facts;
    const ExportLedger& ledger;
    const Folder& folder;
    const ValueEdits& values;
    const std::vector<bool>& runs_again;  ///< by node: whether this call asks that it run again
  };
  using Asks = FunctionRef<bool(const Subject&)>;
  /// `rejects`: whether its edits are to be discarded; without an item, those of the whole stage.
  /// `is_edited`: whether another file of that item was edited.
  AppendedEdits(Tools tools, Asks rejects, Asks is_edited)
      : tools_(tools), rejects_(rejects), is_edited_(is_edited) {}

  /// nullopt: the file is not edited, or not known.
  [[nodiscard]] std::optional<AppendedEdit> look(std::uint32_t node,
                                                 const detail::Artifact& artifact) const;

 private:
  struct File;
  struct Change;
  struct Attempt;
  [[nodiscard]] bool has_more_items(const File& file, bool of_same_lease) const;
  [[nodiscard]] AppendedEdit give_up(const File& file) const;
  [[nodiscard]] AppendedEdit refuse(const File& file, Reason reason, const std::string& why) const;
  [[nodiscard]] AppendedEdit take_over(const File& file) const;
  [[nodiscard]] std::optional<std::string> former_text(const File& file,
                                                       const AppendedSoFar::Part& part) const;
  [[nodiscard]] Attempt attempt(const File& file, const Split& split,
                                const std::vector<std::size_t>& places) const;
  [[nodiscard]] std::string take(const File& file, Change& change) const;
  [[nodiscard]] AppendedEdit propose(const File& file, std::vector<Change> changes) const;
  [[nodiscard]] const plan::Row* row_of(const std::string& path, const Digest& identity) const;

  Tools tools_;
  Asks rejects_;
  Asks is_edited_;
};

}  // namespace resumable::exports
