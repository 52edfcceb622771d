/// @file
/// Figures that a later document restates in words much like those of the earlier one.
#pragma once

#include <vector>

#include "memo/corrections.hpp"

namespace memo {

/// Finds, in documents of different dates, two sentences that give one quantity differently: they
/// share most of their words; or the later one speaks of a correction and shares some; or it names
/// the earlier figure (`up from 12`, `9 per cent, not 6`); or it names another year for the same
/// goal. Facts do not correct facts of another year, nor plans.
std::vector<Correction> restated(const Corpus& corpus);

}  // namespace memo
