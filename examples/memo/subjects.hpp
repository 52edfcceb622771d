/// @file
/// Whether the sentences around two figures name one subject. Figures that only share a unit and
/// are near to each other are of two quantities.
#pragma once

#include "memo/quantities.hpp"

namespace memo {

/// Whether something besides the unit says that both may be of one quantity: what is counted, a
/// word of both clauses, two of both sentences, or the heading of one. Years need two words, or one
/// and a word of a change.
bool have_one_subject(const Quantity& earlier, const Quantity& later, const Corpus& corpus);

}  // namespace memo
