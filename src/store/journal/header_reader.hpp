/// @file
/// Reads the headers of many records, as a scan asks for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "store/journal/journal.hpp"

namespace resumable::store::journal {

/// A segment stays open, and records that follow each other are read together. Used by one
/// thread; the journal outlives it.
class HeaderReader {
 public:
  explicit HeaderReader(Journal& journal) : journal_(journal) {}

  /// The header of a record, valid until the next call; its payload is not read. nullopt where it
  /// is not what the index says, or is very long: Journal::get() then says what there is.
  [[nodiscard]] std::optional<std::string_view> read(RecordId id, const Known& known);

 private:
  [[nodiscard]] bool choose(std::uint64_t segment);
  [[nodiscard]] bool fill(std::uint64_t at, std::size_t size);

  Journal& journal_;
  std::map<std::uint64_t, OpenSegment> open_;
  std::uint64_t segment_ = 0;
  OpenSegment chosen_;
  std::uint64_t begin_ = 0;  ///< where in the segment the buffer's bytes are
  std::unique_ptr<char[]> buffer_;
  std::size_t filled_ = 0;
};

}  // namespace resumable::store::journal
