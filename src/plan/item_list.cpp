#include "plan/item_list.hpp"

namespace resumable::plan {

namespace {

auto text_in(const Keys& keys) {
  return [&keys](std::uint32_t place) { return keys[place]; };
}

}  // namespace

std::optional<std::pair<std::size_t, std::size_t>> ItemList::find_repeats() {
  places.reserve(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::uint32_t first = places.insert(static_cast<std::uint32_t>(i), text_in(keys));
    if (first == core::PlaceTable::none) continue;
    if (digests[i] != digests[first]) return std::pair{std::size_t{first}, i};
    repeats.emplace_hint(repeats.end(), i, first);
  }
  return std::nullopt;
}

bool ItemList::grow(std::uint32_t parent, const Enqueued& enqueued, std::string& clash) {
  for (const Enqueued::Element& element : enqueued.elements) {
    const std::size_t there = find(element.key, keys.size());
    if (there == keys.size()) {
      keys.push_back(element.key);
      digests.push_back(element.digest);
      grown.push_back({parent, element.payload, enqueued.schema, enqueued.schemas});
      places.insert(static_cast<std::uint32_t>(there), text_in(keys));
    } else if (digests[there] != element.digest) {
      clash = element.key;
      return false;
    } else {
      parents.emplace_back(static_cast<std::uint32_t>(there), parent);
    }
  }
  return true;
}

std::size_t ItemList::find(std::string_view key, std::size_t hint) const {
  if (hint < keys.size() && keys[hint] == key) {
    const auto repeat = repeats.find(hint);
    return repeat == repeats.end() ? hint : repeat->second;
  }
  const std::uint32_t place = places.find(key, text_in(keys));
  return place == core::PlaceTable::none ? keys.size() : place;
}

}  // namespace resumable::plan
