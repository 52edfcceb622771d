/// @file
/// Keeps a report as short as it has to be, by the words that are really written.
#pragma once

#include <cstddef>

#include "research/types.hpp"

namespace research {

/// Leaves out what was chosen last until the report has no more words, and takes back what still
/// fits. What has the same rank is left out together; something always remains.
/// @param most_words  0: no limit
Synthesis shortened(const Synthesis& made, std::size_t most_words);

}  // namespace research
