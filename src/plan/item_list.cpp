// The items of a fan-out: which repeat another one, and how a queue grows.
#include <algorithm>
#include <numeric>
#include <tuple>

#include "plan/facts.hpp"

namespace resumable::plan {

std::optional<std::pair<std::size_t, std::size_t>> ItemList::find_repeats() {
  by_key.resize(keys.size());
  std::iota(by_key.begin(), by_key.end(), 0U);
  std::sort(by_key.begin(), by_key.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tie(keys[a], a) < std::tie(keys[b], b);
  });
  for (std::size_t i = 1, first = 0; i < by_key.size(); ++i) {
    if (keys[by_key[i]] != keys[by_key[first]]) {
      first = i;
    } else if (digests[by_key[i]] != digests[by_key[first]]) {
      return std::pair{std::size_t{by_key[first]}, std::size_t{by_key[i]}};
    } else {
      repeats[by_key[i]] = by_key[first];
    }
  }
  return std::nullopt;
}

void ItemList::begin_growing() {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    places.emplace(keys[i], static_cast<std::uint32_t>(i));
  }
}

bool ItemList::grow(std::uint32_t parent, const Enqueued& enqueued, std::string& clash) {
  for (const Enqueued::Element& element : enqueued.elements) {
    const auto place = static_cast<std::uint32_t>(keys.size());
    const auto [at, fresh] = places.emplace(element.key, place);
    if (fresh) {
      keys.push_back(element.key);
      digests.push_back(element.digest);
      grown.push_back({parent, element.payload, enqueued.schema});
    } else if (digests[at->second] != element.digest) {
      clash = element.key;
      return false;
    } else {
      parents.emplace_back(at->second, parent);
    }
  }
  return true;
}

std::size_t ItemList::find(std::string_view key, std::size_t hint) const {
  if (hint < keys.size() && keys[hint] == key) {
    const auto repeat = repeats.find(hint);
    return repeat == repeats.end() ? hint : repeat->second;
  }
  if (!places.empty()) {
    const auto place = places.find(std::string{key});
    return place == places.end() ? keys.size() : place->second;
  }
  const auto at =
      std::lower_bound(by_key.begin(), by_key.end(), key,
                       [&](std::uint32_t i, std::string_view k) { return keys[i] < k; });
  return at != by_key.end() && keys[*at] == key ? *at : keys.size();
}

}  // namespace resumable::plan
