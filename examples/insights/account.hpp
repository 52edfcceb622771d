/// @file
/// An account of a clause: which of its words the calls that were made for it have not used.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "insights/clauses.hpp"
#include "insights/evidence.hpp"

namespace insights {

/// A word that led to nothing.
struct Left {
  std::string word;
  std::string known{};  ///< where the table has it: `a word of Description`; "": nowhere
};

/// The words of a clause that led to nothing.
struct Account {
  /// Without these it is another question: names, numbers, limits, what is compared, what is
  /// counted, and words that the table knows; if nothing of the clause is used, all of its words:
  /// `grown`, of `how much has it grown`.
  std::vector<Left> leading;
  /// The others of a clause of which something is used: `borrows`, of `which district borrows
  /// most`, but also `died`, of `how many people died`.
  std::vector<Left> others;
};

/// What of a clause the evidence does not account for.
/// @param table   that the clause is about
/// @param tables  all
[[nodiscard]] Account account_of(const Clause& clause, const nlohmann::json& table,
                                 const std::vector<nlohmann::json>& tables,
                                 const Evidence& evidence);

}  // namespace insights
