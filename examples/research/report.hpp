/// @file
/// The report that people read: report.md.
#pragma once

#include <string>

#include "research/types.hpp"

namespace research {

/// Every statement with the number of its source. Where a statement is not its source's own
/// sentence, that sentence is quoted beside it.
std::string markdown(const Synthesis& synthesis);

}  // namespace research
