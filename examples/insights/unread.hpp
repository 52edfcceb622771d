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

/// Whether a word says nothing of what is asked about: it is part of any question, or one of the
/// common verbs and adjectives.
[[nodiscard]] bool is_plain_word(const std::string& word);

/// Whether a word may name something, and nothing in the tables is called so or is like it.
/// @param tables  of the catalogue
[[nodiscard]] bool is_unknown(const std::vector<nlohmann::json>& tables, const std::string& word);

}  // namespace insights
