/// @file
/// Which of several tables a question is about.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "insights/clauses.hpp"
#include "insights/interest.hpp"

namespace insights {

/// What a table only means by its words is left to a table that has a column called so.
void leave_to_named(Interest& about, std::vector<Interest>& others);

/// Of more than two columns that are named the two in one unit that two tables have, if a share is
/// asked for: how much of what came in went out. Empty: there are no such two, or several.
/// @param table  what catalogue() gives
[[nodiscard]] std::vector<std::string> pair_of_one_unit(const Interest& about,
                                                        const std::vector<Interest>& others,
                                                        const nlohmann::json& table);

/// Whether the question names values of this table, and neither columns nor values of the first.
[[nodiscard]] bool names_more(const Interest& other, const Interest& first);

/// The amount of money that the question names; "": none.
[[nodiscard]] std::string money_named(const Interest& about, const nlohmann::json& table);

/// For each clause the table that has the most of it; of several that have as much, the one of the
/// clause before, or else the first.
/// @param clauses  of each table, what it tells of the prompt
/// @param all      the tables, as catalogue() gives them
[[nodiscard]] std::vector<std::size_t> tables_of(const std::vector<std::vector<Clause>>& clauses,
                                                 const std::vector<nlohmann::json>& all);

/// Whether a question names something of a table that is none of what its key leads to in another.
[[nodiscard]] bool names_own(const Interest& about, const nlohmann::json& table);

/// The calls that look for what is noted about the words of a prompt, in each table with remarks.
[[nodiscard]] std::vector<nlohmann::json> remarks_about(const std::string& prompt,
                                                        const nlohmann::json& table);

/// The times between two dates of which some are negative, if the clause asks what was late.
[[nodiscard]] std::vector<std::string> late_columns(const Clause& clause,
                                                    const nlohmann::json& table);

}  // namespace insights
