/// @file
/// What a question says and its answer does not depend on.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "insights/clauses.hpp"

namespace insights {

/// The words of a clause that led to nothing.
struct Unused {
  /// Names (`across the Atlantic`) and what is compared: without them it is another question. If
  /// the clause names no column, value or limit, all: `grown`, of `how much has it grown`.
  std::vector<std::string> leading;
  /// The others of a clause of which something is understood: `borrows`, of `which district borrows
  /// most`, but also `died`, of `how many people died`.
  std::vector<std::string> others;
};

/// Which words of a clause led to nothing.
/// @param table   that the clause is about
/// @param tables  all
[[nodiscard]] Unused unused_words(const Clause& clause, const nlohmann::json& table,
                                  const std::vector<nlohmann::json>& tables);

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
