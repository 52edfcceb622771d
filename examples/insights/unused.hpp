/// @file
/// Words of a question that stand for the rows or for what is counted, and times that are not read.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "insights/clauses.hpp"

namespace insights {

/// Whether a word only says where all of it is: `in the house`.
[[nodiscard]] bool is_setting_at(const std::vector<std::string>& asked, std::size_t at);

/// Whether the thing of which it is asked how many there are stands there: behind `many` or `most`.
[[nodiscard]] bool is_counted_at(const std::vector<std::string>& asked, std::size_t at);

/// What is counted and nothing in the tables is called, where it is the rows that are counted:
/// `contacts`, of a log.
[[nodiscard]] std::vector<std::string> words_for_rows(const Clause& clause,
                                                      const nlohmann::json& table,
                                                      const std::vector<nlohmann::json>& tables);

/// A season or `last year` in a prompt, which no tool reads as a time; "": none. A table of four
/// months or less may be all of one.
/// @param context  has the window's first and last day
[[nodiscard]] std::string time_not_read(const std::string& prompt, const nlohmann::json& context,
                                        const std::vector<nlohmann::json>& tables);

/// The words for what is counted where the only column of figures does not say what it counts:
/// `fish`, of `how many fish` and a column `count`.
/// @param table  what catalogue() gives of the clause's table
[[nodiscard]] std::vector<std::string> words_for_figures(const Clause& clause,
                                                         const nlohmann::json& table);

}  // namespace insights
