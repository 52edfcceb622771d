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

/// Values over time. The line has a gap where none are for three times as long as usual.
struct LinePlot {
  struct Tick {
    double at = 0;
    std::string text;
  };
  struct Mark {
    std::size_t at = 0;  ///< which value
    std::string text;
  };
  std::string title;
  std::string unit;
  std::vector<double> at;  ///< when each value is, in any unit, in order
  std::vector<double> values;
  std::vector<Tick> ticks;  ///< below the line
  /// The most important first; those far beyond all other values are drawn at the edge, and texts
  /// for which there is no room are only shown when one points at the mark.
  std::vector<Mark> marks;
  /// Two levels, before and after a value; drawn when `level_at` is not 0.
  std::size_t level_at = 0;
  double level_before = 0;
  double level_after = 0;
};

/// Bars from left to right, one below the other.
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
