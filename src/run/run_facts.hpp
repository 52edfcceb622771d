/// @file
/// The facts of one run, read from its store: heads once, headers and small payloads when asked.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "artifact/folder.hpp"
#include "core/graph.hpp"
#include "core/key.hpp"
#include "plan/facts.hpp"
#include "resumable/store.hpp"
#include "sys/clock.hpp"
#include "sys/file_system.hpp"

namespace resumable::inline v0::run {

/// A record that turned out to be damaged when it was read: the plan has to be made anew.
struct DamagedRecord {
  std::string path;
  std::uint64_t generation = 0;
};

/// A record that was there when the run was scanned, and is not now: its owner superseded it.
struct VanishedRecord {};

/// An input as this call sees it.
struct Input {
  plan::InputFact fact;
  detail::AnyValue value;                    ///< what stages are given
  std::shared_ptr<const Payload> to_record;  ///< set when the store does not have it yet
};

/// A record that exports a path.
struct PathWriter {
  std::uint32_t node = 0;
  std::string item;
  core::Export exported;
};

/// Reading is done by one thread; note() adds what that same thread committed.
/// How far a file that a fan-out appends to is known to be whole.
struct AppendedSoFar {
  std::size_t items = 0;
  Digest sequence;  ///< of these items' keys and identities
  std::uint64_t bytes = 0;
  Digest digest;  ///< of these bytes
};

class RunFacts final : public plan::Facts {
 public:
  RunFacts(const detail::Graph& graph, const CheckpointStore& store, std::string run,
           sys::Clock& clock, sys::FileSystem& system, std::optional<artifact::Folder> folder);

  /// Whether this process owns the run; else records may go while they are looked at, which is
  /// thrown as VanishedRecord. Owned, a record that is gone is damage.
  void owned(bool is) noexcept { owned_ = is; }

  /// Reads the heads and the inputs. With `deep` every payload is read and proved.
  void gather(bool deep);
  /// The heads alone: no inputs, no artifacts.
  void gather_records();

  [[nodiscard]] std::span<const plan::Row> rows(std::string_view path) const override;
  [[nodiscard]] std::optional<core::Header> header(std::string_view path,
                                                   std::uint64_t generation) const override;
  [[nodiscard]] std::shared_ptr<const plan::ItemList> items(std::string_view stage,
                                                            std::uint32_t revision) const override;
  [[nodiscard]] std::shared_ptr<const plan::Enqueued> enqueued(
      std::string_view stage, std::string_view item, const Digest& fingerprint) const override;
  [[nodiscard]] std::optional<bool> condition(std::string_view name) const override;
  [[nodiscard]] std::pair<plan::Approval, std::string> approval(
      std::string_view stage, std::string_view item, const Digest& fingerprint) const override;
  [[nodiscard]] plan::InputFact input(std::uint32_t node) const override;
  [[nodiscard]] std::string input_text(std::string_view name,
                                       const Digest& identity) const override;
  [[nodiscard]] std::string locate(std::string_view path, std::uint64_t generation) const override;
  [[nodiscard]] std::chrono::system_clock::time_point now() const override { return now_; }
  [[nodiscard]] std::vector<std::string> item_paths(std::string_view stage) const override;
  [[nodiscard]] std::vector<std::string> inside_paths(std::string_view stage,
                                                      std::string_view item) const override;
  [[nodiscard]] std::vector<std::string> stored_stages() const override;
  [[nodiscard]] std::vector<DamagedRow> damaged() const override;
  [[nodiscard]] bool exports() const override { return folder_.has_value(); }
  [[nodiscard]] plan::Look look(std::string_view artifact) const override;
  [[nodiscard]] plan::AppendedLook look_appended(std::string_view path) const override;
  [[nodiscard]] const core::Export* confirmed(std::string_view artifact) const override;
  [[nodiscard]] std::string artifact_file(std::string_view artifact) const override;

  /// What the operating system said when this file could not be read.
  [[nodiscard]] std::error_code cause_of(const std::string& file) const {
    const auto found = causes_.find(file);
    return found == causes_.end() ? std::error_code{} : found->second;
  }

  /// How long the run was alive under a budget of its own.
  [[nodiscard]] std::chrono::milliseconds alive() const;
  [[nodiscard]] std::optional<AppendedSoFar> appended(std::string_view path) const;
  /// The keys that joined the queue by this item, in its order.
  [[nodiscard]] std::vector<std::string> first_enqueued_by(std::string_view stage,
                                                           const std::string& item,
                                                           const plan::ItemList& list) const;
  /// The requests that the run has on record.
  [[nodiscard]] std::vector<plan::Request> requests() const;
  [[nodiscard]] const std::string& uid() const noexcept { return origin_.uid; }
  void uid(std::string given) { origin_.uid = std::move(given); }
  /// Whose run it is; "" as long as nothing on record says so.
  [[nodiscard]] const std::string& pipeline() const noexcept { return origin_.pipeline; }
  [[nodiscard]] bool begun() const noexcept { return !rows_.empty(); }
  /// As inside_paths(), and those whose records are all damaged or set aside.
  [[nodiscard]] std::vector<std::string> inside_places(std::string_view stage,
                                                       std::string_view item) const;
  [[nodiscard]] const Input& host_input(std::uint32_t node) const { return inputs_.at(node); }

