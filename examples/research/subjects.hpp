/// @file
/// Which words tell what a figure is of: `subscription` and `tank`, not `cost`, `week` or `repair`.
#pragma once

#include <string>

namespace research {

/// Whether the stem tells two things of a site apart: no unit of measure, no word of time, of
/// amounts or of paying, and none of what is done to many things.
bool is_subject(const std::string& term);

}  // namespace research
