/// @file
/// Tables that are data: comma-separated values by libcsv, YAML by yaml-cpp.
#pragma once

#include <string>
#include <vector>

#include "text/passages.hpp"

namespace text {

struct Table {
  struct Row {
    int line = 0;  ///< where it begins
    std::vector<std::string> cells;
  };

  std::vector<std::string> header;
  std::vector<Row> rows;   ///< not always as many cells as the header
  std::vector<Row> notes;  ///< lines above the header that begin with `#`, without it
  char separator = ',';
};

/// The separator is the one of `,`, `;`, `|` and tab that the header has most of.
/// @throws std::runtime_error  a quotation mark is misplaced; says in which line
Table read_csv(const std::string& text);

/// `Header: cell; Header: cell`, without empty cells.
std::string row_text(const std::vector<std::string>& header, const std::vector<std::string>& cells);

/// A passage for each note and for each row, `Header: cell; Header: cell`, under the title that the
/// document has.
void add_rows(Document& document, const Table& table);

/// A map of values is one passage, `key: value; key: value`, titled with the keys above it; a value
/// in a list is one of its own.
/// @throws std::runtime_error  it is no YAML; says in which line
void read_yaml(Document& document, const std::string& text);

}  // namespace text
