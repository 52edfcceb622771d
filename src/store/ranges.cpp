#include "store/ranges.hpp"

#include <algorithm>
#include <utility>

namespace resumable::store {
namespace {

bool is_below(std::string_view place) { return place.ends_with('/'); }

}  // namespace

Range range_below(std::string_view prefix) {
  Range range{std::string{prefix}, std::string{prefix}};
  if (prefix.empty()) {
    range.end = "\x7F";  // paths are ASCII
  } else {
    ++range.end.back();
  }
  return range;
}

std::vector<Range> ranges_of(const ScanOptions& what) {
  if (what.places.empty()) return {range_below(what.prefix)};
  std::vector<Range> all;
  for (const std::string_view place : what.places) {
    all.push_back(is_below(place) ? range_below(place)
                                  : Range{std::string{place}, std::string{place} + '\x01'});
  }
  std::ranges::sort(all, {}, &Range::begin);
  std::vector<Range> joined;
  for (Range& one : all) {
    if (joined.empty() || one.begin >= joined.back().end) {
      joined.push_back(std::move(one));
    } else if (one.end > joined.back().end) {
      joined.back().end = std::move(one.end);
    }
  }
  return joined;
}

bool is_wanted(const ScanOptions& what, std::string_view path) {
  if (what.places.empty()) return path.starts_with(what.prefix);
  return std::ranges::any_of(what.places, [&](std::string_view place) {
    return is_below(place) ? path.starts_with(place) : path == place;
  });
}

}  // namespace resumable::store
