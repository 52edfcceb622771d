/// @file
/// Values of which a question says only a part: `ALDI 062 HALIFAX`, of `how much did Aldi take`.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "insights/interest.hpp"

namespace insights {

/// Restricts the rows to the values that have a word of the prompt that says nothing else: all of
/// them, in the column that the prompt names or where they are fewest; of two words of one column
/// to those that have both, if there are such.
/// @param asked  the prompt's words, but for what it leaves out
void find_parts(Interest& about, const nlohmann::json& table,
                const std::vector<std::string>& asked);

}  // namespace insights
