/// @file
/// The figures of a text: numbers with what they count, dates, times of day, days of the week.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace research {

struct Figure {
  std::size_t begin = 0;  ///< of the number
  std::size_t end = 0;    ///< behind it; of a date or a time behind all of it
  std::string number;     ///< `1740`, `2350000`; `20:30`; `2025-07-12`; of a weekday 1 to 7
  std::string
      unit;  ///< the stem of a word, a sign, `clock`, `date`, `weekday`; empty if none tells
};

/// In the order of the text. Numbers may be words, and `1.6 million` is one. What a date leaves
/// open is 0: `0000-07-12`, `2025-07-00`.
std::vector<Figure> figures_in(const std::string& text);

/// The text without its figures, names of months, and signs of parts such as `per cent` and `pm`.
std::string without_figures(const std::string& text);

/// Whether two numbers of a unit are the same; of dates all that both of them name.
bool are_same(const std::string& unit, const std::string& one, const std::string& other);
bool has_same(const std::set<std::string>& numbers, const std::string& unit,
              const std::string& number);

}  // namespace research
