/// @file
/// The journal of one run as this process knows it: what it read from the segments, and what its
/// own lease has added.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "store/file/backend.hpp"
#include "store/file/run_folder.hpp"
#include "store/journal/index.hpp"
#include "store/journal/journal_files.hpp"
#include "store/journal/segment_reader.hpp"

namespace resumable::store::journal {

/// What one entry changes.
struct Change {
  Index::Id id;
  Known known;  ///< its place is that of a segment once the entry is durable
  bool erase = false;
};

/// The last segment as a new owner finds it.
struct Tail {
  std::uint64_t segment = 0;  ///< 0: there is none
  Reading reading;
};

/// Safe to use from several threads.
class Journal {
 public:
  /// `index_after_bytes`: see JournalStoreOptions.
  Journal(std::shared_ptr<Backend> backend, RunSite site, std::uint64_t index_after_bytes);

  /// An index that does not change while this is held.
  class View {
   public:
    View(Journal& journal, std::shared_ptr<const Index> index)
        : journal_(&journal), index_(std::move(index)) {}
    View(View&&) noexcept = default;
    View(const View&) = delete;
    View& operator=(const View&) = delete;
    View& operator=(View&&) = delete;
    ~View();
    [[nodiscard]] const Index& operator*() const noexcept { return *index_; }
    [[nodiscard]] const Index* operator->() const noexcept { return index_.get(); }

   private:
    Journal* journal_;
    std::shared_ptr<const Index> index_;
  };

  /// With what other processes have written since. Records whose paths begin with `prefix` may be
  /// visited.
  /// @throws Error{Errc::unreadable}, Error{Errc::newer}
  [[nodiscard]] View view(std::string_view prefix);
  /// Of the records whose paths begin with `prefix`. @throws as view()
  [[nodiscard]] RecordTotals totals(std::string_view prefix);
  [[nodiscard]] std::optional<StoredRecord> get(RecordId id);
  /// @throws Error{Errc::unreadable}
  [[nodiscard]] OpenSegment open(std::uint64_t segment);
  /// The file that a record is in, as far as it is known.
  [[nodiscard]] std::string locate(RecordId id);
  [[nodiscard]] JournalFiles& files() noexcept { return files_; }

  // ---- for a lease of this process --------------------------------------------------------------

  /// Reads the journal; until end_lease() no other process writes, and nothing is read again.
  void begin_lease();
  /// `certain`: everything that was written is known, and need not be read again.
  void end_lease(bool certain);
  /// Writes the index file, if it is due. All that the log holds is durable.
  void save_index(const RunFolders& folders) noexcept;
  /// Records where the log ends. All that it holds is durable.
  void save_end(const RunFolders& folders) noexcept;
  [[nodiscard]] std::uint64_t highest_fence();
  [[nodiscard]] Tail tail();
  [[nodiscard]] std::optional<Known> find(RecordId id);
  void add_segment(const SegmentHeader& header);
  /// How far a segment has been written.
  void set_reading(std::uint64_t segment, const Reading& reading);
  /// What has become durable. The value files that no record uses any more are added to `unused`.
  void apply(std::span<const Change> changes, std::vector<ValuePlace>& unused);
  [[nodiscard]] bool uses(const ValuePlace& file);
  /// The first segment that is needed; nullopt: there are no records.
  [[nodiscard]] std::optional<std::uint64_t> first_needed();
  /// Segments before `first` are not read any more; returns those that were known.
  std::vector<std::uint64_t> drop_before(std::uint64_t first);
  [[nodiscard]] std::uint64_t first();
  /// The oldest segments, as many as have to be emptied so that the log is at most twice as large
  /// as its records plus two segments of this size.
  [[nodiscard]] std::vector<std::uint64_t> to_empty(std::uint64_t segment_bytes);
  /// All segments, if what is in them but no record any more outweighs the records by far, and
  /// these are few enough to be written again at once.
  [[nodiscard]] std::vector<std::uint64_t> to_compact(std::uint64_t segment_bytes);
  /// The records in a segment.
  /// @throws Error{Errc::unreadable}
  [[nodiscard]] std::vector<Change> live_in(std::uint64_t segment);

 private:
  struct Segment {
    SegmentHeader header;
    Reading reading;
    bool read = false;
  };
  using Segments = std::map<std::uint64_t, Segment>;

  void refresh(bool again);
  void reset();
  [[nodiscard]] bool list(const sys::File& folder, std::set<std::uint64_t>& numbers) const;
  /// What `look` gives; where the index file cannot be used for it, once the log was read instead.
  template <class Look>
  auto with_index(const Look& look);
  [[nodiscard]] std::shared_ptr<const IndexFile> open_index(const sys::File& folder) const;
  void load_index(const sys::File& folder);
  [[nodiscard]] std::optional<LogEnd> read_end(const sys::File& folder) const;
  void note_lost_segment(const std::set<std::uint64_t>& numbers);
  [[nodiscard]] bool is_same_run(const sys::File& folder, const std::set<std::uint64_t>& numbers);
  /// False when a segment has gone meanwhile, or was cut: then all is read again.
  [[nodiscard]] bool read_new(const sys::File& folder, std::set<std::uint64_t>& numbers);
  [[nodiscard]] bool read_segment(const sys::File& folder, std::uint64_t number, Segment& segment,
                                  std::optional<std::uint64_t> end);
  [[nodiscard]] bool read_headers(const sys::File& folder, std::set<std::uint64_t>& numbers);
  void note_damage(std::uint64_t segment, std::uint64_t at, std::uint64_t end);
  Index& changeable();
  [[nodiscard]] std::uint64_t epoch_of(std::uint64_t segment);

  std::shared_ptr<Backend> backend_;
  RunSite site_;
  JournalFiles files_;
  std::uint64_t index_after_bytes_;

  std::mutex guard_;
  bool leased_ = false;
  std::optional<sys::Stat> run_;  ///< of the run's own folder, when it was read
  Segments segments_;
  std::uint64_t first_ = 0;    ///< what is before it is not needed any more
  std::optional<LogEnd> end_;  ///< of the last lease that ended well, as far as that is known
  /// Copied before it changes while a View has it: views give theirs back with the guard held.
  std::shared_ptr<Index> index_;
};

template <class Look>
auto Journal::with_index(const Look& look) {
  try {
    return look();
  } catch (const IndexFile::Unusable&) {
    refresh(true);
    return look();
  }
}

}  // namespace resumable::store::journal
