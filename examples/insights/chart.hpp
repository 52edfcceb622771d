/// @file
/// A chart as SVG, the same bytes on every machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace insights {

struct Series {
  std::string name;
  std::vector<std::optional<double>> values;  ///< one for each label
};

struct Chart {
  std::string title;
  bool is_bars = false;
  std::vector<std::string> labels{};  ///< at least two
  std::vector<Series> series{};       ///< at least one
};

[[nodiscard]] std::string svg_of(const Chart& chart);

}  // namespace insights
