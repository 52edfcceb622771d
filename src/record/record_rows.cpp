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

std::string_view RecordRows::add(std::string_view path, const Row& row) {
  if (places_.empty() || places_.back().path() != path) {
    const std::string_view kept = keep(path);
    note_space(path);
    places_.push_back({kept.data(), nullptr, static_cast<std::uint32_t>(kept.size()), 0});
  }
  push(places_.back(), row);
  return places_.back().path();
}

namespace {

/// `attempt` of `@attempt/S`; only of paths that begin with an `@`.
std::string_view space_of(std::string_view path) { return path.substr(1, path.find('/') - 1); }

}  // namespace

/// Most stages ask for records of kinds that the run has none of.
bool RecordRows::is_of_no_space(std::string_view path) const {
  return path.starts_with('@') && !has_space(space_of(path));
}

void RecordRows::note_space(std::string_view path) {
  if (!path.starts_with('@')) return;
  const std::string_view space = space_of(path);
  if (space != last_space_) last_space_ = *spaces_.emplace(space).first;
}

/// Behind the rows of the last place, which stay together.
void RecordRows::push(Place& place, const Row& row) {
  constexpr std::size_t usual = (std::size_t{64} << 10U) / sizeof(Row);  // not rounded up much
  if (blocks_.empty() || blocks_.back().size() == blocks_.back().capacity()) {
    const std::span<Row> moved = place.rows();
    std::vector<Row> block;
    block.reserve(std::max(usual, 2 * moved.size()));
    block.assign(moved.begin(), moved.end());
    if (!blocks_.empty()) blocks_.back().resize(blocks_.back().size() - moved.size());
    blocks_.push_back(std::move(block));
    place.first = blocks_.back().data();
  }
  std::vector<Row>& block = blocks_.back();
  if (place.count == 0) place.first = block.data() + block.size();
  block.push_back(row);
  ++place.count;
}

void RecordRows::sort() {
  const auto ascends = [](const Place& a, const Place& b) { return a.path() < b.path(); };
  const auto is_before = [&](const Place& a, const Place& b) { return !ascends(a, b); };
  if (std::ranges::adjacent_find(places_, is_before) != places_.end()) put_in_order();
  each_scanned([](std::string_view, std::span<Row> rows) {
    if (rows.size() > 1) std::ranges::stable_sort(rows, {}, &Row::generation);
  });
  table_.reserve(places_.size());
  for (std::size_t i = 0; i < places_.size(); ++i) {
    table_.insert(static_cast<std::uint32_t>(i),
                  [this](std::uint32_t place) { return places_[place].path(); });
  }
}

/// For a store that scans in another order than it should.
void RecordRows::put_in_order() {
  Places scanned = std::exchange(places_, {});
  const auto blocks = std::exchange(blocks_, {});
  std::ranges::stable_sort(scanned, {}, &Place::path);
  for (const Place& place : scanned) {
    if (places_.empty() || places_.back().path() != place.path()) {
      places_.push_back({place.text, nullptr, place.length, 0});
    }
    for (const Row& row : place.rows()) push(places_.back(), row);
  }
}

std::span<plan::Row> RecordRows::scanned(std::string_view path) const {
  const std::uint32_t place =
      table_.find(path, [this](std::uint32_t one) { return places_[one].path(); });
  return place == core::PlaceTable::none ? std::span<Row>{} : places_[place].rows();
}

std::span<const plan::Row> RecordRows::at(std::string_view path) const {
  if (is_of_no_space(path)) return {};
  if (later_.empty()) return scanned(path);
  const auto later = later_.find(path);
  return later != later_.end() ? std::span<const Row>{later->second} : scanned(path);
}

std::span<plan::Row> RecordRows::at(std::string_view path) {
  const auto later = later_.find(path);
  return later != later_.end() ? std::span<Row>{later->second} : scanned(path);
}

bool RecordRows::has_scanned(std::string_view path) const {
  const auto in_place = [](std::span<const Row> rows) {
    return std::ranges::any_of(rows, [](const Row& row) { return !row.quarantined; });
  };
  if (is_of_no_space(path)) return false;
  if (in_place(scanned(path))) return true;
  const std::string below = std::string{path} + "/";
  for (auto place = first_from(below); place != places_.end(); ++place) {
    if (!place->path().starts_with(below)) return false;
    if (in_place(place->rows())) return true;
  }
  return false;
}

void RecordRows::note(const std::string& path, const Row& row) {
  auto later = later_.find(path);
  if (later == later_.end()) {
    const auto before = scanned(path);
    later = later_.try_emplace(path, before.begin(), before.end()).first;
    note_space(path);
  }
  std::vector<Row>& rows = later->second;
  if (!rows.empty() && rows.back().generation == row.generation) rows.pop_back();
  rows.push_back(row);
}

}  // namespace resumable::record
