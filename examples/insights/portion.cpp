#include "insights/portion.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "insights/words.hpp"

namespace insights {
namespace {

/// Where the last word of a value is said, or else one of its category; nullopt: they are not.
std::optional<std::size_t> said_at(const std::vector<std::string>& asked,
                                   const std::string& category, const std::string& value) {
  const std::vector<std::string> of_value = words_in(values_in(value).front());
  const std::vector<std::string> of_category = words_in(category);
  for (std::size_t i = 0; i < asked.size() && !of_value.empty(); ++i) {
    if (is_same_word(asked[i], of_value.back())) return i;
  }
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const auto is_it = [&](const std::string& name) { return speaks_of(asked[i], name); };
    if (std::ranges::any_of(of_category, is_it)) return i;
  }
  return std::nullopt;
}

/// Whether the second of two places stands behind `among` or the like: `of cash among tourists`.
bool stands_within(const std::vector<std::string>& asked, std::size_t first, std::size_t second) {
  static const std::set<std::string> among{"among", "amongst", "within", "in", "at"};
  std::size_t at = second - 1;
  while (at > first && words().has("adjectives", asked[at])) --at;
  return at > first && among.contains(asked[at]);
}

}  // namespace

std::string part_of_share(const std::string& text, const Interest& about) {
  const std::vector<std::string> asked = words_in(text);
  std::vector<std::pair<std::size_t, std::string>> places;
  for (const auto& [category, value] : about.where) {
    if (about.left_out.contains(category)) continue;
    const auto at = said_at(asked, category, value);
    if (!at) return "";
    places.emplace_back(*at, category);
  }
  if (places.size() < 2) return "";
  std::ranges::sort(places);
  const bool is_first = stands_within(asked, places.front().first, places.back().first);
  return is_first ? places.front().second : places.back().second;
}

}  // namespace insights
