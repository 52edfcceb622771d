/// @file
/// Figures as a reader understands them: how much of what, per what, and when.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "memo/periods.hpp"

namespace memo {

/// One way to read a figure: `1.234` may be 1234 or 1.234.
struct Reading {
  double value = 0;
  std::string unit;  ///< a currency, `%`, a unit of measure, or empty
};

struct StatedFigure {
  std::string written;            ///< as in the text, with scale and unit
  std::vector<Reading> readings;  ///< at least one
  std::set<std::string> per;      ///< `year` of `€3 a year`
  Period when;                    ///< empty if the text does not say it clearly
  std::size_t begin = 0;          ///< its tokens
  std::size_t end = 0;
};

struct StatedFigures {
  std::vector<StatedFigure> all;  ///< but years and dates
  std::vector<Period> periods;    ///< years and dates
  std::set<std::string> per;      ///< of all, and of words such as `annual`
  std::set<std::string> units;    ///< currencies and `%` that stand apart from figures
};

/// The figures of a sentence or more, in digits or words. A label gives its unit to the figure
/// behind it: `Runway, months: 17`. Figures inside names (`FD20`) and ordinals (`15th`) are none.
StatedFigures stated_in(std::string_view text);

}  // namespace memo
