/// @file
/// Two columns that a question says rise and fall together.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "insights/clauses.hpp"

namespace insights {

/// The two columns of `Do people wait longer the farther it is?` and of `Do shops with more staff
/// sell more bread?`; not two: it asks for none.
/// @param table  what catalogue() gives
[[nodiscard]] std::vector<std::string> asked_together(const Clause& clause,
                                                      const nlohmann::json& table);

/// Whether the rows are meant, as by `Do shops with more staff sell more`, and not what all of them
/// add up to at each time.
[[nodiscard]] bool asks_of_rows(const Clause& clause);

}  // namespace insights
