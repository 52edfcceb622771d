/// @file
/// The ten sections of a memo and the questions that each of them answers.
#pragma once

#include "memo/types.hpp"

#include <string_view>
#include <vector>

namespace memo {

/// The sections in memo order; `team` is the fourth. `{company}` in queries and signs is replaced
/// by the company's name. @throws std::invalid_argument for an unknown type or mode
std::vector<SectionPlan> outline(const Request& request);

/// The questions put to the deck: a choice of the outline's, with the same ids.
std::vector<Topic> deck_topics(const Request& request);

}  // namespace memo
