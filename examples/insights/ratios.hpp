/// @file
/// Which two columns a question divides.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "insights/interest.hpp"

namespace insights {

/// The columns of `takings per visitor`: what is named before `per`, and behind it; also those of
/// how fast, of a yield, of a part of a whole, and of what one of something costs.
/// @param asked  the words of the prompt
void find_per(Interest& about, const nlohmann::json& columns, const std::string& prompt,
              const std::vector<std::string>& asked);

}  // namespace insights
