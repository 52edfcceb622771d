/// @file
/// What is known about the files that a run has exported: which record made them, and which are
/// known to be in place.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/graph.hpp"
#include "exports/appended_record.hpp"
#include "exports/folder.hpp"
#include "plan/facts.hpp"
#include "record/run_facts.hpp"

namespace resumable::exports {

/// A record that exports a path.
struct PathWriter {
  std::uint32_t node = 0;
  std::string item;
  core::Export exported;
};

/// One thread at a time.
class ExportLedger final : public plan::Exports {
 public:
  /// All must outlive it. Without a folder nothing is exported.
  ExportLedger(const detail::Graph& graph, const record::RunFacts& facts, const Folder* folder)
      : graph_(graph), facts_(facts), folder_(folder) {
    if (folder != nullptr) looks_at_.emplace(*folder);
  }

  /// Reads what was known to be in place at the last stop, and what later records say.
  void read();
  /// What users have changed, as found by Edits.
  void edits(std::vector<plan::EditFact> found) { edits_ = std::move(found); }
  [[nodiscard]] std::span<const plan::EditFact> edits() const override { return edits_; }
  [[nodiscard]] bool adopting() const override { return adopting_; }
  void adopting(bool adopts) { adopting_ = adopts; }
  /// Whether these bytes at this path are a user's edit that some record has adopted.
  [[nodiscard]] bool is_edited(std::string_view artifact, const Digest& content) const;
  /// Whether they are one, and the record that has adopted it is damaged or lost.
  [[nodiscard]] bool is_lost_edit(std::string_view artifact, const Digest& content) const;

  /// The plan is made: from now on look() finds a path's folders each time.
  void finish_planning() {
    looks_at_.reset();
    appended_looks_.clear();
  }

  [[nodiscard]] bool exports() const override { return folder_ != nullptr; }
  [[nodiscard]] plan::Look look(std::string_view artifact) const override;
  [[nodiscard]] plan::AppendedLook look_appended(std::string_view path) const override;
  [[nodiscard]] const core::Export* confirmed(std::string_view artifact) const override;
  [[nodiscard]] std::optional<plan::Doubt> doubt(std::string_view artifact) const override;
  /// Whether the last mark of the path names an export whose record is damaged or lost.
  [[nodiscard]] bool has_lost_export(std::string_view artifact) const;
  /// What a user who edited the file had before: the last export that is known to have been there.
  [[nodiscard]] std::optional<core::Export> seen(std::string_view artifact) const;
  [[nodiscard]] Listing list(std::string_view folder) const override;
  [[nodiscard]] bool is_exported(std::string_view artifact) const override {
    return !writers(artifact).empty() || confirmed(artifact) != nullptr;
  }
  [[nodiscard]] std::string why_unwritable() const override;
  [[nodiscard]] std::uint64_t free_bytes() const override;
  [[nodiscard]] std::string artifact_file(std::string_view artifact) const override;

  /// What the operating system said when this file could not be read.
  [[nodiscard]] std::error_code cause_of(const std::string& file) const;
  /// The problem of a file that could not be read, whose cause is noted.
  [[nodiscard]] std::string unread(std::string_view artifact, std::error_code error) const;
  /// nullopt: nothing was ever appended to this path. If the record that would say how much is
  /// damaged, none of the file's bytes are known.
  [[nodiscard]] std::optional<AppendedSoFar> appended(std::string_view path) const;
  /// What the record says now, or will say if Edits has proposed it.
  void note_appended(const std::string& path, AppendedSoFar known) {
    appended_.insert_or_assign(path, std::move(known));
    appended_looks_.erase(path);
  }

  /// The current record of a stage or item says that it exports these, and nothing else.
  void note_exports(std::uint32_t node, const std::string& item,
                    const std::vector<core::Export>& exports);
  /// An export is in place.
  void note_published(const core::Export& exported);
  /// Nothing of ours is at this path any more.
  void forget_published(const std::string& artifact);

  using Writers = std::map<std::string, std::vector<PathWriter>, std::less<>>;
  using Confirmed = std::map<std::string, core::Export, std::less<>>;
  /// The records that export a path, of stages that the pipeline has.
  [[nodiscard]] std::span<const PathWriter> writers(std::string_view artifact) const;
  [[nodiscard]] const Writers& all_writers() const noexcept { return writers_; }
  [[nodiscard]] const Confirmed& all_confirmed() const noexcept { return confirmed_; }
  /// Paths exported by records of stages that are no longer in the pipeline.
  [[nodiscard]] std::vector<std::string> foreign_exports() const;
  /// Whether a file with this content may be replaced: some record made it, or found it before.
  [[nodiscard]] bool is_known(std::string_view artifact, const Digest& content) const;
  /// The paths whose last export is not known to have been finished.
  [[nodiscard]] std::vector<std::string> unfinished_paths() const;
  /// Whether some record exports these bytes, or found them before.
  [[nodiscard]] bool is_export(const Digest& content) const;
  /// Whether the newest record of this stage or item is damaged: it may have exported what no other
  /// record knows.
  [[nodiscard]] bool has_lost_record(std::uint32_t node, const std::string& item) const;
  /// Whether a record says that its value has no text for this path.
  [[nodiscard]] bool is_without_file(const std::string& artifact) const {
    return without_file_.contains(artifact);
  }

  /// Records what is confirmed, when that record does not say it yet.
  /// @throws Error as Recorder::commit
  void save(record::RunFacts& facts, record::Recorder& recorder);

 private:
  [[nodiscard]] plan::AppendedLook find_appended(std::string_view path) const;
  void read_exporter(std::uint32_t node, const std::string& record);
  void note_confirmed(const core::Export& exported);
  [[nodiscard]] bool is_recorded(std::string_view artifact, std::uint64_t order,
                                 const Digest& content) const;

  const detail::Graph& graph_;
  const record::RunFacts& facts_;
  const Folder* folder_;
  Confirmed confirmed_;
  bool adopting_ = false;
  bool unrecorded_ = false;
  std::uint64_t recorded_up_to_ = 0;  ///< the `@exported` record has the confirmations up to this
  Writers writers_;
  std::map<std::pair<std::uint32_t, std::string>, std::vector<std::string>> exported_by_;
  std::set<std::string> without_file_;
  std::vector<plan::EditFact> edits_;
  std::map<std::string, AppendedSoFar, std::less<>> appended_;
  mutable std::optional<Looks> looks_at_;  ///< while planning
  mutable std::map<std::string, plan::Look, std::less<>> looks_;
  mutable std::map<std::string, plan::AppendedLook> appended_looks_;  ///< while planning
  mutable std::map<std::string, std::error_code> causes_;
};

}  // namespace resumable::exports
