/// @file
/// What has records and is no longer in the pipeline: stages, and items of fan-outs.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <string_view>

namespace resumable::record {

/// The payload of the `left` record: what the plan of the last call that ended `done` did not have.
/// From the path of a stage's or item's record to the time since when, in UTC.
using Left = std::map<std::string, std::string, std::less<>>;
[[nodiscard]] std::string encode_left(const Left& left);
/// Empty for bytes that encode_left() never gives.
[[nodiscard]] Left decode_left(std::string_view bytes);

/// Which records may be erased because their stage or item left before a point in time. Side
/// effects stay: an item that returns would repeat them.
class LeftRecords {
 public:
  LeftRecords() = default;
  LeftRecords(const Left& left, std::chrono::system_clock::time_point before);

  [[nodiscard]] bool empty() const noexcept { return old_.empty(); }
  /// All records of the stage or item of this path stay: a person's work is in one of them.
  void keep(std::string_view path);
  [[nodiscard]] bool may_go(std::string_view path) const { return find(path) != old_.end(); }
  /// The stages and items that may go.
  [[nodiscard]] const Left& old() const noexcept { return old_; }

 private:
  [[nodiscard]] Left::const_iterator find(std::string_view path) const;
  Left old_;
};

}  // namespace resumable::record
