/// @file
/// Stems of English words by libstemmer's Snowball stemmer (Porter, 2001).
#pragma once

#include <string>

namespace text {

/// `utilities` gives `util`. @pre `word` is in lower case
std::string stem_of(const std::string& word);

}  // namespace text
