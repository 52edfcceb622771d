/// @file
/// Words by which a sentence tells that a figure is another than before.
#pragma once

#include "memo/stemming.hpp"

namespace memo {

const Signs& signs_of_a_change();

/// Sentences that take back what they repeat.
const Signs& signs_of_an_end();

/// Sentences that speak of an earlier statement as of a mistake, or name the paper that made it.
const Signs& signs_of_a_mistake();

/// `suggested to`: what was only an idea.
const Signs& signs_of_a_proposal();

/// `not agreed`, `we said no`: a proposal that came to nothing.
const Signs& signs_of_a_refusal();

}  // namespace memo
