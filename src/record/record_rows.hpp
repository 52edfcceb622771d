/// @file
/// Rows of records in the order of a scan, beside their paths.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plan/facts.hpp"

namespace resumable::record {

/// The rows of a run, by path and then generation. Scanned rows are stored contiguously, are found
/// by binary search among the paths, and never move: a run may have a million records, and the
/// nodes of a map would cost more than the rows. Only paths that get records later have an entry in
/// a map. Reading is safe from several threads as long as none adds or notes.
class RecordRows {
 public:
  using Row = plan::Row;

  /// As scanned: paths in order, or sort() puts them in order. Returns the path, which stays valid.
  std::string_view add(std::string_view path, Row row);
  /// After the last add(), before anything else.
  void sort();

  [[nodiscard]] bool empty() const noexcept { return places_.empty() && later_.empty(); }
  /// By generation; empty when there are none.
  [[nodiscard]] std::span<const Row> at(std::string_view path) const;
  [[nodiscard]] std::span<Row> at(std::string_view path);
  /// Adds a row after those of its path, or replaces the last one if that has this generation.
  void note(const std::string& path, Row row);

  /// Calls visit(path, rows) for paths that begin with `prefix`, in byte order.
  template <class Visit>
  void each(std::string_view prefix, Visit visit) const {
    auto place = first_from(prefix);
    auto later = later_.lower_bound(prefix);
    while (true) {
      const bool in_place = place != places_.end() && place->path.starts_with(prefix);
      const bool is_later = later != later_.end() && later->first.starts_with(prefix);
      if (!in_place && !is_later) return;
      const int order = in_place && is_later ? later->first.compare(place->path)
                        : is_later           ? -1
                                             : 1;
      if (order <= 0) {
        visit(std::string_view{later->first}, std::span<const Row>{later->second});
        ++later;
        if (order == 0) ++place;
      } else {
        visit(place->path, rows_of(*place));
        ++place;
      }
    }
  }
  /// The same of what was scanned, to change it.
  template <class Visit>
  void each_scanned(Visit visit) {
    for (const Place& place : places_) {
      visit(place.path, std::span{place.first, place.count});
    }
  }

 private:
  struct Place {
    std::string_view path;
    Row* first = nullptr;
    std::size_t count = 0;
  };
  using Places = std::vector<Place>;

  [[nodiscard]] std::string_view keep(std::string_view path);
  [[nodiscard]] Places::const_iterator first_from(std::string_view path) const {
    return std::ranges::lower_bound(places_, path, {}, &Place::path);
  }
  [[nodiscard]] static std::span<const Row> rows_of(const Place& place) {
    return {place.first, place.count};
  }
  void push(Place& place, Row row);
  void put_in_order();

  std::vector<std::unique_ptr<char[]>> text_;  ///< of the paths, in blocks
  std::size_t left_ = 0;                       ///< of the last block
  std::size_t block_ = 0;                      ///< its size
  Places places_;
  std::vector<std::vector<Row>> blocks_;                        ///< none grows beyond its capacity
  std::map<std::string, std::vector<Row>, std::less<>> later_;  ///< with all rows of these paths
};

}  // namespace resumable::record
