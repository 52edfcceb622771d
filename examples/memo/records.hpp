/// @file
/// Reads tables that are data: lists of records in YAML (yaml-cpp), and comma-separated values
/// (libcsv).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace memo {

/// Raw cells, as many in each row as there are columns.
struct Rows {
  std::string title;  ///< the line above the names of the columns; mostly empty
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

/// A list of maps gives a row for each, a map of values a row for each of its keys; a field's list
/// of values becomes one cell. Fields come in order of first appearance. Other YAML gives no rows.
/// @throws std::invalid_argument  the text is no YAML; the message says where
Rows yaml_rows(const std::string& text);

/// The first line names the columns, after titles and comments: lines with `#` in front, or with at
/// most half as many cells as most have. A comment that is a row's only cell is left out. The
/// separator is the one of `,`, `;`, `|` and tab that the first line with one holds most of.
/// @throws std::invalid_argument  a quotation mark is not closed
Rows csv_rows(std::string_view text);

}  // namespace memo
