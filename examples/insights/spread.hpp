/// @file
/// How far readings go up and down.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "insights/measure.hpp"

namespace insights::tool {

/// How far a day's highest reading, of one key, is above its lowest, for each day that has three of
/// them at least; empty if most days have fewer.
[[nodiscard]] std::vector<double> day_ranges(const Table& table, const std::vector<Item>& items);

/// @param figure  spread: the mean of what day_ranges() gives; deviation: the standard deviation
/// @return an object without `value` if there is none
[[nodiscard]] nlohmann::json spread_in(const Table& table, const std::string& figure,
                                       const std::vector<Item>& items);

}  // namespace insights::tool
