/// @file
/// What could not be read of a file: cells and rows, with their lines.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "insights/csv_file.hpp"
#include "insights/durations.hpp"
#include "insights/table.hpp"

namespace insights {

/// Collects what is wrong, and tells it as the table's problems; 20 at most.
class Problems {
 public:
  explicit Problems(const CsvFile& file) : file_(file) {}

  /// A cell of a column, and what is wrong with it: `is not a number; it counts as missing`.
  void add(const CsvRow& row, std::size_t column, const std::string& what) {
    cells_[{column, what}].push_back(&row);
  }
  /// The rows whose dates are the wrong way round, those of the same two dates together.
  /// @param rows  those of the table, in its order
  void add(const Durations& found, const std::vector<Dates>& dates,
           const std::vector<const CsvRow*>& rows, const std::vector<std::string>& names);

  /// Cells that are wrong in the same way are told together.
  [[nodiscard]] std::vector<std::string> told() const;

 private:
  [[nodiscard]] std::string place(const CsvRow& row) const;

  const CsvFile& file_;
  std::map<std::pair<std::size_t, std::string>, std::vector<const CsvRow*>> cells_;
  std::vector<std::string> reversed_;
};

}  // namespace insights
