/// @file
/// The index file of a journal: its records, sorted, and how much of the log it covers.
/// docs/format.md specifies the bytes. It can always be rebuilt from the log: if it is absent,
/// damaged, newer or does not match the segments, the log is read instead.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
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

/// Immutable, hence safe to use from several threads.
class IndexFile {
 public:
  struct Row {
    RecordId id;  ///< valid as long as the IndexFile
    Known known;
  };

  /// Takes 112 bytes and the path of each record of memory. nullptr where `bytes` are not what
  /// IndexFileWriter made.
  [[nodiscard]] static std::shared_ptr<const IndexFile> parse(std::string bytes);

  [[nodiscard]] const std::vector<CoveredSegment>& segments() const noexcept { return segments_; }
  [[nodiscard]] const std::vector<UsedValue>& values() const noexcept { return values_; }
  /// Of the file.
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_.size(); }
  [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
  [[nodiscard]] const RecordTotals& totals() const noexcept { return totals_; }
  [[nodiscard]] Row row(std::size_t number) const;
  /// The first row that is not before `id`.
  [[nodiscard]] std::size_t lower_bound(RecordId id) const;

 private:
  [[nodiscard]] std::string_view row_bytes(std::size_t number) const;
  [[nodiscard]] RecordId id(std::size_t number) const;
  [[nodiscard]] bool read_tables();
  [[nodiscard]] bool check_rows();

  std::string bytes_;
  std::vector<CoveredSegment> segments_;
  std::vector<UsedValue> values_;
  std::size_t rows_ = 0;
  std::size_t rows_at_ = 0;
  std::size_t paths_at_ = 0;
  RecordTotals totals_;
};

/// Makes the bytes of an index file.
class IndexFileWriter {
 public:
  IndexFileWriter(std::span<const CoveredSegment> segments, std::span<const UsedValue> values);
  /// By path in byte order, then by generation.
  void add(RecordId id, const Known& known);
  [[nodiscard]] std::string finish();

 private:
  std::string bytes_;
  std::string paths_;
  std::uint64_t rows_ = 0;
};

}  // namespace resumable::store::journal
