/// @file
/// The hours of the day that a question names.
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace insights {

/// From the first hour to before the second, which is smaller across midnight: {22, 6} of `between
/// ten at night and 6 am`, {20, 24} of `after 8 pm`; `before nine` is {0, 9}. A number alone is no
/// hour. nullopt when there is none.
[[nodiscard]] std::optional<std::pair<int, int>> hours_in(const std::string& text);

}  // namespace insights
