/// @file
/// What a question asks of the cells of a column, and the table itself says: how many different
/// values there are, and how many rows have none.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "insights/clauses.hpp"

namespace insights {

/// The category of which a text asks how many different values there are; nullptr: it does not, or
/// none is called so.
[[nodiscard]] const nlohmann::json* category_of_different(const std::string& text,
                                                          const nlohmann::json& table);

/// A sentence; "": the clause asks for neither.
/// @param table  what catalogue() gives
[[nodiscard]] std::string counted_cells(const Clause& clause, const nlohmann::json& table);

}  // namespace insights
