/// @file
/// What is not there: a part of find_faults.
#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "insights/table.hpp"

namespace insights::tool {

/// Steps in time that are longer than usual: `gaps`. Where a day's readings come at different
/// distances, or are events, days without any are looked for. Weekdays without any reading are
/// closed days, no gap: `closed`.
[[nodiscard]] nlohmann::json gaps(const Table& table, const std::vector<std::size_t>& rows);

}  // namespace insights::tool
