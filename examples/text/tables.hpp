/// @file
/// Tables that are data: comma-separated values by libcsv, YAML by yaml-cpp.
#pragma once

#include <string>
#include <vector>

#include "text/passages.hpp"

namespace text {

/// The separator is the one of `,`, `;`, `|` and tab that the header has most of.
/// @throws std::runtime_error  a quotation mark is misplaced; says in which line
Table read_csv(const std::string& text);

/// `Header: cell; Header: cell`, without empty cells.
std::string row_text(const std::vector<std::string>& header, const std::vector<std::string>& cells);

/// Adds a passage for each note and for each row, `Header: cell; Header: cell`, and the table.
void add_table(Document& document, Table table);

/// A map of values is one passage, `key: value; key: value`, titled with the keys above it; a value
/// in a list is one of its own.
/// @throws std::runtime_error  it is no YAML; says in which line
void read_yaml(Document& document, const std::string& text);

}  // namespace text
