/// @file
/// People of whom a later document says that they have left.
#pragma once

#include <vector>

#include "memo/corrections.hpp"
#include "memo/ranking.hpp"

namespace memo {

/// What earlier documents say of people by name and role (`Ada Byron, head of sales.`) who have
/// left since; not sure, so that a memo states both.
std::vector<Correction> departures(const Corpus& corpus);

}  // namespace memo
