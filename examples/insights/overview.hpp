/// @file
/// What a table shows at first sight: a fixed agenda of queries, and a sentence for what each
/// finds. It knows no words and no data: a column's kind and its numbers decide what is asked.
///
/// Of a table: rows, time and groups; empty cells; steps and gaps of the time. Of a number column:
/// mean, least and most, each with its place; the groups and the days with the most and the least;
/// weekdays and hours; the first against the last quarter of the time; runs of readings that are
/// unlike the rest of their group.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "insights/database.hpp"
#include "insights/types.hpp"

namespace insights {

/// Lines that a whole table gives at most.
inline constexpr std::size_t most_lines = 40;

/// The parts of a table's overview: "" for the table itself, then its number columns with more than
/// one value, eight at most; of a wide table also `value`, which stands for the columns of its long
/// view.
[[nodiscard]] std::vector<std::string> parts_of(const Table& table, const LongView* view);

/// What one part shows.
/// @param column  of parts_of()
[[nodiscard]] std::vector<Finding> overview(const Database& database, const Table& table,
                                            const LongView* view, const std::string& column,
                                            const std::stop_token& stop);

}  // namespace insights
