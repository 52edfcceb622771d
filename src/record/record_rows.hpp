/// @file
/// Rows of records in the order of a scan, beside their paths.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/place_table.hpp"
#include "plan/facts.hpp"

namespace resumable::record {

/// Which rows a run has, by path and then generation. What a scan found lies row behind row, found
/// by a hash of the path, and never moves afterwards: a run may have a million records, and a map's
/// nodes would cost more than the rows. Only paths that get records later have an entry of a map.
/// Reading is safe from several threads as long as none adds or notes.
class RecordRows {
 public:
  using Row = plan::Row;

  /// As scanned: paths in order, or sort() puts them in order. Returns the path, which stays valid.
  std::string_view add(std::string_view path, const Row& row);
  /// After the last add(), before anything else.
  void sort();

  [[nodiscard]] bool empty() const noexcept { return places_.empty() && later_.empty(); }
  /// Whether there are, or were, paths that begin with `@SPACE/`.
  [[nodiscard]] bool has_space(std::string_view space) const { return spaces_.contains(space); }
  /// By generation; empty when there are none.
  [[nodiscard]] std::span<const Row> at(std::string_view path) const;
  [[nodiscard]] std::span<Row> at(std::string_view path);
  /// A row behind those of its path; where the last one has this generation, instead of it.
  void note(const std::string& path, const Row& row);

  /// Whether a row that is not set aside is at this path, or below it, as scanned.
  [[nodiscard]] bool has_scanned(std::string_view path) const;
  /// Calls visit(path, rows) for paths that begin with `prefix`, in byte order.
  template <class Visit>
  void each(std::string_view prefix, Visit visit) const {
    auto place = first_from(prefix);
    auto later = later_.lower_bound(prefix);
    while (true) {
      const bool in_place = place != places_.end() && place->path().starts_with(prefix);
      const bool is_later = later != later_.end() && later->first.starts_with(prefix);
      if (!in_place && !is_later) return;
      const int order = in_place && is_later ? later->first.compare(place->path())
                        : is_later           ? -1
                                             : 1;
      if (order <= 0) {
        visit(std::string_view{later->first}, std::span<const Row>{later->second});
        ++later;
        if (order == 0) ++place;
      } else {
        visit(place->path(), std::span<const Row>{place->rows()});
        ++place;
      }
    }
  }
  /// The same of what was scanned, to change it.
  template <class Visit>
  void each_scanned(Visit visit) {
    for (const Place& place : places_) visit(place.path(), place.rows());
  }

 private:
  struct Place {
    [[nodiscard]] std::string_view path() const noexcept { return {text, length}; }
    [[nodiscard]] std::span<Row> rows() const noexcept { return {first, count}; }
    const char* text = nullptr;
    Row* first = nullptr;
    std::uint32_t length = 0;
    std::uint32_t count = 0;
  };
  using Places = std::deque<Place>;  // it grows without a copy of all

  [[nodiscard]] std::string_view keep(std::string_view path);
  [[nodiscard]] Places::const_iterator first_from(std::string_view path) const {
    return std::ranges::lower_bound(places_, path, {}, &Place::path);
  }
  [[nodiscard]] std::span<Row> scanned(std::string_view path) const;
  void push(Place& place, const Row& row);
  [[nodiscard]] bool is_of_no_space(std::string_view path) const;
  void note_space(std::string_view path);
  void put_in_order();

  std::vector<std::unique_ptr<char[]>> text_;  ///< of the paths, in blocks
  std::size_t left_ = 0;                       ///< of the last block
  std::size_t block_ = 0;                      ///< its size
  Places places_;
  core::PlaceTable table_;  ///< of their paths
  std::set<std::string, std::less<>> spaces_;
  std::string_view last_space_;                                 ///< the one that was noted last
  std::vector<std::vector<Row>> blocks_;                        ///< none grows beyond its capacity
  std::map<std::string, std::vector<Row>, std::less<>> later_;  ///< with all rows of these paths
};

}  // namespace resumable::record
