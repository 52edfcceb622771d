/// @file
/// The times from one date to another that a question names, and columns that say how long.
#pragma once

#include <set>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "insights/naming.hpp"

namespace insights {

/// The words by which the prompt names the time from one date to another: those that ask how long
/// something took, and with them those of the dates' names and of what happens on them, which alone
/// speak of the dates, unless both are named as in `the time from order to delivery`.
[[nodiscard]] std::set<std::string> naming_words_of_time(const nlohmann::json& column,
                                                         const std::vector<std::string>& asked);

/// Those named by the most words. Who waits does so until the first of the next dates, who stays
/// from arrival to departure.
[[nodiscard]] std::vector<Naming> by_most_words(std::vector<Naming> names);

/// Of `how long does a party last`, which names no date, the column that says how long: not the
/// time from its day to when it was paid. nullptr: there is none.
[[nodiscard]] const nlohmann::json* own_duration(const std::vector<Naming>& names,
                                                 const nlohmann::json& columns);

}  // namespace insights
