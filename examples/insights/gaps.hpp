/// @file
/// What is not there, or is there under two names: parts of find_faults.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "insights/table.hpp"

namespace insights::tool {

/// Steps in time that are longer than usual: `gaps`. Where a day's readings come at different
/// distances, or are events, days without any are looked for. Weekdays without any reading are
/// closed days, no gap: `closed`.
[[nodiscard]] nlohmann::json gaps(const Table& table, const std::vector<std::size_t>& rows);

/// Values of a category that are perhaps misspelt, and what they are like: see spellings().
[[nodiscard]] std::map<std::string, std::string> slips(const Column& column,
                                                       const std::vector<std::size_t>& rows);

/// Values of categories that differ from a more common one by capitals and marks, or are rare and
/// one letter apart.
[[nodiscard]] nlohmann::json spellings(const Table& table, const std::vector<std::size_t>& rows);

}  // namespace insights::tool
