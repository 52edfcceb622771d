/// @file
/// Which calls of tools answer a clause of the question.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "insights/clauses.hpp"
#include "insights/direct.hpp"
#include "insights/selection.hpp"

namespace insights {

/// Calls of tools, with their arguments, that answer a clause.
struct Evidence {
  std::vector<nlohmann::json> calls;
  std::size_t own = 0;          ///< the first of them, which only this clause asks for
  std::set<std::string> kinds;  ///< of the findings that are told of them
  /// Of a category by which is grouped, the words of the findings that list its values.
  std::map<std::string, std::set<std::string>> listed;
  std::map<std::string, std::set<std::string>> listed_beside;  ///< by calls that no clause asks for
};

/// The calls that answer a clause: its own, and those of no clause that are told. A clause that has
/// none of its own is told with the others.
/// @param direct  those that the clauses ask for
[[nodiscard]] Evidence evidence_of(std::size_t clause, const std::vector<DirectCall>& direct,
                                   const nlohmann::json& exchanges, const Selection& told);

/// Whether a finding of a kind that a clause asks for is told, or something of the clause before,
/// of gaps or of limits tells what it asks in another form: `when was that`, `how many was it`.
/// @param at  of the clauses
[[nodiscard]] bool is_told_besides(const Clause& clause, std::size_t at,
                                   const std::vector<DirectCall>& direct, const Selection& told);

}  // namespace insights
