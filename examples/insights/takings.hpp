/// @file
/// What was taken, where a table has only prices: the quantity at its price.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "insights/query.hpp"

namespace insights {

/// Whether the words ask what was earned or paid in all, and not what one costs.
[[nodiscard]] bool asks_for_takings(const std::vector<std::string>& asked);

/// Whether a column says what one of something costs.
[[nodiscard]] bool is_price(const nlohmann::json& column);

/// What is to be multiplied, where all that is named are prices: of `€ per bed and night` the beds,
/// the nights and the price. nullopt: it is not asked for, or a quantity is missing.
/// @param named  the columns that the question names
/// @param table  what catalogue() gives
[[nodiscard]] std::optional<Query> takings(const std::vector<std::string>& asked,
                                           const std::vector<std::string>& named,
                                           const nlohmann::json& table);

/// The only amount of money of a table: in a unit of money, or else without a unit and called one;
/// "": there is none, or several.
[[nodiscard]] std::string only_money(const nlohmann::json& columns);

}  // namespace insights
