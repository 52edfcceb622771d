/// @file
/// What is computed of a row: 1, a column or several, less one or times others, and what it is
/// divided by.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "insights/arguments.hpp"

namespace insights::tool {

/// What one row adds.
struct Item {
  std::size_t row = 0;
  double value = 0;
  double per = 0;
  Moment moment = 0;  ///< of a counter, when it was used
};

/// All names in the arguments are those of columns of numbers.
class Measure {
 public:
  /// @throws ToolError  they are not
  Measure(Arguments& arguments, const Table& table);

  /// @param only  one of the columns; nullptr: all together
  [[nodiscard]] std::optional<Item> of(std::size_t row, const Column* only = nullptr) const;
  /// What all rows add: of a counter, to the days between its readings.
  [[nodiscard]] std::vector<Item> all(const Rows& rows, const Column* only = nullptr) const;
  [[nodiscard]] bool is_counter() const { return !columns_.empty() && !columns_[0]->spans.empty(); }
  [[nodiscard]] const std::vector<const Column*>& columns() const { return columns_; }
  [[nodiscard]] bool has_ratio() const { return !per_name_.empty(); }
  /// Whether it is divided by another column, and not by the number of rows.
  [[nodiscard]] bool is_of_two() const { return per_ != nullptr; }
  /// Whether another column is taken off.
  [[nodiscard]] bool is_left() const { return less_ != nullptr; }
  [[nodiscard]] double each() const { return each_; }
  [[nodiscard]] bool counts() const {
    return columns_.empty() || (columns_.size() == 1 && columns_[0]->is_count);
  }
  /// Whether sums of it mean something.
  [[nodiscard]] bool is_amount() const;
  /// What the measure is called, its unit and what it is divided by.
  void put(nlohmann::json& result) const;

 private:
  [[nodiscard]] std::string unit() const;
  [[nodiscard]] std::string name() const;
  /// The factor that is a price, or else the last one.
  [[nodiscard]] const Column& price() const;
  /// Pence make pounds.
  [[nodiscard]] double scale() const;

  const Table& table_;
  std::vector<const Column*> columns_;
  const Column* less_ = nullptr;
  std::vector<const Column*> times_;
  const Column* per_ = nullptr;
  std::string per_name_;
  double each_ = 1;
  std::string told_in_;  ///< the unit, if it is not that of the column
};

}  // namespace insights::tool
