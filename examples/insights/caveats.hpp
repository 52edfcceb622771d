/// @file
/// What an answer says before anything else: in what it is about something else than the question.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "insights/selection.hpp"

namespace insights {

/// Sentences that tell what of the question is not used, is not in the tables, is not computed or
/// is not answered, and which of several dates its times are of.
struct Caveats {
  std::vector<std::string> all;
  bool is_other = false;  ///< what is answered is not the question as it was asked
};

/// @param input  that of the task `turn`
/// @param told   what the answer tells
[[nodiscard]] Caveats caveats_of(const nlohmann::json& input, const Selection& told);

}  // namespace insights
