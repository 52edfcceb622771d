/// @file
/// Tables that the sources hold: records in .yml and .csv files, tables in markdown, and one of who
/// is named with a role.
#pragma once

#include <string>
#include <vector>

#include "memo/source.hpp"

namespace memo {

struct Table {
  std::string source;   ///< path; empty if every row has its own source
  std::string caption;  ///< a phrase without a full stop
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> row_sources;  ///< only if `source` is empty, one per row
};

/// Every field of the records of a .yml or .csv file, plain text.
/// @throws std::invalid_argument  it cannot be read
Table records_table(const Source& source);

/// All tables of a source with all their cells; those of markdown are captioned by the heading
/// above them.
std::vector<Table> raw_tables_in(const Source& source);

/// What each row says, `Fees: 2024 €30; 2025 €40.`; empty for a row that is no sentence. Rows of
/// two cells say something only with a figure or three words.
std::vector<std::string> row_statements(const Table& table);

/// The same, fit for a page: without images and buttons, at most `columns` columns, or ten of
/// figures, the last ones.
Table readable(Table table, std::size_t columns);

/// The tables that fit on a page: a long one is left out.
std::vector<Table> tables_in(const Source& source);

/// `Name Surname, Role` headings of all sources. Empty rows if nobody is named so.
Table people_table(const Sources& sources);

/// One `| a | b |` line.
std::string row_line(const std::vector<std::string>& cells);

/// The whole table in markdown, without caption.
std::string render(const Table& table);

}  // namespace memo
