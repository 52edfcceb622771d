/// @file
/// Which records a run has, and where in its journal they are.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "store/journal/format.hpp"

namespace resumable::store::journal {

/// A record as its entry says.
struct Known {
  Tag tag{};
  std::uint64_t header_bytes = 0;
  std::uint64_t payload_bytes = 0;
  std::uint64_t segment = 0;
  std::uint64_t at = 0;  ///< of the entry in its segment
  ValuePlace value{};    ///< where `apart`
  bool apart = false;
  Damage damage = Damage::none;

  /// In its segment, of a path with so many bytes.
  [[nodiscard]] std::uint64_t bytes(std::size_t path_bytes) const noexcept {
    return entry_head_bytes + path_bytes + header_bytes +
           (apart ? value_place_bytes : payload_bytes);
  }
};

/// Not safe to change while another thread uses it.
class Index {
 public:
  struct Id {
    std::string path;
    std::uint64_t generation = 0;
  };
  /// By path in byte order, then by generation.
  struct Before {
    using is_transparent = void;
    bool operator()(const auto& a, const auto& b) const {
      const int order = std::string_view{a.path}.compare(b.path);
      return order != 0 ? order < 0 : a.generation < b.generation;
    }
  };
  using Records = std::map<Id, Known, Before>;

  [[nodiscard]] const Known* find(RecordId id) const;
  [[nodiscard]] const Records& records() const noexcept { return records_; }
  /// Whether a record's payload is in this value file.
  [[nodiscard]] bool uses(const ValuePlace& file) const;
  /// The bytes of all records in the log, or in one segment.
  [[nodiscard]] std::uint64_t live_bytes() const noexcept { return live_bytes_; }
  [[nodiscard]] std::uint64_t live_bytes(std::uint64_t segment) const;
  /// The first segment that a record is in; nullopt: there are no records.
  [[nodiscard]] std::optional<std::uint64_t> first_segment() const;

  void put(RecordId id, const Known& known);
  /// The value file that no record uses any more, if there is one.
  std::optional<ValuePlace> erase(RecordId id);

 private:
  using File = std::pair<std::uint64_t, std::uint64_t>;
  Records records_;
  std::map<File, std::uint64_t> values_;         ///< how many records use a value file
  std::map<std::uint64_t, std::uint64_t> live_;  ///< by segment, of those that have records
  std::uint64_t live_bytes_ = 0;
};

}  // namespace resumable::store::journal
