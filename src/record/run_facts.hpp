/// @file
/// The facts of one run: its records, the content of the library's small ones, and the program's
/// inputs.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph.hpp"
#include "plan/facts.hpp"
#include "record/draft.hpp"
#include "record/inputs.hpp"
#include "record/left.hpp"
#include "record/record_index.hpp"
#include "record/small_records.hpp"
#include "resumable/store.hpp"
#include "sys/clock.hpp"
#include "sys/file_system.hpp"

namespace resumable::record {

/// Of which records the headers are kept, because they will be asked for one after the other.
enum class Headers : std::uint8_t {
  none,
  of_exporters,  ///< of stages that have artifacts, or that the pipeline has no more
  of_stages,     ///< of these, and of all other stages what RecordTable::kept() has
};

/// Only what RecordIndex offers may be read from several threads.
class RunFacts final : public RecordIndex {
 public:
  /// All must outlive it.
  RunFacts(const detail::Graph& graph, const CheckpointStore& store, std::string run,
           sys::Clock& clock, sys::FileSystem& system);

  /// Reads the heads and the inputs. With `deep` every payload is read and proved. Of a run of
  /// another pipeline only the heads.
  void gather(bool deep, Headers kept);
  [[nodiscard]] bool is_of_another_pipeline() const noexcept;
  /// Once gathered, with the names under which this run has its records.
  [[nodiscard]] const detail::Graph& graph() const noexcept { return *graph_; }

  [[nodiscard]] std::shared_ptr<const plan::ItemList> items(std::string_view stage,
                                                            std::uint32_t revision) const override;
  [[nodiscard]] std::shared_ptr<const plan::ItemList> recorded_list(
      std::string_view stage) const override;
  [[nodiscard]] std::uint64_t forgotten() const override {
    return description().forgotten.value_or(UINT64_MAX);
  }
  [[nodiscard]] std::shared_ptr<const plan::Enqueued> enqueued(
      std::string_view stage, std::string_view item, const Digest& fingerprint) const override;
  [[nodiscard]] std::optional<bool> condition(std::string_view name) const override;
  [[nodiscard]] std::shared_ptr<const plan::Closed> closed(std::string_view stage) const override;
  [[nodiscard]] std::string failure(std::string_view path, const plan::Row& row) const override;
  [[nodiscard]] std::string idempotency_key(std::string_view path,
                                            const plan::Row& row) const override {
    return text_of(path, row);
  }
  [[nodiscard]] std::pair<plan::Approval, std::string> approval(
      std::string_view stage, std::string_view item, const Digest& fingerprint) const override;
  [[nodiscard]] plan::InputFact input(std::uint32_t node) const override {
    return inputs_.at(node).fact;
  }
  [[nodiscard]] std::string input_text(std::string_view name,
                                       const Digest& identity) const override {
    return inputs_.text(name, identity);
  }
  [[nodiscard]] std::chrono::system_clock::time_point now() const override { return now_; }

  /// Sets which build of the program this is; if none is set, nothing counts as changed.
  void program(sys::Build build) { program_ = std::move(build); }
  [[nodiscard]] std::set<std::string> program_changes() const override;
  [[nodiscard]] std::set<std::string> program_changes(std::uint64_t fence) const override;
  /// Which builds made the run's records, each from a fence on. Empty: not known.
  [[nodiscard]] const Programs& programs() const { return description().programs; }

  [[nodiscard]] const Input& host_input(std::uint32_t node) const { return inputs_.at(node); }
  [[nodiscard]] bool is_recorded_twice(std::uint32_t node) const {
    return inputs_.is_recorded_twice(node);
  }
  /// How long the run was alive under a budget of its own.
  [[nodiscard]] std::chrono::milliseconds alive() const;
  /// The recorded requests of the run.
  [[nodiscard]] std::vector<plan::Request> requests() const;
  /// All generations of the records that may go; drops from `old` the stages and items in which an
  /// edit of a person is.
  [[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> records_that_left(
      LeftRecords& old) const;
  /// The run's record, saying that records up to this fence prove nothing about missing ones: for
  /// calls that remove records although others name them, or add some without what they name.
  /// nullopt where nothing proves anything yet.
  [[nodiscard]] std::optional<Draft> forgetting(std::uint64_t fence) const;
  /// After the items of a stage were recorded.
  void note_items(const std::string& stage, std::shared_ptr<const plan::ItemList> list);

 private:
  [[nodiscard]] const RunRecord& description() const;
  [[nodiscard]] bool may_export(std::string_view stage) const;
  [[nodiscard]] std::set<std::string> changed_since(const sys::Build& former) const;
  void prove_small(const std::string& path, const plan::Row& row) const override;
  [[nodiscard]] std::shared_ptr<const plan::ItemList> items_of_input(std::string_view stage) const;
  [[nodiscard]] std::shared_ptr<const plan::ItemList> same_items_before(
      std::string_view stage, const plan::ItemList& list) const;
  [[nodiscard]] std::shared_ptr<const plan::ItemList> recorded_items(const std::string& path,
                                                                     const plan::Row& row) const;
  void read_lists();
  /// @throws DamagedRecord
  [[nodiscard]] std::shared_ptr<const plan::Enqueued> read_enqueued(const std::string& path,
                                                                    const plan::Row& row) const;

  const detail::Graph* graph_;
  std::shared_ptr<const detail::Graph> renamed_;  ///< the same, if that is a copy for this run
  HostInputs inputs_;
  sys::Build program_;
  mutable std::optional<RunRecord> description_;
  std::chrono::system_clock::time_point
      now_;  ///< when this was made: what runs is what was planned
  mutable std::map<std::string, std::shared_ptr<const plan::ItemList>, std::less<>> lists_;
  mutable std::map<std::string, std::shared_ptr<const plan::ItemList>, std::less<>> recorded_lists_;
  /// What items of queues have enqueued, by the record's path and generation.
  mutable std::map<std::pair<std::string, std::uint64_t>, std::shared_ptr<const plan::Enqueued>>
      enqueued_;
};

}  // namespace resumable::record
