/// @file
/// The time between two dates of a row: opened and closed, taken and returned.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "insights/table.hpp"

namespace insights {

/// A column of dates, with a cell for each row.
struct Dates {
  std::string name;
  std::vector<std::optional<ParsedMoment>> moments;
  std::vector<bool> empty;  ///< the cell says that there is no date, not even a wrong one
};

/// A row whose second date comes before its first, where hardly any does.
struct Reversed {
  std::size_t row = 0;
  std::string first;
  std::string second;
};

struct Durations {
  std::vector<Column> columns;
  std::vector<Reversed> reversed;
};

/// Whether a cell is a date with a day, not a month or a week.
[[nodiscard]] bool has_day(const std::string& cell);

/// Of columns of clock times, with the date of their row: puts those times on the next day that
/// would be before the column's left neighbour, if there are more of them than mistakes and most
/// are then less than half a day behind it.
void put_behind_midnight(std::vector<Dates>& clocks);

/// A column for each two columns of dates, of more than three only for those with the first of
/// them or with one by which something was due. It counts from the earlier date to the later one.
/// Where some rows have them in one order and some in the other, it counts from the column with
/// fewer empty cells, and is negative if the other date comes first. The unit is days, or, where
/// both have clock times, also hours or minutes.
/// @param dates  the column of the rows' times is the first
[[nodiscard]] Durations durations_between(const std::vector<Dates>& dates);

}  // namespace insights
