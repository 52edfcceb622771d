/// @file
/// Columns that a question means without naming them, by the lists of words.json.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace insights {

/// Of a column of the catalogue.
[[nodiscard]] std::string name_of(const nlohmann::json& column);
[[nodiscard]] bool is_number(const nlohmann::json& column);

/// Whether the time from one date to another is that of a stay: from arrival to departure, not from
/// when it was booked.
[[nodiscard]] bool is_stay(const nlohmann::json& column);

/// Whether a word of a question is one for a unit: `litres` for l, `pounds` for £.
[[nodiscard]] bool names_unit(const std::string& word, const std::string& unit);

/// A column's unit, or what it is called, where that is one: `Minutes`.
[[nodiscard]] std::string said_unit_of(const nlohmann::json& column);

/// Whether it is one for a unit of the same kind: `tonnes` for kg.
[[nodiscard]] bool is_of_kind(const std::string& word, const std::string& unit);

/// Whether the header is the word for who does what the prompt says: Fixer, of `who fixed`.
[[nodiscard]] bool is_of_doer(const std::string& header, const std::vector<std::string>& asked);

/// Whether the prompt asks for the end of a scale that a meaning names: `the dearest`.
[[nodiscard]] bool is_superlative(const std::vector<std::string>& asked);

/// Whether the prompt asks which of two is `dearer` or `more expensive`.
[[nodiscard]] bool is_comparative(const std::vector<std::string>& asked);

/// Whether the words that name a column are about what another one is in the unit of: `warm` about
/// the air in °C, not about heat in kWh.
[[nodiscard]] bool is_in_other_unit(const nlohmann::json& column, const nlohmann::json& columns,
                                    const std::set<std::string>& by);

/// The columns of numbers that words such as `heaviest`, `coldest` or `earns` are about.
/// @param columns  what catalogue() gives
/// @param asked    the words of the question
[[nodiscard]] std::vector<const nlohmann::json*> meant_columns(
    const nlohmann::json& columns, const std::vector<std::string>& asked);

/// The first column in the unit that a word names (`per kilogram`), or that the words mean, besides
/// one; "": none.
[[nodiscard]] std::string column_in(const nlohmann::json& columns,
                                    const std::vector<std::string>& asked,
                                    const std::string& besides);

/// The column of numbers of which `without` speaks: some have none of it; "": none.
[[nodiscard]] std::string column_without(const nlohmann::json& columns,
                                         const std::vector<std::string>& asked);

/// Of a question about speed, where no column is one: the columns of a distance and a time, "" if
/// there are none.
[[nodiscard]] std::pair<std::string, std::string> speed_in(const nlohmann::json& columns,
                                                           const std::vector<std::string>& asked);

/// The categories that `who`, `where` and `which` with another word than their names ask for:
/// columns of people or places, or those whose values have that word.
/// @param table     what catalogue() gives
/// @param is_named  whether the question names a category; `which` then asks for that one
[[nodiscard]] std::vector<std::string> meant_categories(const nlohmann::json& table,
                                                        const std::vector<std::string>& asked,
                                                        bool is_named);

/// Whether the question counts things that no column is called: `the most parcels`.
[[nodiscard]] bool counts_rows(const nlohmann::json& columns,
                               const std::vector<std::string>& asked);

/// The columns of dates beside that of the rows' times, if they are days apart from it.
[[nodiscard]] std::vector<std::string> other_dates(const nlohmann::json& table);

}  // namespace insights
