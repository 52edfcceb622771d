/// @file
/// Events that a later document puts at another month: a start, an opening, a delivery.
#pragma once

#include <vector>

#include "memo/corrections.hpp"

namespace memo {

/// Pairs of sentences that say of one event in which month it is to be, and differ. Each names one
/// month with its year; the earlier was to come when it was written. None is sure.
std::vector<Correction> moved_events(const Corpus& corpus);

}  // namespace memo
