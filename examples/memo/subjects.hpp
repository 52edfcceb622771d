/// @file
/// Whether the sentences around two figures name one subject. Figures that only share a unit and
/// are near to each other are of two quantities.
#pragma once

#include "memo/quantities.hpp"

namespace memo {

/// The stems that name something: without words of any sentence with a figure, such as `cost`,
/// `within` or `march`.
Stems naming(Stems stems);

/// Whether something besides the unit says that both may be of one quantity: what is counted, a
/// word of both clauses, two of both sentences, or the heading of one. For years the later sentence
/// has a word of the clause of the earlier, and a further one or a sign of a change.
bool have_one_subject(const Quantity& earlier, const Quantity& later, const Corpus& corpus);

}  // namespace memo
