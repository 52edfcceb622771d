/// @file
/// Reads records that are needed one after the other in a few calls of the store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "record/record_index.hpp"

namespace resumable::record {

/// The first record that is asked for brings the expected ones behind it along, as many as fit into
/// the bytes that it holds. Safe to use from several threads once all that is expected is known.
class ReadAhead {
 public:
  static constexpr std::uint64_t most_bytes = std::uint64_t{16} << 20U;

  /// `records` must outlive it.
  explicit ReadAhead(const RecordIndex& records) : records_(records) {}

  /// In the order in which they will probably be asked for, one per path.
  void expect(std::string path, std::uint64_t generation);
  /// As RecordIndex::saved(), also of a record that was not expected. What was brought along is
  /// handed out once.
  [[nodiscard]] Saved take(const std::string& path, std::uint64_t generation);

 private:
  struct Expected {
    std::string path;
    std::uint64_t generation = 0;
    bool is_read = false;
    std::optional<Saved> saved{};
  };
  void read_from(std::size_t place);

  const RecordIndex& records_;
  std::mutex guard_;
  std::vector<Expected> all_;
  std::unordered_map<std::string, std::size_t> places_;
  std::uint64_t held_ = 0;  ///< bytes
};

}  // namespace resumable::record
