/// @file
/// What a memo leaves out of what its sources hold.
#pragma once

#include <string>
#include <vector>

#include "memo/source.hpp"
#include "memo/types.hpp"

namespace memo {

/// A question that no section answers, though a source seems to.
struct LeftOut {
  std::string heading;  ///< of the question
  std::string passage;  ///< the best that was found for it
  std::string source;

  bool operator==(const LeftOut&) const = default;
};

/// The questions of the outline that no part of `research` answers, though passages fit them
/// (fit.hpp). If one of the three best is stated elsewhere in the memo, nothing is left out.
std::vector<LeftOut> left_out(const Request& request, const SectionResearch& research,
                              const Sources& sources);

}  // namespace memo
