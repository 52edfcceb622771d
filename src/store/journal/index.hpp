/// @file
/// Which records a run has, and where in its journal they are.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "resumable/function_ref.hpp"
#include "store/journal/format.hpp"
#include "store/journal/index_file.hpp"

namespace resumable::store::journal {

/// The content of an index file, and what has changed since; copies share the former. Not safe to
/// change while another thread uses it. A lookup throws IndexFile::Unusable if it needs a part of
/// the file that cannot be used. Index files never contain damage.
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
  using Visit = FunctionRef<bool(RecordId, const Known&)>;

  Index() = default;
  explicit Index(std::shared_ptr<const IndexFile> base);

  /// Reads what a visit with this prefix needs of the index file, so that the visit can be done.
  void prove(std::string_view prefix) const;
  /// Keeps all of the index file in memory: from here on nothing of it is read again.
  void keep_all() const;
  [[nodiscard]] std::optional<Known> find(RecordId id) const;
  /// Visits the records whose paths begin with `prefix`, in order, until `visit` returns false.
  void visit(std::string_view prefix, Visit visit) const;
  [[nodiscard]] bool has_damage() const;
  /// Whether there is damage at this place of a segment.
  [[nodiscard]] bool is_damaged_at(std::uint64_t segment, std::uint64_t at) const;
  /// Whether a record's payload is in this value file.
  [[nodiscard]] bool uses(const ValuePlace& file) const;
  /// Of the records whose paths begin with `prefix`; of all of them they are known.
  [[nodiscard]] RecordTotals totals(std::string_view prefix) const;
  /// The bytes of all records in the log, or in one segment.
  [[nodiscard]] std::uint64_t live_bytes() const noexcept { return live_bytes_; }
  [[nodiscard]] std::uint64_t live_bytes(std::uint64_t segment) const;
  /// The first segment that a record is in; nullopt: there are no records.
  [[nodiscard]] std::optional<std::uint64_t> first_segment() const;

  void put(RecordId id, const Known& known);
  /// The value file that no record uses any more, if there is one.
  std::optional<ValuePlace> erase(RecordId id);

  /// Whether the part of these segments that the initial index file does not cover has at least
  /// `at_least` bytes, and at least as many as the index file: so the index files take at most as
  /// many bytes of writing as the log.
  [[nodiscard]] bool has_grown(std::span<const CoveredSegment> segments,
                               std::uint64_t at_least) const;
  /// The bytes of an index file for what it holds now; none where there is damage.
  [[nodiscard]] std::string encode(std::span<CoveredSegment> segments) const;

 private:
  using File = std::pair<std::uint64_t, std::uint64_t>;

  [[nodiscard]] std::optional<Known> find_in_base(RecordId id) const;
  std::shared_ptr<const IndexFile> base_;
  std::map<Id, std::optional<Known>, Before> changes_;  ///< nullopt: erased, and in the base
  std::map<File, std::uint64_t> values_;                ///< how many records use a value file
  std::map<std::uint64_t, std::uint64_t> live_;         ///< by segment, of those that have records
  std::uint64_t live_bytes_ = 0;
  RecordTotals totals_;
};

}  // namespace resumable::store::journal
