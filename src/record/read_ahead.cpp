#include "record/read_ahead.hpp"

#include <utility>

namespace resumable::record {

void ReadAhead::expect(std::string path, std::uint64_t generation) {
  if (!places_.emplace(path, all_.size()).second) return;
  all_.push_back({std::move(path), generation});
}

Saved ReadAhead::take(const std::string& path, std::uint64_t generation) {
  {
    const std::scoped_lock lock{guard_};
    const auto found = places_.find(path);
    if (found != places_.end() && all_[found->second].generation == generation) {
      Expected& wanted = all_[found->second];
      if (!wanted.is_read && held_ < most_bytes) read_from(found->second);
      if (auto saved = std::exchange(wanted.saved, std::nullopt)) {
        held_ -= saved->payload->size();
        return *std::move(saved);
      }
    }
  }
  return records_.saved(path, generation);
}

/// The record at `place` and those behind it that were not read yet. One that cannot be held is
/// read by itself when it is asked for.
void ReadAhead::read_from(std::size_t place) {
  std::vector<RecordId> ids;
  std::vector<std::size_t> places;
  for (std::size_t i = place; i < all_.size(); ++i) {
    if (all_[i].is_read) continue;
    ids.push_back({all_[i].path, all_[i].generation});
    places.push_back(i);
  }
  records_.read_many(ids, [&](std::size_t index, std::optional<Saved> saved) {
    Expected& one = all_[places[index]];
    one.is_read = true;
    if (saved) held_ += saved->payload->size();
    one.saved = std::move(saved);
    return held_ < most_bytes;
  });
  all_[place].is_read = true;
}

}  // namespace resumable::record
