/// @file
/// Findings as pictures: plain SVG, a line with what is marked, or bars.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "insights/table.hpp"
#include "insights/types.hpp"

namespace insights {

struct Picture {
  std::string name;  ///< of its file, without the ending
  std::string svg;

  bool operator==(const Picture&) const = default;
};

void to_json(nlohmann::json& json, const Picture& value);
void from_json(const nlohmann::json& json, Picture& value);

/// Values from left to right.
struct LinePlot {
  struct Mark {
    std::size_t at = 0;  ///< which value
    std::string text;
  };
  std::string title;
  std::string unit;
  std::string from;  ///< below the first value
  std::string to;    ///< below the last one
  std::vector<double> values;
  std::vector<Mark> marks;
  /// Two levels, before and after a value; drawn when `level_at` is not 0.
  std::size_t level_at = 0;
  double level_before = 0;
  double level_after = 0;
};

struct BarPlot {
  struct Bar {
    std::string name;
    double value = 0;
  };
  std::string title;
  std::string unit;
  std::vector<Bar> bars;
};

[[nodiscard]] std::string svg_of(const LinePlot& plot);
[[nodiscard]] std::string svg_of(const BarPlot& plot);

inline constexpr std::size_t most_pictures = 12;

/// Draws what these calls of tools found: unusual readings, changes, patterns and shares. Calls
/// that found nothing to draw have no picture.
[[nodiscard]] std::vector<Picture> draw(const std::vector<ToolCall>& calls,
                                        const Readings& readings);

}  // namespace insights
