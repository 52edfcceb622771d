/// @file
/// What an answer says before anything else: in what it is about something else than the question.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "insights/selection.hpp"

namespace insights {

/// Sentences that tell what of the question is not in the tables, is not computed or is not
/// answered, and which of several dates its times are of.
/// @param input  that of the task `turn`
/// @param told   what the answer tells
[[nodiscard]] std::vector<std::string> caveats_of(const nlohmann::json& input,
                                                  const Selection& told);

}  // namespace insights
