/// @file
/// Figures in running text, with their unit and scale.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memo {

/// A figure, and where it stands in its text.
struct Amount {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string unit;   ///< a currency's sign, `%`, or empty
  std::string value;  ///< with its scale, `22 million`
};

/// The sign of a currency that `word` names: `€` of `EUR` or `euros`; empty for none.
[[nodiscard]] std::string_view currency_of(std::string_view word) noexcept;

[[nodiscard]] std::vector<Amount> amounts_in(std::string_view text);

/// Whether it may be a year: 1900 to 2099, without a unit.
[[nodiscard]] bool is_year(const Amount& figure) noexcept;

/// Whether `text` says that this is how things were: `from 12`, `more than 12`.
[[nodiscard]] bool is_former(std::string_view text, const Amount& figure);

/// The figure that follows `phrase` or, if none does, stands in front of it; a semicolon parts
/// them. A phrase with ` … ` in it has the figure there: `valued at … before`.
/// @pre `phrase` is in lower case
[[nodiscard]] std::optional<Amount> amount_of(std::string_view text, std::string_view phrase);

}  // namespace memo
