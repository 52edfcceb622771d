/// @file
/// Which findings an answer tells: those that bear on the question, what answers it first.
#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "insights/sentences.hpp"

namespace insights {

/// What is told, in order, and how many findings are not.
struct Selection {
  std::vector<Finding> told;
  std::size_t figures = 0;  ///< of these, where the figures begin that are told besides
  std::size_t left_out = 0;
  bool is_broad = false;  ///< the question asks what there is to know
  bool is_vague = false;  ///< nothing that it names is known
};

/// @param input  that of the task `turn`: the prompt, the tables and the tools' results
[[nodiscard]] Selection selection_of(const nlohmann::json& input);

}  // namespace insights
