/// @file
/// Which rows a question wants to see, and which of their cells.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "insights/clauses.hpp"

namespace insights {

/// The arguments of look_up for what a clause asks to see: the rows with the identifiers that it
/// names, the first or the last, or those that lack something. The cells of the columns that it or
/// another clause about them names are told first.
/// @param all  the clauses of the prompt
[[nodiscard]] std::vector<nlohmann::json> lookups_of(const Clause& clause,
                                                     const std::vector<Clause>& all,
                                                     const nlohmann::json& table);

/// Which end of the rows a clause asks to see, `first` or `last` in time: `when did we last pay`,
/// `the first visit and the last`.
[[nodiscard]] std::vector<std::string> ends_in_time(const Clause& clause,
                                                    const nlohmann::json& table);

/// Whether a clause goes on about the row that the one before it asks to see: `and what was it
/// then`.
[[nodiscard]] bool points_to_row(const Clause& clause);

/// The column that a clause says is empty, or 0: `without a price`, `gave nothing`; "": none.
[[nodiscard]] std::string column_lacking(const Clause& clause, const nlohmann::json& table);

/// Whether only rows with an identifier of their own are asked for, and no figures of others.
[[nodiscard]] bool asks_for_rows_alone(const Interest& about, const std::vector<Interest>& others);

}  // namespace insights
