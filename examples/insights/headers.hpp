/// @file
/// What the header of a column says: its name and its unit.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace insights {

/// What is longer has neither a unit nor a month: std::regex recurses with each character.
inline constexpr std::size_t longest_header = 200;

struct Header {
  std::string name;
  std::string unit;  ///< as in words.json, where it is known; "": it says none
};

/// `temp (°C)`, `price [EUR]`, `power_kw`, `Run time mins`; what is so much per something has the
/// whole as its unit: `day ct/kWh`, `£/h`, `€ per bed`.
/// @param all  the headers of the table
[[nodiscard]] Header header_of(const std::string& text, const std::vector<std::string>& all);

}  // namespace insights
