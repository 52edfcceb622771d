/// @file
/// Names with a role, as lists of people have them.
#pragma once

#include <string_view>

namespace memo {

/// Whether a sentence is no more than a name and what its bearer does: `Ada Byron, director.`,
/// `Dr. Ada Byron – sales.`
bool names_person(std::string_view sentence);

}  // namespace memo
