/// @file
/// Numbers as people write them into tables.
#pragma once

#include <optional>
#include <string>

namespace insights {

struct Written {
  double value = 0;
  std::string unit;  ///< "" when the cell names none
};

/// `-1.5`, `1,234,567.8`, `1'234.5`, `1 234`, `€27,400`, `18 %`, `200 kg`; with a decimal comma
/// `1.234,5`. A unit is one of words.json, or a currency's sign. nullopt when it is none of them.
[[nodiscard]] std::optional<Written> parse_number(const std::string& cell, bool decimal_comma);

/// `1:45`, `26:10:30`, `1 h 45 min`, `45 min` in minutes; nullopt when it is none of them.
[[nodiscard]] std::optional<Written> parse_duration(const std::string& cell);

}  // namespace insights
