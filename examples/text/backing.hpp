/// @file
/// What can be checked of a statement without understanding it: whether its numbers and names stand
/// in the passages that it cites.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace text {

/// The numbers of `statement`, as it writes them, that stand in none of `passages`. `1,234.50` is
/// `1234.5`; `1.234` is both 1234 and 1.234. No units, no words for numbers, no scale: `2.9m` is
/// not `2,900,000`.
std::vector<std::string> numbers_missing(std::string_view statement,
                                         const std::vector<std::string>& passages);

/// The names of `statement` that stand in none of `passages`: words with a capital that are not the
/// first of a sentence, and words with a capital or a digit behind their first letter.
std::vector<std::string> names_missing(std::string_view statement,
                                       const std::vector<std::string>& passages);

/// The numbers of a text, as it writes them.
std::vector<std::string> numbers_in(std::string_view text);

}  // namespace text
