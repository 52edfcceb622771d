/// @file
/// Whether statements answer the questions that they stand under.
#pragma once

#include <string>
#include <vector>

#include "memo/source.hpp"
#include "memo/types.hpp"

namespace memo {

/// A statement under a question that it hardly fits.
struct Misplaced {
  std::string heading;  ///< of that question
  std::string statement;
  std::string better;  ///< heading of the question that it fits best

  bool operator==(const Misplaced&) const = default;
};

struct Placing {
  int placed = 0;  ///< statements under a question of the outline
  std::vector<Misplaced> far_off;
};

/// Compares, by Fit, how well each statement of `sections` fits the question that it stands under
/// with how well it fits the one that it fits best. Earlier and later figures are left out: they
/// stand where the statement is that they belong to.
Placing placing(const Request& request, const std::vector<Section>& sections,
                const Sources& sources);

}  // namespace memo