  /// 1 + the highest generation that was ever seen at this path.
  [[nodiscard]] std::uint64_t next_generation(std::string_view path) const;
  /// The newest whole row, or nullptr.
  [[nodiscard]] const plan::Row* current(std::string_view path) const;
  /// The record's payload, proved. @throws DamagedRecord, Error
  [[nodiscard]] std::shared_ptr<const Payload> payload(const std::string& path,
                                                       std::uint64_t generation) const;
  /// All damaged rows that are still in their places.
  [[nodiscard]] std::vector<DamagedRecord> torn() const;

  /// After a commit.
  void note(const std::string& path, std::uint64_t generation, const core::Head& head);
  void note_items(const std::string& stage, std::shared_ptr<const plan::ItemList> list);
  void note_damage(const DamagedRecord& record, bool quarantined);
  /// The current record of a stage or item says that it exports these, and nothing else.
  void note_exports(std::uint32_t node, const std::string& item,
                    const std::vector<core::Export>& exports);
  /// An export is in place.
  void note_published(const core::Export& exported);
  /// Nothing of ours is at this path any more.
  void forget_published(const std::string& artifact);

  /// The records that export a path, of stages that the pipeline has.
  [[nodiscard]] std::span<const PathWriter> writers(std::string_view artifact) const;
  [[nodiscard]] const std::map<std::string, std::vector<PathWriter>, std::less<>>& all_writers()
      const {
    return writers_;
  }
  /// Whether a file with this content may be replaced: some record made it, or found it before.
  [[nodiscard]] bool is_known(std::string_view artifact, const Digest& content) const;
  /// Whether some record exports these bytes, or found them before.
  [[nodiscard]] bool is_export(const Digest& content) const;
  /// Whether a record says that its value has no text for this path.
  [[nodiscard]] bool is_without_file(const std::string& artifact) const {
    return without_file_.contains(artifact);
  }
  /// Paths that records of stages export which the pipeline has no more.
  [[nodiscard]] std::vector<std::string> foreign_exports() const;
  [[nodiscard]] const std::map<std::string, core::Export, std::less<>>& all_confirmed() const {
    return confirmed_;
  }
  /// Whether that is more than the run has on record in one piece; then it counts as recorded.
  [[nodiscard]] bool take_unrecorded() { return std::exchange(unrecorded_, false); }

 private:
  /// Those of the paths that have a whole record.
  [[nodiscard]] std::vector<std::string> whole(std::vector<std::string> paths) const;
  void add_below(const std::string& prefix, std::ptrdiff_t depth,
                 std::vector<std::string>& paths) const;
  [[nodiscard]] std::shared_ptr<const plan::ItemList> items_of_input(std::string_view stage) const;
  void scan();
  void prove_tags();
  void find_origin();
  void prove_payloads(bool all);
  /// @throws DamagedRecord
  [[nodiscard]] std::shared_ptr<const plan::Enqueued> read_enqueued(const std::string& path,
                                                                    const plan::Row& row) const;
  struct Origin {
    std::string uid{};
    std::string pipeline{};
  };
  [[nodiscard]] Origin origin_of(const std::pair<std::string, std::uint64_t>& id) const;
  [[nodiscard]] bool is_shared(std::string_view uid, std::string_view but) const;
  void read_confirmed();
  void read_exporter(std::uint32_t node, const std::string& record);
  void note_confirmed(const core::Export& exported);
  void read_inputs();
  [[nodiscard]] Input read_input(std::uint32_t node) const;
  [[nodiscard]] Input read_files(std::uint32_t node) const;
  [[nodiscard]] const plan::Row* newest_input(const std::string& path) const;
  [[nodiscard]] Input lost_input(const std::string& path) const;
  [[nodiscard]] Input recorded_input(const detail::Node& node) const;
  [[nodiscard]] std::optional<Stored> stored(std::string_view path, std::uint64_t generation) const;
  [[nodiscard]] std::string text_of(std::string_view path, const plan::Row& row) const;

  const detail::Graph& graph_;
  const CheckpointStore& store_;
  std::string run_;
  sys::Clock& clock_;
  sys::FileSystem& system_;
  std::optional<artifact::Folder> folder_;
  bool owned_ = true;
  Origin origin_;
  std::chrono::system_clock::time_point
      now_;  ///< when this was made: what runs is what was planned
  std::map<std::string, std::vector<plan::Row>, std::less<>> rows_;
  std::map<std::pair<std::string, std::uint64_t>, Tag> tags_;  ///< only while gathering
  std::map<std::uint32_t, Input> inputs_;
  mutable std::map<std::string, std::shared_ptr<const plan::ItemList>, std::less<>> lists_;
  std::map<std::string, core::Export, std::less<>> confirmed_;
  bool unrecorded_ = false;
  std::uint64_t told_up_to_ = 0;  ///< confirmations up to this order are in the `@exported` record
  std::map<std::string, std::vector<PathWriter>, std::less<>> writers_;
  std::map<std::pair<std::uint32_t, std::string>, std::vector<std::string>> exported_by_;
  std::set<std::string> without_file_;
  /// What items of queues have enqueued, by the record's path and generation.
  mutable std::map<std::pair<std::string, std::uint64_t>, std::shared_ptr<const plan::Enqueued>>
      enqueued_;
  mutable std::map<std::string, plan::Look, std::less<>> looks_;
  mutable std::map<std::string, std::error_code> causes_;
};

}  // namespace resumable::inline v0::run
