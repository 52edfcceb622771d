/// @file
/// What a model may do with the readings: five pure functions with JSON arguments and results.
#pragma once

#include <string>
#include <vector>

#include "insights/types.hpp"

namespace insights {

struct Tool {
  std::string name;
  std::string description;
  std::string arguments;  ///< an example in JSON
};

/// `query_window`, `statistics`, `trend`, `compare_normals`, `find_unusual`.
[[nodiscard]] const std::vector<Tool>& tools();

/// Calls the tool `name`; arguments and result are JSON text. They come from a model and may be
/// anything: what cannot be done is told in the result, as {"error": "…"}.
[[nodiscard]] std::string use_tool(const std::string& name, const std::string& arguments,
                                   const Readings& readings);

}  // namespace insights
