/// @file
/// Seasons, and times that a question tells by the end of the table: `this May`, `nowadays`.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "insights/interest.hpp"

namespace insights {

/// The season that a text names, of all years; "": none, or the table has less than most of a year,
/// or calls something so. `This summer` and `summer 2024` are no seasons of all years.
/// @param table  what catalogue() gives
[[nodiscard]] std::string season_in(const std::string& text, const nlohmann::json& table);

/// A text with the years of `this May`, `May last year`, and, beside another year, `nowadays`: the
/// last twelve months.
[[nodiscard]] std::string with_years(const std::string& text, const nlohmann::json& table);

/// What `how much has it grown` compares: the first whole year, or the one that `since` names, and
/// the last whole year; where there are no two of them, the first and the last whole month.
[[nodiscard]] std::optional<Periods> ends_of_time(const std::string& text,
                                                  const nlohmann::json& table);

}  // namespace insights
