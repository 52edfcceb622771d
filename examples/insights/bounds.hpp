/// @file
/// The limits that a question names.
#pragma once

#include "insights/interest.hpp"

namespace insights {

/// The first number that follows a word such as `below` or `more than`; nullopt: there is none.
[[nodiscard]] std::optional<Bound> bound_in(const std::string& prompt);

}  // namespace insights
