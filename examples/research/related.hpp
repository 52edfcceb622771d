/// @file
/// Words that a question and its answer use for one thing.
#pragma once

#include <string>
#include <vector>

namespace research {

/// The stems of words that are used for what `word` stands for; empty when none are known.
std::vector<std::string> related_to(const std::string& word);

}  // namespace research
