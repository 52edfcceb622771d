/// @file
/// Numbers and dates that a question names.
#pragma once

#include "insights/interest.hpp"

namespace insights {

/// The first number that follows a word such as `below` or `more than`; nullopt: there is none.
[[nodiscard]] std::optional<Bound> bound_in(const std::string& prompt);

/// The periods before and from a date on, when the prompt names one date with `since`, `before` or
/// `after`. @param table  what catalogue() gives
void find_turn(Interest& about, const std::string& prompt, const nlohmann::json& table);

}  // namespace insights
