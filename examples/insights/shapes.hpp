/// @file
/// What a column or a table looks like as a whole.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "insights/table.hpp"

namespace insights {

/// The order of the numbers in dates with slashes: the one in which most cells are dates; of two
/// that fit alike the one in which the rows are in order; unknown when that does not tell either.
[[nodiscard]] Slashes slashes_of(const std::vector<std::string>& cells);

/// Whether the words of a header name things that are counted: `visitors`, `calls since last`.
[[nodiscard]] bool names_things(const std::vector<std::string>& header);

/// Whether a cell may be the name of a row: `A20251`, without a space and with a digit.
[[nodiscard]] bool is_code(const std::string& cell);

/// Whether these are numbers that rows are numbered with: hardly any between the least and the most
/// is left out.
[[nodiscard]] bool is_serial(const std::set<double>& numbers);

/// Whether a row is something that happened, at any time, and not a reading at a time that was set:
/// the days have different numbers of rows, or come at different distances, and no categories say
/// which rows a day should have. @pre the table is in order, its keys are known
[[nodiscard]] bool is_of_events(const Table& table);

/// Adds a column that counts the rows, named after the table: a 1 in each. Amounts of money of
/// events can be summed, whatever their names say; how long each took is a level. Events have no
/// keys.
void count_events(Table& table);

/// The rows that lie apart from all others by more than the time that these take: a wrong year.
[[nodiscard]] std::vector<bool> far_in_time(const Table& table);

/// Whether the rows say how many of something they are about: what one costs is then no amount.
[[nodiscard]] bool has_quantity(const Table& table);

}  // namespace insights
