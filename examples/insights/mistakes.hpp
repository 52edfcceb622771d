/// @file
/// Readings that cannot be right, which would spoil every mean and sum.
#pragma once

#include "insights/table.hpp"

namespace insights {

/// Takes a row that says the same as one before, all cells and the time, out of the table; the row
/// before tells where. Where many rows are alike that is no mistake, and they stay.
/// @pre the rows are in order, the keys are known
void drop_doubles(Table& table);

/// Moves the numbers that cannot be right from `numbers` to `set_aside`: a mark for a missing value
/// such as −99.9, and one or two readings that are far from all others of their keys, where these
/// are close together; of an amount they must be many times the others. What may have happened, as
/// a storm, a crowd or a large bill, stays.
/// @pre the rows are in order, the keys are known
void set_mistakes_aside(Table& table);

}  // namespace insights
