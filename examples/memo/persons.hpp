/// @file
/// Names of people, and names with a role, as lists of people have them.
#pragma once

#include <string_view>

namespace memo {

/// Whether a sentence is no more than a name and what its bearer does: `Ada Byron, director.`,
/// `Dr. Ada Byron – sales.`
bool names_person(std::string_view sentence);

/// Whether two words with a capital stand in a row (`Ada Byron`), or one behind a title (`Dr.`).
bool mentions_person(std::string_view text);

}  // namespace memo
