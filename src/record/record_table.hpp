/// @file
/// The heads of a run's records, by path and generation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph.hpp"
#include "core/key.hpp"
#include "core/record_format.hpp"
#include "plan/facts.hpp"
#include "record/record_rows.hpp"
#include "resumable/store.hpp"

namespace resumable::record {

/// A record that turned out to be damaged when it was read: the run has to be planned again.
struct DamagedRecord {
  std::string path;
  std::uint64_t generation = 0;
};

/// What a new record of a path follows.
struct Succession {
  std::uint64_t generation = 1;       ///< the new one's
  std::optional<plan::Row> previous;  ///< the newest whole record
  std::optional<plan::Row> made;      ///< the newest whole one without an edit: the stage's own
  std::vector<std::pair<std::string, std::uint64_t>> erase;  ///< those that may go with the commit
};

/// The part of the facts that is known from heads alone. Reading is safe from several threads as
/// long as none notes.
class RecordTable : public plan::Facts {
 public:
  [[nodiscard]] std::span<const plan::Row> rows(std::string_view path) const override;
  [[nodiscard]] std::vector<std::string> item_paths(std::string_view stage) const override;
  [[nodiscard]] std::size_t item_count(std::string_view stage) const override;
  [[nodiscard]] std::vector<std::string> inside_paths(std::string_view stage,
                                                      std::string_view item) const override;
  [[nodiscard]] std::vector<std::string> stored_stages() const override;
  [[nodiscard]] std::vector<std::string> begun_effects() const override;
  [[nodiscard]] std::vector<DamagedRow> damaged() const override;

  /// Whether there was a record of this node under this name when the run was scanned.
  [[nodiscard]] bool has_records(const detail::Node& node, std::string_view name) const;
  /// Those that begin with `prefix`, also where all records are damaged, in byte order.
  [[nodiscard]] std::vector<std::string> paths_below(std::string_view prefix) const;
  /// As inside_paths(), and those whose records are all damaged or set aside.
  [[nodiscard]] std::vector<std::string> inside_places(std::string_view stage,
                                                       std::string_view item) const;
  /// What a header says that is kept of a row. One in full takes ten times the memory.
  struct Kept {
    double seconds = 0;
    Cost cost;
    std::unique_ptr<const core::Header> header;  ///< where it is kept as a whole
  };
  /// nullptr where nothing is.
  [[nodiscard]] const Kept* kept(const plan::Row& row) const {
    return row.kept == 0 ? nullptr : &kept_[row.kept - 1];
  }
  /// Calls visit(path, rows) for the items of this stage that have a whole record.
  template <class Visit>
  void each_item(std::string_view stage, Visit visit) const {
    each_below(std::string{stage} + "/", 1, true, visit);
  }
  /// The same for the steps, and the failed tries of steps, of this stage or its items.
  template <class Visit>
  void each_step(std::string_view stage, Visit visit) const {
    for (const core::Kind kind : {core::Kind::step, core::Kind::tries}) {
      each_inside(stage, kind, 2, visit);
    }
  }
  /// The same for the states of loops, and the entries of histories, each in their order.
  template <class Visit>
  void each_in_loops(std::string_view stage, Visit visit) const {
    each_inside(stage, core::Kind::progress, 2, visit);
    each_inside(stage, core::Kind::history, 3, visit);
  }
  /// Records of all kinds when they were gathered, older generations and damaged ones included, and
  /// the bytes of their payloads.
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] bool begun() const noexcept { return !rows_.empty(); }

  /// 1 + the highest generation that was ever seen at this path.
  [[nodiscard]] std::uint64_t next_generation(std::string_view path) const;
  /// The newest whole row, or nullptr.
  [[nodiscard]] const plan::Row* current(std::string_view path) const;
  /// For a record of a type whose newest schema is `schema`: records of newer ones stay.
  [[nodiscard]] Succession succession(const std::string& path, std::uint32_t schema) const;
  /// All damaged rows that are still in their places.
  [[nodiscard]] std::vector<DamagedRecord> torn() const;

  /// After a commit.
  void note(const std::string& path, std::uint64_t generation, const core::Head& head);
  /// Of a record that only this process knows as yet.
  void note(const std::string& path, std::uint64_t generation, const core::Head& head,
            core::Header header);
  void note_damage(const DamagedRecord& record, bool quarantined);

 protected:
  [[nodiscard]] const RecordRows& all_rows() const noexcept { return rows_; }
  [[nodiscard]] RecordRows& all_rows() noexcept { return rows_; }
  /// Keeps a header, or else what of it is summed up, for Row::kept.
  std::uint32_t keep(core::Header header, bool whole = true) {
    Kept& one = kept_.emplace_back(Kept{header.seconds, header.cost, nullptr});
    if (whole) one.header = std::make_unique<const core::Header>(std::move(header));
    return static_cast<std::uint32_t>(kept_.size());
  }
  /// nullptr when it was not kept.
  [[nodiscard]] const core::Header* kept_header(const plan::Row& row) const {
    return row.kept == 0 ? nullptr : kept_[row.kept - 1].header.get();
  }
  /// A record that a scan has found.
  void count(const RecordHead& found) noexcept {
    ++count_;
    bytes_ += found.payload_bytes;
  }

 private:
  [[nodiscard]] std::vector<std::string> inside(std::string_view stage, std::string_view item,
                                                bool only_whole) const;
  template <class Visit>
  void each_inside(std::string_view stage, core::Kind kind, std::ptrdiff_t depth,
                   Visit visit) const {
    const std::string_view space = core::to_string(kind);
    if (!rows_.has_space(space)) return;
    each_below(core::about_path(space, stage, "") + "/", depth, true, visit);
  }
  /// Calls visit(path, rows) for the paths below this prefix, `depth` components at most.
  template <class Visit>
  void each_below(const std::string& prefix, std::ptrdiff_t depth, bool only_whole,
                  Visit visit) const {
    rows_.each(prefix, [&](std::string_view path, std::span<const plan::Row> rows) {
      const bool wanted = !only_whole || plan::newest_whole(rows) != nullptr;
      if (!wanted || std::ranges::count(path.substr(prefix.size()), '/') >= depth) return;
      visit(path, rows);
    });
  }

  RecordRows rows_;
  std::deque<Kept> kept_;
  std::size_t count_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace resumable::record
