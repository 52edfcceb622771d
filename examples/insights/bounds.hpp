/// @file
/// The limits that a question names.
#pragma once

#include "insights/interest.hpp"

namespace insights {

/// The first number that follows a word such as `below` or `more than`; nullopt: there is none.
[[nodiscard]] std::optional<Bound> bound_in(const std::string& prompt);

/// `In the top ten`, of a table with a column of places: that column, and its limit.
[[nodiscard]] std::optional<std::pair<const nlohmann::json*, Bound>> place_bound_in(
    const std::string& prompt, const nlohmann::json& columns);

/// `gloomier than 60 %`: what may be a limit, of which words.json does not know the direction;
/// "": nothing.
[[nodiscard]] std::string limit_not_known(const std::string& prompt);

/// The column that a limit is of: the first in its unit, or the one named before a number without a
/// unit; nullptr: none.
/// @param columns  what catalogue() gives
[[nodiscard]] const nlohmann::json* limited_column(const std::string& text, const Bound& bound,
                                                   const nlohmann::json& columns);

/// The columns that a limit of another one is put to: those that are named; of a limit that tells
/// things apart, as `traps above 1000 metres`, the only one that is measured of the things.
[[nodiscard]] std::vector<std::string> limited_columns(const std::set<std::string>& said,
                                                       const nlohmann::json& with,
                                                       const nlohmann::json& columns);

/// Whether a text asks when nothing was recorded.
[[nodiscard]] bool asks_for_gaps(const std::string& text);

/// Whether a text asks when something stood still.
[[nodiscard]] bool asks_for_standstill(const std::string& text);

}  // namespace insights
