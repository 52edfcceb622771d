/// @file
/// What users have changed in exported files, and what happens to it.
///
/// An edit is adopted by writing a record: the next generation of the stage's value, with the
/// present bytes of the file as its export. Everything else follows from that record as from any
/// other: the stage is up to date, its file is as exported, and stages that depend on it see a
/// different input. While planning, these records are only proposed: the facts show them as if they
/// existed. A call to resume() commits them before anything runs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph.hpp"
#include "exports/folder.hpp"
#include "exports/ledger.hpp"
#include "exports/publisher.hpp"
#include "exports/value_edits.hpp"
#include "plan/facts.hpp"
#include "record/draft.hpp"
#include "record/run_facts.hpp"

namespace resumable::exports {

/// What a user has chosen for a stage or item.
struct Choice {
  std::uint32_t node = 0;
  std::string item;  ///< empty: the stage, or all items

  bool operator==(const Choice&) const = default;
};

class Edits {
 public:
  struct Tools {
    const detail::Graph& graph;
    record::RunFacts& facts;
    ExportLedger& ledger;
    const Folder& folder;
  };
  /// `reject`: discards the change that no call has adopted yet; if there is none, all edits, and
  /// the stage's own value comes back. `accept`: if an edit and a new value collide, keeps the
  /// edit.
  /// `runs_again`: nodes that this call asks to run again: a change that cannot be adopted is
  /// discarded.
  Edits(Tools tools, std::vector<Choice> reject, std::vector<Choice> accept,
        std::vector<bool> runs_again, std::string user)
      : tools_(tools),
        runs_again_(std::move(runs_again)),
        reject_(std::move(reject)),
        accept_(std::move(accept)),
        values_(tools.graph, tools.facts, tools.ledger, std::move(user)) {}

  /// Checks all exported files and proposes records to the facts and to the ledger. Writes nothing.
  void find();

  [[nodiscard]] std::vector<Proposal>& proposals() noexcept { return proposals_; }

 private:
  struct Edited;
  void look(std::string_view path, std::vector<Edited>& found) const;
  void look_at_appended();
  void tell(const Subject& subject, const std::vector<Edited>& files);
  void take_over(const Subject& subject, const std::vector<Edited>& files);
  bool take_value(Current& current, const Edited& file, const detail::Artifact& artifact,
                  std::vector<Cause>& causes) const;
  [[nodiscard]] bool gives_up(const Subject& subject);
  [[nodiscard]] bool is_to_be_exported(const Current& current) const;
  void reject(const Subject& subject, const std::vector<Edited>& files);
  void accept(const Subject& subject);
  void choose_without_edits();
  void propose(const Subject& subject, record::Draft draft, std::vector<Cause> causes,
               std::vector<std::string> copies);
  void refuse(const Subject& subject, const std::vector<Edited>& files, const std::string& path,
              std::string why, Reason reason = Reason::invalid_edit);
  [[nodiscard]] std::optional<std::string> base_of(const Current& current,
                                                   const Edited& file) const;
  [[nodiscard]] bool is_proposed(const Subject& subject) const;
  void note(const Proposal::Value& value);

  Tools tools_;
  std::vector<bool> runs_again_;
  std::vector<Choice> reject_;
  std::vector<Choice> accept_;
  std::vector<Choice> fulfilled_;  ///< of reject_: applied to a change not yet adopted
  ValueEdits values_;
  std::vector<Proposal> proposals_;
  std::vector<plan::EditFact> facts_;
};

}  // namespace resumable::exports
