/// @file
/// Figures that are written in words.
#pragma once

#include <string_view>
#include <vector>

#include "memo/amounts.hpp"

namespace memo {

/// `forty-two` gives 42; 0 for no number below 100.
[[nodiscard]] int number_of(std::string_view word);

/// Adds `twelve`, `Forty-two`, `Seventy per cent`, `twenty thousand`: numbers from two on.
void add_written(std::string_view text, std::vector<Amount>& found);

/// Adds `Nine out of ten`, `one in five`, `two thirds of`, `a quarter of`: shares.
void add_fractions(std::string_view text, std::vector<Amount>& found);

}  // namespace memo
