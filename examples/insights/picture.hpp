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

/// Draws what these calls of tools found: a line with what is unusual or beyond a limit, or with a
/// change, and bars for groups and periods. A call may have several pictures, or none.
[[nodiscard]] std::vector<Picture> draw(const std::vector<ToolCall>& calls,
                                        const Readings& readings);

/// The calls whose findings an answer tells; all of them if it tells none in the words of
/// findings_of(), since a model has words of its own.
[[nodiscard]] std::vector<ToolCall> told_in(const std::string& answer,
                                            const std::vector<ToolCall>& calls);

/// `Without a picture: Findings 1, 2; Figures 3.`: the lines of an answer that tell what these
/// calls found; "": there is none.
[[nodiscard]] std::string without_picture(const std::string& answer,
                                          const std::vector<ToolCall>& not_drawn);

}  // namespace insights
