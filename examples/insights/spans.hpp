/// @file
/// The spans of time that a question names, in the order of its words.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "insights/moments.hpp"

namespace insights {

/// Where a span is that is told by another: `the same months of 2024`, `the two months before`.
struct Relative {
  int years = 0;  ///< how many it is earlier
  int year = 0;   ///< or that in which it begins
  int count = 0;  ///< or how many of `grain` right before the other
  Grain grain = Grain::month;
};

/// Days from `first` to `last`, and where the prompt names them.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
  Moment first = 0;
  Moment last = 0;
  std::optional<Grain> grain{};  ///< it is one day, week, month, quarter or year
  bool is_part = false;          ///< of all the time that there is: its first half
  bool is_range = false;         ///< from a first to a last day
  std::optional<Relative> to_other{};

  [[nodiscard]] std::string from() const { return moment_text(first, false); }
  [[nodiscard]] std::string to() const { return moment_text(last, false); }
  /// As the tools take it: a month or a year by its name.
  [[nodiscard]] std::string period() const {
    const bool has_name = grain && *grain > Grain::week;
    return has_name ? grain_text(*grain, first) : from() + "/" + to();
  }
};

/// Days, weeks, months, quarters and years, and parts of all the time that there is; those that
/// `to` or `between` join are one.
/// @param from, to      the first and the last day of the table
/// @param is_of_events  whether its rows are events
[[nodiscard]] std::vector<Span> spans_in(const std::string& prompt, Moment from, Moment to,
                                         bool is_of_events);

}  // namespace insights
