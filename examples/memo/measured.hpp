/// @file
/// Which figures a passage names by a measure of the field: `ARR: €3 million`.
#pragma once

#include <string>
#include <vector>

#include "memo/quantities.hpp"

namespace memo {

/// A quantity of the field, and the phrases that name it.
struct Measure {
  std::string name;
  std::vector<std::string> phrases;  ///< lower case
};

/// Gives each figure the measure that its passage names it by, if any.
void name_measures(std::vector<Quantity>& quantities, const std::vector<Measure>& measures);

}  // namespace memo
