/// @file
/// Files for people: keeps the files on disk in step with the records.
///
/// The export protocol
/// -------------------
/// Checkpoints belong to the library, artifacts to people, who may edit, move or delete them at any
/// time, also during a run. So a file is replaced only if its bytes are known to be ours, and only
/// records decide whether they are, never names or dates.
///
/// One export takes five steps, always in this order:
///  1. The text is rendered. Nothing has been written yet; a renderer that throws fails the stage.
///  2. The stage's record is committed. Its header says for each path the digest of the text, the
///     digest of what was there `before`, and an `order`: a number that rises over the whole run.
///  3. The text is written to a temporary file, which is synced.
///  4. The temporary file takes the path in one atomic move, and its folder is synced. The move
///     fails if anything but the bytes known as `before` is there. A mark outside the store says so
///     before and after the move (marks.hpp).
///  5. The export is `confirmed`: it is known to be in place. This is recorded later, for many
///     exports at once: in the header of the next record that exports something, or in the record
///     `@exported` when the call ends.
///
/// When several stages export one path in turn, each of their records names it. The one with the
/// highest order owns the path.
///
/// What the next process finds depends on when this one died:
///  - Before the move (1 to 4): the file is as it was `before`, or still missing. The record says
///    so: the file is exported again, and nothing reruns. A leftover temporary file is deleted when
///    its bytes are ours, and kept in .resumable/removed when they are not.
///  - After the move, before it was confirmed: the file has the digest that the newest record
///    announces. It is ours and is confirmed now.
///  - After a later stage took over the path: the file has the digest of a record with a higher
///    order. The earlier stage leaves it alone, and its own record need not change. Once an export
///    is confirmed, the file must have the confirmed digest. Anything else is an edit: it is
///    adopted (edits.hpp) or, where that is impossible, the plan refuses, names the file, and
///    touches nothing. Only a file that is missing is exported again.
///  - After the store lost records: the file has the content of a mark or confirmation that no
///    record has made. It is ours, and the stages that are left may replace it, after a copy is
///    kept. If a user has changed it since, it is unknown what the user changed: the plan refuses.
///
/// Three rules follow for changes to this code:
///  - A file is never put in place unless a committed record announces its digest. If a kept
///    checkpoint has to be exported elsewhere, or again after other stages, its value is first
///    recorded under a new generation (rerecord()).
///  - A path that no record claims any more is known only by its confirmation, until retire() has
///    moved the file to .resumable/removed.
///  - Nothing is confirmed that was not synced.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "exports/appending.hpp"
#include "exports/ledger.hpp"
#include "exports/paths.hpp"
#include "exports/publisher.hpp"
#include "plan/state.hpp"

namespace resumable::exports {

/// Used by one thread.
class Exporter {
 public:
  /// All must outlive it. Without a folder nothing is exported.
  struct Tools {
    const detail::Graph& graph;
    record::RunFacts& facts;
    ExportLedger& ledger;
    record::Recorder& recorder;
    record::Events& events;
    Folder* folder;
    const std::vector<plan::NodeState>& states;
    std::function<bool(std::uint32_t node)> is_settled;
    /// An item's value if it is in memory, or nullptr.
    std::function<detail::AnyValue(std::uint32_t node, std::size_t item)> value_in_memory;
  };
  explicit Exporter(Tools tools);

  [[nodiscard]] PathChecks& paths() noexcept { return paths_; }
  /// For workers; nullptr when nothing is exported.
  [[nodiscard]] const Publisher* publisher() const noexcept {
    return publisher_ ? &*publisher_ : nullptr;
  }
  /// Forgets what belongs to the plan before this one.
  void reset();

  /// The files of a stage or item that is to run. `previous` is its newest whole record. Keeps a
  /// copy of a file that a damaged record may have exported. @throws Error{Errc::store_failed}
  [[nodiscard]] Targets targets_of(std::uint32_t node, std::optional<std::size_t> item,
                                   const std::optional<plan::Row>& previous);
  /// After the commit of a stage's or item's record.
  void note_committed(const Subject& subject, const std::vector<core::Export>& exports,
                      const std::vector<core::Export>& left);
  /// After its files were put in place.
  void note_published(const std::vector<core::Export>& exports);

  /// Exports the files that a kept stage, or the kept items of a fan-out, should have but does not.
  /// @throws Error{Errc::edited}, Error{Errc::store_failed}, DamagedRecord
  void restore(std::uint32_t node);
  void restore_item(std::uint32_t node, std::size_t item) { restore_one(node, item); }
  /// If a stage is no longer taken, its files belong to the stages before it again.
  /// @throws as restore()
  void return_to_earlier(std::uint32_t node);
  /// At the end: moves files of items that are gone or have moved to .resumable/removed, if they
  /// are still as exported and nothing of this run has their path. What a person changed stays,
  /// and a warning names it.
  void retire();

  /// Finds out how far the files that this fan-out appends to are whole, and appends what is done.
  /// @throws Error as Appending::begin()
  void begin_appending(std::uint32_t node);
  void advance_appending(std::uint32_t node);
  void finish_appending(std::uint32_t node);
  /// At the end of a call, however it ended: records how far appended files are whole.
  void confirm_appended();

  [[nodiscard]] std::vector<std::string>& warnings() noexcept { return warnings_; }

 private:
  /// What happens to a file of a kept checkpoint.
  enum class Fate : std::uint8_t {
    nothing,   ///< the value has no text
    in_place,  ///< it is there as recorded
    later,     ///< a later stage of the chain has the path
    write,
  };
  /// What restoring a checkpoint's files takes.
  struct Restoring {
    std::vector<core::Export> exports;                       ///< that its record should name
    std::vector<std::pair<std::size_t, std::string>> texts;  ///< to publish, by place in Targets
    bool as_recorded = true;                                 ///< its record names these exports
  };

  void restore_one(std::uint32_t node, std::optional<std::size_t> item);
  [[nodiscard]] Fate fate_of(std::uint32_t node, std::optional<std::size_t> item,
                             const Target& to) const;
  [[nodiscard]] Restoring restoring_of(std::uint32_t node, std::optional<std::size_t> item,
                                       const Targets& targets);
  void keep_unknown(const Subject& subject, const Target& target);
  void settle(const Subject& subject, const core::Export& exported);
  void rerecord(const Subject& subject, record::Draft draft, const Targets& targets);
  [[nodiscard]] bool is_of_later(std::uint32_t node, const std::string& path,
                                 const Digest& content) const;
  [[nodiscard]] bool is_kept_by_later(std::uint32_t node, std::optional<std::size_t> item,
                                      const std::string& path) const;
  [[nodiscard]] bool is_announced(const Target& to, const Digest& content) const;
  [[nodiscard]] std::set<std::string> claimed_paths() const;
  [[nodiscard]] std::string key_of(std::uint32_t node, std::optional<std::size_t> item) const {
    return std::string{item ? tools_.states[node].list->keys[*item] : std::string_view{}};
  }
  void each_appending(std::uint32_t node,
                      void (Appending::*what)(const plan::NodeState&, Appending::ValueOf));

  Tools tools_;
  std::optional<Publisher> publisher_;
  PathChecks paths_;
  std::vector<std::vector<std::unique_ptr<Appending>>> appending_;  ///< by node
  std::vector<core::Export> left_;  ///< exports at paths that no longer count
  std::vector<std::string> warnings_;
};

}  // namespace resumable::exports
