#include "record/record_rows.hpp"

#include <iterator>
#include <utility>

namespace resumable::record {

std::string_view RecordRows::keep(std::string_view path) {
  constexpr std::size_t usual = std::size_t{64} << 10U;
  if (path.size() > left_) {
    block_ = left_ = std::max(usual, path.size());
    text_.push_back(std::make_unique_for_overwrite<char[]>(block_));
  }
  char* const to = text_.back().get() + (block_ - left_);
  std::ranges::copy(path, to);
  left_ -= path.size();
  return {to, path.size()};
}

std::string_view RecordRows::add(std::string_view path, Row row) {
  if (places_.empty() || places_.back().path != path) places_.push_back({keep(path), nullptr, 0});
  push(places_.back(), std::move(row));
  return places_.back().path;
}

/// Behind the rows of the last place, which stay together.
void RecordRows::push(Place& place, Row row) {
  constexpr std::size_t usual = 1024;
  if (blocks_.empty() || blocks_.back().size() == blocks_.back().capacity()) {
    const std::span<Row> moved{place.first, place.count};
    std::vector<Row> block;
    block.reserve(std::max(usual, 2 * moved.size()));
    std::ranges::move(moved, std::back_inserter(block));
    if (!blocks_.empty()) blocks_.back().resize(blocks_.back().size() - moved.size());
    blocks_.push_back(std::move(block));
    place.first = blocks_.back().data();
  }
  std::vector<Row>& block = blocks_.back();
  if (place.count == 0) place.first = block.data() + block.size();
  block.push_back(std::move(row));
  ++place.count;
}

void RecordRows::sort() {
  const auto ascends = [](const Place& a, const Place& b) { return a.path < b.path; };
  const auto is_before = [&](const Place& a, const Place& b) { return !ascends(a, b); };
  if (std::ranges::adjacent_find(places_, is_before) != places_.end()) put_in_order();
  each_scanned([](std::string_view, std::span<Row> rows) {
    if (rows.size() > 1) std::ranges::stable_sort(rows, {}, &Row::generation);
  });
}

/// For a store that scans in another order than it should.
void RecordRows::put_in_order() {
  Places scanned = std::exchange(places_, {});
  const auto blocks = std::exchange(blocks_, {});
  std::ranges::stable_sort(scanned, {}, &Place::path);
  for (const Place& place : scanned) {
    if (places_.empty() || places_.back().path != place.path) {
      places_.push_back({place.path, nullptr, 0});
    }
    for (Row& row : std::span{place.first, place.count}) push(places_.back(), std::move(row));
  }
}

std::span<const plan::Row> RecordRows::at(std::string_view path) const {
  if (const auto later = later_.find(path); later != later_.end()) return later->second;
  const auto place = first_from(path);
  if (place == places_.end() || place->path != path) return {};
  return rows_of(*place);
}

std::span<plan::Row> RecordRows::at(std::string_view path) {
  if (const auto later = later_.find(path); later != later_.end()) return later->second;
  const auto place = first_from(path);
  if (place == places_.end() || place->path != path) return {};
  return {place->first, place->count};
}

void RecordRows::note(const std::string& path, Row row) {
  auto later = later_.find(path);
  if (later == later_.end()) {
    const auto scanned = std::as_const(*this).at(path);
    later = later_.try_emplace(path, scanned.begin(), scanned.end()).first;
  }
  std::vector<Row>& rows = later->second;
  if (!rows.empty() && rows.back().generation == row.generation) rows.pop_back();
  rows.push_back(std::move(row));
}

}  // namespace resumable::record
