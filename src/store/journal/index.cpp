#include "store/journal/index.hpp"

namespace resumable::store::journal {

const Known* Index::find(RecordId id) const {
  const auto found = records_.find(id);
  return found == records_.end() ? nullptr : &found->second;
}

bool Index::uses(const ValuePlace& file) const {
  return values_.contains({file.fence, file.number});
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
  records_.emplace(Id{std::string{id.path}, id.generation}, known);
  if (known.apart) ++values_[{known.value.fence, known.value.number}];
}

std::optional<ValuePlace> Index::erase(RecordId id) {
  const auto found = records_.find(id);
  if (found == records_.end()) return std::nullopt;
  const Known known = found->second;
  records_.erase(found);
  const std::uint64_t bytes = known.bytes(id.path.size());
  const auto live = live_.find(known.segment);
  live->second -= bytes;
  if (live->second == 0) live_.erase(live);
  live_bytes_ -= bytes;
  if (!known.apart) return std::nullopt;
  const auto users = values_.find({known.value.fence, known.value.number});
  if (--users->second > 0) return std::nullopt;
  values_.erase(users);
  return known.value;
}

}  // namespace resumable::store::journal
