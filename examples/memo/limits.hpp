/// @file
/// Figures that are no counts and no amounts of their own.
#pragma once

#include <string_view>

#include "memo/amounts.hpp"

namespace memo {

/// Whether a figure is a limit (`at least 20`), a difference (`20 more`), a part of a
/// name (`Model 3`, `50-bed home`, `4G`), of a date, of a longer time, of a range (`8 to 10 firms`)
/// or of a share (`1 in 28`).
bool is_no_count(std::string_view text, const Amount& amount);

/// Whether `stem` is one of a month's name.
bool is_month_stem(const std::string& stem);

/// Whether a sum is the least (`from €20`), not what was before a change.
bool is_minimum(std::string_view text, const Amount& amount);

/// Whether a text says that this is how things were, or were said to be: `not the €5 million`,
/// `short of the €5 million`, `earlier it was three`, `Nine days used to be`.
bool is_replaced(std::string_view text, const Amount& amount);

}  // namespace memo
