/// @file
/// Which paths a scan asks for, for stores that keep records in the order of their paths.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "resumable/export.hpp"
#include "resumable/store.hpp"

namespace resumable::store {

/// Paths from `begin` on and before `end`.
struct Range {
  std::string begin;
  std::string end;
};

/// In byte order; no path is in two of them.
[[nodiscard]] RESUMABLE_EXPORT std::vector<Range> ranges_of(const ScanOptions& what);
/// Those that begin with `prefix`.
[[nodiscard]] RESUMABLE_EXPORT Range range_below(std::string_view prefix);
/// Whether the scan asks for this path.
[[nodiscard]] bool is_wanted(const ScanOptions& what, std::string_view path);

}  // namespace resumable::store
