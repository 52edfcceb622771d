/// @file
/// A limit that numbers are beyond, as the tools' arguments name it.
#pragma once

#include <optional>
#include <string>

#include "insights/arguments.hpp"

namespace insights::tool {

struct Limit {
  std::string name;  ///< below, above, at_most or at_least
  double value = 0;

  [[nodiscard]] bool is_low() const { return name == "below" || name == "at_most"; }
  [[nodiscard]] bool has(double number) const {
    if (name == "below") return number < value;
    if (name == "at_most") return number <= value;
    return name == "above" ? number > value : number >= value;
  }
};

/// The limit that the arguments have, if any. @throws ToolError  they have several
[[nodiscard]] std::optional<Limit> limit_in(Arguments& arguments);

}  // namespace insights::tool
