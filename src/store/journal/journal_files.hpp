/// @file
/// The files of one run's journal, open for reading.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <system_error>

#include "store/file/backend.hpp"
#include "store/journal/segment_reader.hpp"

namespace resumable::store::journal {

/// Whether `entry`, which was read where `known` says, is the record `id`.
[[nodiscard]] bool is_entry_of(const Entry& entry, RecordId id, const Known& known);

/// A segment to read records from.
struct OpenSegment {
  std::shared_ptr<const sys::File> file;  ///< nullptr: it is gone
  std::uint64_t epoch = 0;
};

/// Safe to use from several threads.
class JournalFiles {
 public:
  JournalFiles(std::shared_ptr<Backend> backend, RunSite site);

  /// Where a segment is, for messages.
  [[nodiscard]] std::string name(std::uint64_t segment) const;
  /// nullptr where there is none. @throws Error{Errc::unreadable}
  [[nodiscard]] std::shared_ptr<const sys::File> open(std::uint64_t segment);
  void close(std::uint64_t segment);
  void close_all();

  /// Fills `to` as far as there are bytes, with none where the segment is not of this epoch.
  std::error_code read(const OpenSegment& segment, std::uint64_t at, std::span<char> to,
                       std::size_t& count) const;
  /// Bytes of a segment, fewer where there are no more. @throws Error{Errc::unreadable}
  [[nodiscard]] std::string raw(std::uint64_t segment, std::uint64_t at, std::uint64_t size);
  /// False where the segment is not in `folder`, or its file is about to be another.
  /// @throws Error{Errc::unreadable}, Error{Errc::newer}
  [[nodiscard]] bool read_header(const sys::File& folder, std::uint64_t segment,
                                 HeaderReading& out) const;
  /// The record, if it is where `known` says, in a segment of this epoch.
  /// @throws Error{Errc::unreadable}
  [[nodiscard]] std::optional<StoredRecord> record(RecordId id, const Known& known,
                                                   std::uint64_t epoch);

 private:
  [[nodiscard]] std::shared_ptr<const Payload> open_value(RecordId id, const Known& known) const;

  std::shared_ptr<Backend> backend_;
  RunSite site_;
  std::mutex guard_;
  std::map<std::uint64_t, std::shared_ptr<const sys::File>> open_;  ///< a few
};

}  // namespace resumable::store::journal
