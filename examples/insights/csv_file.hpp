/// @file
/// The rows of a .csv or .tsv file, read by libcsv. What is not UTF-8 is converted
/// (text/charset.hpp).
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "insights/moments.hpp"
#include "insights/words.hpp"

namespace insights {

/// The readings cannot be used; what() names the file and the line.
class ReadingsError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct CsvRow {
  int line = 0;  ///< where it begins
  std::vector<std::string> cells;
};

struct CsvFile {
  std::filesystem::path path;
  std::string name;  ///< of the table: the file's, without its ending
  char separator = ',';
  std::vector<std::string> header;
  std::vector<CsvRow> rows;            ///< as many cells as the header
  Slashes slashes = Slashes::unknown;  ///< of dates in which nothing shows their order
};

/// @throws ReadingsError  it cannot be read, or is no table
[[nodiscard]] CsvFile read_csv(const std::filesystem::path& path);

/// Whether the numbers of a column have a comma as decimal point. They may in files with other
/// separators; there a comma is the mark of thousands if three digits follow each, and smaller
/// whole numbers, or decimal points in the file, show that. They also have one if a point is the
/// mark of thousands: three digits follow each, beside smaller whole numbers such as 974.
[[nodiscard]] bool has_decimal_comma(const CsvFile& file, std::size_t column);

/// Whether nearly all cells of a column that hold something are what `is` says; what the others
/// hold is a mistake.
template <class Is>
[[nodiscard]] bool holds(const CsvFile& file, std::size_t column, Is is) {
  std::size_t filled = 0;
  std::size_t good = 0;
  for (const CsvRow& row : file.rows) {
    if (is_missing(row.cells[column])) continue;
    ++filled;
    if (is(row.cells[column])) ++good;
  }
  return filled > 0 && good * 10 >= filled * 9;
}

}  // namespace insights
