/// @file
/// Times that a question says in words: `last year`, `the first three months of 2025`, `summer
/// 2024`, `before Christmas`.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace insights {

/// The text with these in numbers and names of months; what is told by today is told by the last
/// date of the table.
/// @param table  what catalogue() gives
[[nodiscard]] std::string with_plain_times(const std::string& text, const nlohmann::json& table);

/// 3, of `3` and `three`; 0: it is no number up to twelve in words, and none in digits.
[[nodiscard]] int number_said(const std::string& word);

}  // namespace insights
