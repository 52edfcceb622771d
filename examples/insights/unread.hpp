/// @file
/// What a question asks for and a table does not have.
#pragma once

#include <set>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace insights {

/// The words of the prompt that begin what the rows are called: `calls`, of callouts.
[[nodiscard]] std::set<std::string> names_of_rows(const std::vector<std::string>& rows,
                                                  const std::vector<std::string>& asked);

/// What is asked for, as in `how many refunds` or `what does it cost`, and nothing in the table is
/// called or is about.
/// @param table  what catalogue() gives
[[nodiscard]] std::vector<std::string> unread_in(const nlohmann::json& table,
                                                 const std::vector<std::string>& asked);

/// What the words restrict the question to, as in `from vaccinations`, and no table has.
/// @param tables  of the catalogue
[[nodiscard]] std::vector<std::string> unknown_things(const std::vector<nlohmann::json>& tables,
                                                      const std::vector<std::string>& asked);

/// What the words restrict the question to that only values have.
[[nodiscard]] std::vector<std::string> words_of_values(const nlohmann::json& table,
                                                       const std::vector<std::string>& asked);

}  // namespace insights
