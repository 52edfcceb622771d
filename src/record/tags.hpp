/// @file
/// Names for the state of a run at a moment: which generation of each record was current. What a
/// tag names is not erased by commits.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/key.hpp"

namespace resumable::record {

class RecordIndex;

/// The payload of a `label` record at `@tag/name`.
struct TagRecord {
  std::string name;
  std::string at;  ///< UTC
  std::string who;
  std::vector<std::pair<std::string, std::uint64_t>> records;  ///< by path
};
[[nodiscard]] std::string encode_tag_record(const TagRecord& tag);
/// nullopt for bytes that encode_tag_record() never gives.
[[nodiscard]] std::optional<TagRecord> decode_tag_record(std::string_view bytes);

[[nodiscard]] core::Key tag_key(std::string_view name);

/// What commits must not erase.
class Tagged {
 public:
  [[nodiscard]] bool contains(const std::string& path, std::uint64_t generation) const {
    return all_ || records_.contains({path, generation});
  }
  void add(const TagRecord& tag) { records_.insert(tag.records.begin(), tag.records.end()); }
  /// A tag is damaged: it may name anything.
  void add_all() noexcept { all_ = true; }

 private:
  bool all_ = false;
  std::set<std::pair<std::string, std::uint64_t>> records_;
};

/// All that the run's tags name. Costs nothing where there are none.
[[nodiscard]] Tagged tagged(const RecordIndex& records);
/// Whether the run has a tag, or a record that may be one.
[[nodiscard]] bool has_tags(const RecordIndex& records);
/// The run's tags by name; damaged ones are left out.
[[nodiscard]] std::vector<TagRecord> all_tags(const RecordIndex& records);

}  // namespace resumable::record
