/// @file
/// Dates, years and quarters in running text.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "memo/spelled.hpp"

namespace memo {

/// What is said of a date; 0 is not said.
struct Period {
  int year = 0;
  int part = 0;  ///< quarters 1 to 4; halves 5 and 6
  int month = 0;
  int day = 0;

  bool operator==(const Period&) const = default;
};

/// A period in a text, and its tokens.
struct Dated {
  Period period;
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// 1 to 12; 0 for no month. @pre `word` is in lower case
int month_named(std::string_view word);

std::vector<Dated> periods_in(const std::vector<Token>& tokens);

/// Whether no day is in both.
bool contradict(const Period& one, const Period& other);

}  // namespace memo
