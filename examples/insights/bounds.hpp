/// @file
/// Numbers and dates that a question names.
#pragma once

#include "insights/interest.hpp"

namespace insights {

/// The first number that follows a word such as `below` or `more than`; nullopt: there is none.
[[nodiscard]] std::optional<Bound> bound_in(const std::string& prompt);

/// The periods before and from a date on, when the prompt names one date with `since`, `before` or
/// `after`, or one month with `since` or `before`; none when all readings are later. Returns
/// whether it does. @param table  what catalogue() gives
bool find_turn(Interest& about, const std::string& prompt, const nlohmann::json& table);

}  // namespace insights
