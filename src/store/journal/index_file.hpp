/// @file
/// The index file of a journal: its records, sorted, and how much of the log it covers.
/// docs/format.md specifies the bytes. It can always be rebuilt from the log: if it is absent,
/// damaged, newer or does not match the segments, the log is read instead.
///
/// A lease that ends writes it if what it does not cover is as large as the last one was, so no
/// commit waits for it. It is read, not mapped: a file that is cut meanwhile would end the program.
///
/// Its top has how much of the log it covers, and the first record of each block. Blocks are read
/// when a record in them is looked up, and then kept; those that are many are kept by a lease
/// alone.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/journal/format.hpp"
#include "store/journal/segment_reader.hpp"

namespace resumable::store::journal {

/// A segment, and how far the index covers it.
struct CoveredSegment {
  SegmentHeader header;
  Reading reading;
  std::uint64_t live_bytes = 0;  ///< of the records that are in it
};

/// A value file, and how many records use it.
struct UsedValue {
  std::uint64_t fence = 0;
  std::uint64_t number = 0;
  std::uint64_t users = 0;
};

struct IndexRow {
  RecordId id;  ///< valid as long as the block
  Known known;
};

/// Some records that follow each other.
class IndexBlock {
 public:
  /// False where that is not what IndexFileWriter made. The check is the caller's.
  [[nodiscard]] bool parse(std::string bytes, std::size_t rows,
                           std::span<const CoveredSegment> segments);
  /// Its memory, to be used for another block; this one has no rows any more.
  [[nodiscard]] std::string release() noexcept;

  [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
  [[nodiscard]] RecordId id(std::size_t number) const;
  [[nodiscard]] IndexRow row(std::size_t number) const;
  /// The first row that is not before `id`.
  [[nodiscard]] std::size_t lower_bound(RecordId id) const;

 private:
  [[nodiscard]] std::string_view row_bytes(std::size_t number) const;
  [[nodiscard]] const CoveredSegment* is_inside(std::size_t number, const CoveredSegment* segment,
                                                std::span<const CoveredSegment> segments) const;

  std::string bytes_;
  std::size_t rows_ = 0;
};

/// Immutable for its users, hence safe to use from several threads.
class IndexFile {
 public:
  /// Thrown where a block cannot be read, or is not what IndexFileWriter made.
  struct Unusable : std::exception {};
  /// Fills `to` with the bytes at `at`; false where it cannot.
  using Source = std::function<bool(std::uint64_t at, std::span<char> to)>;

  /// Reads the top of a file of so many bytes. nullptr where that is not what IndexFileWriter made.
  [[nodiscard]] static std::shared_ptr<const IndexFile> open(Source source, std::uint64_t size);

  [[nodiscard]] const std::vector<CoveredSegment>& segments() const noexcept { return segments_; }
  [[nodiscard]] const std::vector<UsedValue>& values() const noexcept { return values_; }
  /// Of the file.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return size_; }
  [[nodiscard]] std::size_t rows() const noexcept { return totals_.records; }
  [[nodiscard]] const RecordTotals& totals() const noexcept { return totals_; }
  /// Valid as long as the IndexFile. @throws Unusable, unless the block is kept
  [[nodiscard]] IndexRow row(std::size_t number) const;
  /// The first row that is not before `id`. @throws Unusable, unless the block is kept
  [[nodiscard]] std::size_t lower_bound(RecordId id) const;
  /// Reads all blocks, and keeps them. @throws Unusable
  void keep_all() const;
  /// Reads all blocks that an IndexCursor with this prefix looks at, and keeps them if they are
  /// few. @throws Unusable
  void prove(std::string_view prefix) const;

 private:
  friend class IndexCursor;

  struct Place {
    std::uint64_t at = 0;
    std::uint64_t size = 0;
    std::uint64_t check = 0;
    RecordId first;
  };

  IndexFile(Source source, std::uint64_t size) : source_(std::move(source)), size_(size) {}
  [[nodiscard]] bool read_top();
  [[nodiscard]] bool read_tables(std::size_t segments, std::size_t values);
  [[nodiscard]] bool read_places(std::size_t at);
  [[nodiscard]] std::size_t rows_in(std::size_t block) const;
  void read(std::size_t number, IndexBlock& to) const;
  [[nodiscard]] const IndexBlock& block(std::size_t number) const;
  /// The last block whose first record is not behind `id`, or the first one.
  [[nodiscard]] std::size_t block_of(RecordId id) const;

  Source source_;
  std::uint64_t size_;
  std::string top_;
  std::vector<CoveredSegment> segments_;
  std::vector<UsedValue> values_;
  RecordTotals totals_;
  std::vector<Place> places_;

  mutable std::mutex guard_;
  mutable std::vector<std::unique_ptr<const IndexBlock>> kept_;
  mutable std::vector<std::atomic<const IndexBlock*>> blocks_;  ///< nullptr: not kept
};

/// Goes through the rows of an index file. It holds one block at a time of those that the file does
/// not keep: a million records take 120 MB.
class IndexCursor {
 public:
  /// Begins at the first row that is not before `id`. The file must outlive it. @throws Unusable
  IndexCursor(const IndexFile& file, RecordId id);
  /// Valid until the next call; nullopt at the end. @throws Unusable, if a block has changed since
  /// it was proved
  [[nodiscard]] std::optional<IndexRow> next();

 private:
  void choose(std::size_t number);

  const IndexFile& file_;
  std::size_t number_ = 0;             ///< of the block
  std::size_t at_ = 0;                 ///< the next row in it
  const IndexBlock* block_ = nullptr;  ///< one of the file, or the one below
  IndexBlock own_;
};

/// Makes the bytes of an index file.
class IndexFileWriter {
 public:
  IndexFileWriter(std::span<const CoveredSegment> segments, std::span<const UsedValue> values);
  /// By path in byte order, then by generation.
  void add(RecordId id, const Known& known);
  [[nodiscard]] std::string finish();

 private:
  void end_block();

  std::string top_;
  std::string blocks_;
  std::string rows_;  ///< of the block that is being made
  std::string paths_;
  std::size_t place_at_ = 0;  ///< where in the top its entry begins
  RecordTotals totals_;
};

}  // namespace resumable::store::journal
