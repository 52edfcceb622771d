/// @file
/// Tables that say what the values of another table's column stand for: a name and a kind for each
/// code.
#pragma once

#include <vector>

#include "insights/csv_file.hpp"
#include "insights/table.hpp"

namespace insights {

/// Whether `file` has a column with a value of its own in each row, which most values of a category
/// of `table` are among. If so, that category gets the names that the file has for its values
/// (`Jobcentre (JCP)`), and the table gets the file's other texts as categories, its numbers as
/// levels. Keys that are numbers, and those of a file with dates, must have the same name in both.
/// Several rows of one key hold one after the other, if the file's dates are called so (`Valid
/// from`): each row of the table gets the numbers that hold on its date. Values that the file does
/// not have are told among the table's problems.
bool look_up(Table& table, const CsvFile& file);

}  // namespace insights
