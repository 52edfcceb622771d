#include "store/journal/index.hpp"

#include <algorithm>
#include <vector>

namespace resumable::store::journal {
namespace {

/// For a damaged record it is unknown what its payload was.
std::uint64_t payload_of(const Known& known) {
  return known.damage == Damage::none ? known.payload_bytes : 0;
}

}  // namespace

Index::Index(std::shared_ptr<const IndexFile> base)
    : base_(std::move(base)), totals_(base_->totals()) {
  for (const CoveredSegment& segment : base_->segments()) {
    if (segment.live_bytes > 0) live_[segment.header.number] = segment.live_bytes;
    live_bytes_ += segment.live_bytes;
  }
  for (const UsedValue& value : base_->values()) values_[{value.fence, value.number}] = value.users;
}

std::optional<Known> Index::find_in_base(RecordId id) const {
  if (!base_) return std::nullopt;
  const std::size_t number = base_->lower_bound(id);
  if (number == base_->rows()) return std::nullopt;
  const IndexRow row = base_->row(number);
  const bool found = row.id.path == id.path && row.id.generation == id.generation;
  return found ? std::optional{row.known} : std::nullopt;
}

std::optional<Known> Index::find(RecordId id) const {
  const auto changed = changes_.find(id);
  return changed != changes_.end() ? changed->second : find_in_base(id);
}

void Index::visit(std::string_view prefix, Visit visit) const {
  const Before before;
  auto change = changes_.lower_bound(RecordId{prefix, 0});
  std::optional<IndexCursor> rows;
  if (base_) rows.emplace(*base_, RecordId{prefix, 0});
  const auto next_row = [&]() -> std::optional<IndexRow> {
    auto row = rows ? rows->next() : std::nullopt;
    return row && row->id.path.starts_with(prefix) ? row : std::nullopt;
  };
  for (auto row = next_row();;) {
    const bool changed = change != changes_.end() && change->first.path.starts_with(prefix);
    if (!changed && !row) return;
    if (!changed || (row && before(row->id, change->first))) {
      if (!visit(row->id, row->known)) return;
      row = next_row();
      continue;
    }
    const auto& [id, known] = *change++;
    if (row && !before(id, row->id)) row = next_row();
    if (known && !visit({id.path, id.generation}, *known)) return;
  }
}

void Index::prove(std::string_view prefix) const {
  if (base_) base_->prove(prefix);
}

void Index::keep_all() const {
  if (base_) base_->keep_all();
}

bool Index::has_damage() const {
  return std::ranges::any_of(changes_, [](const auto& change) {
    return change.second && change.second->damage != Damage::none;
  });
}

bool Index::is_damaged_at(std::uint64_t segment, std::uint64_t at) const {
  return std::ranges::any_of(changes_, [&](const auto& change) {
    const auto& known = change.second;
    return known && known->damage != Damage::none && known->segment == segment && known->at <= at &&
           at < known->at + known->payload_bytes;
  });
}

bool Index::uses(const ValuePlace& file) const {
  return values_.contains({file.fence, file.number});
}

RecordTotals Index::totals(std::string_view prefix) const {
  if (prefix.empty()) return totals_;
  RecordTotals found;
  visit(prefix, [&](RecordId /*id*/, const Known& known) {
    ++found.records;
    found.header_bytes += known.header_bytes;
    found.payload_bytes += payload_of(known);
    return true;
  });
  return found;
}

std::uint64_t Index::live_bytes(std::uint64_t segment) const {
  const auto found = live_.find(segment);
  return found == live_.end() ? 0 : found->second;
}

std::optional<std::uint64_t> Index::first_segment() const {
  return live_.empty() ? std::nullopt : std::optional{live_.begin()->first};
}

void Index::put(RecordId id, const Known& known) {
  static_cast<void>(erase(id));
  const std::uint64_t bytes = known.bytes(id.path.size());
  live_[known.segment] += bytes;
  live_bytes_ += bytes;
  ++totals_.records;
  totals_.header_bytes += known.header_bytes;
  totals_.payload_bytes += payload_of(known);
  changes_.insert_or_assign(Id{std::string{id.path}, id.generation}, known);
  if (known.apart) ++values_[{known.value.fence, known.value.number}];
}

std::optional<ValuePlace> Index::erase(RecordId id) {
  const auto changed = changes_.find(id);
  const auto in_base = find_in_base(id);
  const auto known = changed != changes_.end() ? changed->second : in_base;
  if (!known) return std::nullopt;
  if (in_base) {
    changes_.insert_or_assign(Id{std::string{id.path}, id.generation}, std::nullopt);
  } else {
    changes_.erase(changed);
  }
  const std::uint64_t bytes = known->bytes(id.path.size());
  const auto live = live_.find(known->segment);
  live->second -= bytes;
  if (live->second == 0) live_.erase(live);
  live_bytes_ -= bytes;
  --totals_.records;
  totals_.header_bytes -= known->header_bytes;
  totals_.payload_bytes -= payload_of(*known);
  if (!known->apart) return std::nullopt;
  const auto users = values_.find({known->value.fence, known->value.number});
  if (--users->second > 0) return std::nullopt;
  values_.erase(users);
  return known->value;
}

bool Index::has_grown(std::span<const CoveredSegment> segments, std::uint64_t at_least) const {
  std::uint64_t uncovered = 0;
  for (const CoveredSegment& segment : segments) uncovered += segment.reading.end;
  std::uint64_t size = 0;
  if (base_) {
    std::uint64_t covered = 0;
    bool fits = true;
    for (const CoveredSegment& segment : base_->segments()) {
      fits = fits && std::ranges::any_of(segments, [&](const CoveredSegment& now) {
               return now.header.number == segment.header.number;
             });
      covered += segment.reading.end;
    }
    if (fits) uncovered -= covered;
    if (fits) size = base_->bytes();
  }
  return uncovered >= std::max(at_least, size);
}

std::string Index::encode(std::span<CoveredSegment> segments) const {
  if (has_damage()) return {};
  for (CoveredSegment& segment : segments) segment.live_bytes = live_bytes(segment.header.number);
  std::vector<UsedValue> values;
  for (const auto& [file, users] : values_) values.push_back({file.first, file.second, users});
  IndexFileWriter writer{segments, values};
  visit("", [&](RecordId id, const Known& known) {
    writer.add(id, known);
    return true;
  });
  return writer.finish();
}

}  // namespace resumable::store::journal
