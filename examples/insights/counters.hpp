/// @file
/// Counters that rise all the time, such as meters: what counts is their use between readings.
#pragma once

#include <vector>

#include "insights/arguments.hpp"
#include "insights/table.hpp"

namespace insights {

/// Makes of each column of counter readings one of what was used since the row before of the same
/// key, `use of night`. Such a column almost never falls within its key, rises by far less than its
/// level, and has the unit or the name of a counter. A fall starts a new count: what was used until
/// then is not known, or counts from zero where the reading is that small. A reading that those
/// before and after it contradict counts as missing. Both are told in `problems`.
/// @pre the rows are in order of their times
void take_uses(Table& table);

/// A part of what a counter shows between two readings.
struct Use {
  std::size_t row = 0;  ///< of the later reading
  Moment moment = 0;    ///< a day, where the readings are days apart
  double part = 1;      ///< of the row's number
};

/// What the counter used in the time asked about. A use over more than a day and a half belongs
/// to the days between in equal parts, a shorter one to where its middle is.
/// @pre column.spans are known
[[nodiscard]] std::vector<Use> uses_in(const Table& table, const Column& column, const Rows& rows);

/// Whether its readings are usually half a day or more apart.
[[nodiscard]] bool is_read_by_day(const Column& column);

}  // namespace insights
