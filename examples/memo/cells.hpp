/// @file
/// Rows of tables that set a figure beside an earlier one.
#pragma once

#include <vector>

#include "memo/quantities.hpp"

namespace memo {

/// A figure that a row of a table gives, and what it was or was said to be.
struct Revised {
  const Quantity* then;
  const Quantity* now;
};

/// Rows with two such cells: `Loss: as told in May 1.1; checked 1.8`, `Price 2024 €3; price 2025
/// €4`. @param cells  as quantities_in_cells() gives them; they have to live on
std::vector<Revised> revised_in(const std::vector<Quantity>& cells);

/// Whether a sentence may speak of what a row is about: it has the name of the row, or two words.
bool is_about_row(const Quantity& earlier, const Quantity& cell);

/// Whether a sentence and a cell of a row give one figure otherwise: the sentence has the name of
/// the row, and the column is of the year of the sentence.
bool are_of_one_row(const Quantity& said, const Quantity& cell);

/// The same of cells in two tables, in columns of one year. `Turnover` and `sales` are revenue.
bool are_of_two_tables(const Quantity& earlier, const Quantity& later);

/// Whether a sentence says how many work there, of which a row gives the number at an earlier time.
bool are_later_staff(const Quantity& said, const Quantity& cell);

}  // namespace memo
