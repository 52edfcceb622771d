/// @file
/// Whether a text backs the figures of a statement.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace memo {

/// The figures, years and dates of `text`, as they are written.
std::vector<std::string> figures_written(std::string_view text);

/// Those figures of `statement` that `text` does not give. They must agree in number, unit, scale
/// and period, and must not be of another date if both texts say of when they are. The form does
/// not matter: `€1.9bn` is `EUR 1,900 million`, `forty %` is `40 percent`.
/// @param around  a longer text, in which years and dates may stand: `2024` of a heading
std::vector<std::string> unbacked_figures(std::string_view statement, std::string_view text,
                                          std::string_view around);

}  // namespace memo
