/// @file
/// Stretches of time in which no event happened: a part of find_faults.
#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "insights/table.hpp"

namespace insights::tool {

/// `longest`: the longest time without a row, and, of a table of events, `of_values`: values of
/// categories that were not among so many events in a row that this is no chance. `clear` says
/// that events that come at random would leave no such time.
[[nodiscard]] nlohmann::json quiet_times(const Table& table, const std::vector<std::size_t>& rows);

}  // namespace insights::tool
