/// @file
/// Tables whose times are not written as dates: years, months and days in columns of their own,
/// dates without a mark between their numbers, seconds since 1970.
#pragma once

#include "insights/csv_file.hpp"

namespace insights {

/// The table with such times as dates, which parse_moment() reads:
///  - a column of years and, beside it, one of months, quarters or weeks; with months also one of
///    days, and with days one of hours: one column `date` in their place. A table that has another
///    column of dates keeps them.
///  - `20150131`, `20150131T1345`, `201501` where the header says that it is a date or a month
///  - seconds or milliseconds since 1970 where the header speaks of a time
/// Any other table comes back as it is.
[[nodiscard]] CsvFile dated(CsvFile file);

}  // namespace insights
