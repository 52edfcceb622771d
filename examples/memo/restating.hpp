/// @file
/// How a memo tells that sources give different figures.
#pragma once

#include <string>
#include <vector>

#include "memo/corrections.hpp"
#include "memo/ranking.hpp"
#include "memo/review.hpp"
#include "memo/table.hpp"
#include "memo/types.hpp"

namespace memo {

/// What the earlier source says of a figure that is stated as the later one gives it.
std::string note_of(const Correction& correction, const Corpus& corpus);

/// Takes the rows out of `table` whose figure another source gives differently, and returns a
/// sentence for each of them.
std::vector<std::string> without_corrected(Table& table, const std::vector<Correction>& corrected,
                                           const Corpus& corpus);

/// The sentences right behind `finding` that put the figure of another year right; empty for none.
std::string correction_behind(const Finding& finding, const Corpus& corpus);

/// What sources say differently of the figures that the sections state.
std::vector<Conflict> differing(const Request& request, const std::vector<Section>& sections,
                                const Sources& sources);

}  // namespace memo
