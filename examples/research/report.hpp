/// @file
/// The report that people read: report.md.
#pragma once

#include <string>

#include "research/types.hpp"

namespace research {

/// Every paragraph with the numbers of its sources, under the heading that it has on its page.
/// Where a statement is not its source's own sentence, that sentence is quoted below it.
std::string markdown(const Synthesis& synthesis);

}  // namespace research
