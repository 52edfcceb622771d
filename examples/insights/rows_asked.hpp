/// @file
/// Which rows a question wants to see, and which of their cells.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "insights/clauses.hpp"

namespace insights {

/// The arguments of look_up for the identifiers that a clause names. The cells of the columns that
/// it or another clause about them names are told first.
/// @param all  the clauses of the prompt
[[nodiscard]] std::vector<nlohmann::json> lookups_of(const Clause& clause,
                                                     const std::vector<Clause>& all,
                                                     const nlohmann::json& table);

/// Whether only rows with an identifier of their own are asked for, and no figures of others.
[[nodiscard]] bool asks_for_rows_alone(const Interest& about, const std::vector<Interest>& others);

}  // namespace insights
