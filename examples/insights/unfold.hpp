/// @file
/// Wide tables, with a column for each month or year.
#pragma once

#include <vector>

#include "insights/csv_file.hpp"

namespace insights {

/// A table in which three or more columns of numbers are months or years (`Jan 2024`, `2019`,
/// `sales May`) as one with a row for each of them. What other numbers its rows have is a table of
/// its own beside it. Months without a year get that of their row, if there is a column of years,
/// or that of the file's name. Any other table comes back as it is.
[[nodiscard]] std::vector<CsvFile> unfolded(CsvFile file);

}  // namespace insights
