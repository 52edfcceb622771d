/// @file
/// Values of a category that are spelt in several ways: each counts as the most common of them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "insights/table.hpp"

namespace insights {

/// Whether two values differ by capitals, spaces and marks alone.
[[nodiscard]] bool is_spelt_alike(const std::string& a, const std::string& b);

/// Replaces in each category what differs from a more common value by capitals, spaces and marks,
/// is rare and a letter apart from it, or shortens its words. Column::spelt keeps what the file
/// says.
void settle_spellings(Table& table);

/// What some of the rows say instead of a more common value.
struct Respelt {
  std::string value;  ///< as in the file
  std::string like;   ///< what it counts as
  std::size_t count = 0;
  std::size_t row = 0;  ///< the first
};

[[nodiscard]] std::vector<Respelt> respelt(const Column& column,
                                           const std::vector<std::size_t>& rows);

}  // namespace insights
