/// @file
/// The hours of the day, and the spans of time, that a question names.
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace insights {

/// From the first hour to before the second, which is smaller across midnight: {22, 6} of `between
/// ten at night and 6 am`, {20, 24} of `after 8 pm`; `before nine` is {0, 9}. A number alone is no
/// hour; a part of the day alone is its hours: {17, 22} of `in the evening`. nullopt when there is
/// none.
[[nodiscard]] std::optional<std::pair<int, int>> hours_in(const std::string& text);

/// What spans of time a question sets against each other: weekend, night, month, week, quarter,
/// year, weekday, day or hour; "": none.
/// @param has_clock  whether times of the day are known
[[nodiscard]] std::string span_in(const std::string& text, bool has_clock);

}  // namespace insights
