/// @file
/// Of what a question asks the share: of the bicycles that were not fixed it is these, within the
/// bicycles.
#pragma once

#include <string>

#include "insights/interest.hpp"

namespace insights {

/// The category whose value is the part, where the text names values of several: what is said of
/// what is named first, or what is named before `among`; "": it does not tell.
[[nodiscard]] std::string part_of_share(const std::string& text, const Interest& about);

}  // namespace insights
