/// @file
/// What figures are measured in, and per what.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "memo/spelled.hpp"

namespace memo {

/// A unit behind a figure; `end` is the token behind it.
struct UnitName {
  std::string name;  ///< `€`, `%`, `hour`; empty for none
  std::size_t end = 0;
};

/// The unit that begins at a token. @param text  what the tokens are of
UnitName unit_at(std::string_view text, const std::vector<Token>& tokens, std::size_t at);

/// The currency at a token; empty for none.
std::string currency_at(std::string_view text, const std::vector<Token>& tokens, std::size_t at);

/// Whether `name` is a unit of measure as unit_at() gives it: `hour`, `square metre`.
bool is_measure(std::string_view name);

/// Whether `stem` is that of a unit of measure.
bool is_measure_stem(const std::string& stem);

/// `year` of `a year`, `per year`, `/ year`, `annually`, if that begins at a token.
UnitName per_at(const std::vector<Token>& tokens, std::size_t at);

}  // namespace memo
