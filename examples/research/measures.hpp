/// @file
/// Units of measure: which words are, and how many of one are in another.
#pragma once

#include <string>
#include <utility>

namespace research {

/// A unit in terms of another for the same quantity, by their stems: `km` is 1000 `m`.
std::pair<std::string, double> in_base_unit(const std::string& unit);

/// Whether the stem is a unit of measure and not a thing that is counted.
bool is_measure(const std::string& unit);

/// The unit that a text gives to all figures after it, as a stem: `euro` of `All prices in euros.`;
/// "" if it gives none.
std::string measure_in(const std::string& text);

}  // namespace research
