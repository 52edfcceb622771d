/// @file
/// The columns of a table, found by what their cells hold.
#pragma once

#include "insights/csv_file.hpp"
#include "insights/table.hpp"

namespace insights {

/// A column is the time, numbers or a category when nearly all of its cells are that; identifiers
/// and free text are left out. Rows are in order of their times. Neither window nor keys are set.
/// @param prompt  what is asked: of several dates the one that it names is the rows' time
/// @throws ReadingsError  there is no row, or no column of numbers or of a category
[[nodiscard]] Table table_of(const CsvFile& file, const std::string& prompt = "");

/// Adds a text to what is noted of each row.
void add_remarks(Table& table, const std::vector<std::string>& texts);

/// Appends the rows of `more`, which has the same columns.
void append(Table& table, const Table& more);

/// Removes the rows for which `keep` says no.
void keep_rows(Table& table, const std::vector<bool>& keep);

/// Removes the rows that are called the sum of others, as `Total` among the names of shops: they
/// would be counted twice.
void leave_out_totals(Table& table);

/// Sorts by time, finds the keys, drops categories that have one value, and adds to a highest and a
/// lowest value of the same thing their mean.
void finish(Table& table);

}  // namespace insights
